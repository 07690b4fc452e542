import { Link } from '#lib/router/link.tsx';
import { readLegalText, type LegalSpan } from '@diwan/contract/content/legal-text';

function Line({ line }: { line: readonly LegalSpan[] }) {
  return line.map(({ text, to, isCode }, index) => {
    if (isCode)
      return (
        <code
          key={index}
          dir="ltr"
          className="text-sm wrap-anywhere md:whitespace-nowrap print:whitespace-nowrap"
        >
          {text}
        </code>
      );
    if (to === undefined) return <span key={index}>{text}</span>;
    if (to.startsWith('/'))
      return (
        <Link key={index} to={to} className="link">
          {text}
        </Link>
      );
    return (
      <a
        key={index}
        href={to}
        rel="noreferrer"
        className={`link ${to.startsWith('tel:') ? 'whitespace-nowrap' : 'wrap-anywhere'}`}
      >
        <bdi>{text}</bdi>
      </a>
    );
  });
}

/** The paragraphs, lists and tables of a legal text. On a phone the rows of a table are blocks. */
export function LegalText({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-3 text-ink-700">
      {readLegalText(text).map((block, index) => {
        if (block.kind === 'paragraph')
          return (
            <p key={index}>
              <Line line={block.line} />
            </p>
          );
        if (block.kind === 'list')
          return (
            <ul key={index} className="flex list-disc flex-col gap-1.5 ps-6">
              {block.items.map((item, at) => (
                <li key={at}>
                  <Line line={item} />
                </li>
              ))}
            </ul>
          );
        return (
          <table key={index} className="w-full border-collapse text-start max-md:block print:table">
            <thead className="max-md:sr-only print:not-sr-only">
              <tr>
                {block.headings.map((heading, at) => (
                  <th
                    key={at}
                    scope="col"
                    className="border-b-2 border-ink-200 py-2 pe-4 text-start align-bottom font-medium text-ink-900"
                  >
                    <Line line={heading} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="max-md:block print:table-row-group">
              {block.rows.map((row, at) => (
                <tr
                  key={at}
                  className="border-b border-ink-100 break-inside-avoid max-md:block max-md:py-2 print:table-row"
                >
                  {row.map((cell, column) => (
                    <td
                      key={column}
                      className="py-2 pe-4 align-top wrap-anywhere max-md:block max-md:py-1 print:table-cell"
                    >
                      <span
                        aria-hidden
                        className="block text-sm text-ink-600 md:hidden print:hidden"
                      >
                        <Line line={block.headings[column] ?? []} />
                      </span>
                      <Line line={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}
