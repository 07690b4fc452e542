/** A part of a line; `to` makes it a link, `isCode` a name that programs use. */
export interface LegalSpan {
  text: string;
  to?: string;
  isCode?: boolean;
}
type Line = readonly LegalSpan[];

/** A part of a section. A table has its first row as headings. */
export type LegalBlock =
  | { kind: 'paragraph'; line: Line }
  | { kind: 'list'; items: readonly Line[] }
  | { kind: 'table'; headings: readonly Line[]; rows: readonly (readonly Line[])[] };

/**
 * What an editor can name in a legal text, as `{{name}}`: facts that the portal knows, filled in when
 * the page is published. A line with a fact that this deployment does not have, such as `contact`, is
 * left out. `processors` is a list, `cookies`, `deviceStorage`, `tabStorage` and `workers`
 * are tables: these stand in a line of their own.
 */
export const legalFacts = [
  'contact',
  'draftPeriod',
  'answerPeriod',
  'loosePeriod',
  'messagePeriod',
  'notificationPeriod',
  'searchPeriod',
  'sessionPeriod',
  'idlePeriod',
  'idleStaffPeriod',
  'filePeriod',
  'paymentPeriod',
  'refundPeriod',
  'complaintPeriod',
  'complaintKeeping',
  'undoPeriod',
  'accessPeriod',
  'urgentPeriod',
  'readers',
  'scanning',
  'seal',
  'processors',
  'uaePass',
  'botCheckStorage',
  'cookies',
  'deviceStorage',
  'tabStorage',
  'workers',
] as const;
export type LegalFact = (typeof legalFacts)[number];

const link = /\[([^\][]+)\]\(([^()\s]+)\)/g;
const linkOrCode = /\[([^\][]+)\]\(([^()\s]+)\)|`([^`]+)`/g;
// A page of the portal, or an address outside; nothing that runs a script.
const linkTarget = /^(\/(?!\/)|https:\/\/|mailto:|tel:)/;

function readLine(text: string): Line {
  const spans: LegalSpan[] = [];
  let end = 0;
  for (const match of text.matchAll(linkOrCode)) {
    const [whole, label = '', to = '', code] = match;
    if (code === undefined && !linkTarget.test(to)) continue;
    if (match.index > end) spans.push({ text: text.slice(end, match.index) });
    spans.push(code === undefined ? { text: label, to } : { text: code, isCode: true });
    end = match.index + whole.length;
  }
  if (end < text.length) spans.push({ text: text.slice(end) });
  return spans;
}

const readRow = (line: string): Line[] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => readLine(cell.trim()));

const kindOf = (line: string): LegalBlock['kind'] => {
  if (line.startsWith('- ')) return 'list';
  return line.startsWith('|') ? 'table' : 'paragraph';
};

/**
 * The blocks of a legal text. Each line is a paragraph; lines that begin with `- ` are a list, those
 * that begin with `|` the rows of a table; `[label](address)` is a link, and a name in backticks one
 * that programs use.
 */
export function readLegalText(text: string): LegalBlock[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const blocks: LegalBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const kind = kindOf(lines[at] as string);
    let end = at + 1;
    while (kind !== 'paragraph' && end < lines.length && kindOf(lines[end] as string) === kind)
      end += 1;
    const group = lines.slice(at, end);
    at = end;
    if (kind === 'list')
      blocks.push({ kind, items: group.map((line) => readLine(line.slice(2).trim())) });
    else if (kind === 'table') {
      const [headings = [], ...rows] = group.map(readRow);
      blocks.push({ kind, headings, rows });
    } else blocks.push({ kind, line: readLine(group[0] as string) });
  }
  return blocks;
}

/**
 * A text in the parts that its headings make: a line that begins with `## ` begins another section.
 * The first part has no title of its own.
 */
export function splitLegalText(text: string): { title?: string; text: string }[] {
  const parts: { title?: string; lines: string[] }[] = [{ lines: [] }];
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) parts.push({ title: line.slice(3).trim(), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ title, lines }) => ({
    ...(title === undefined ? {} : { title }),
    text: lines.join('\n').trim(),
  }));
}

/** Why a legal text cannot be published, with what its message names. */
export type LegalTextIssue =
  | { code: 'legalTable' | 'legalHeading' }
  | { code: 'legalLink'; params: { link: string } };

/** The first reason why a legal text cannot be published. */
export function findLegalTextIssue(text: string): LegalTextIssue | undefined {
  const rest = text.replace(link, (whole, _label: string, to: string) =>
    linkTarget.test(to) ? '' : whole,
  );
  const [wrong] = /\[[^\][]*\]\(\S*/.exec(rest) ?? [];
  if (wrong !== undefined) return { code: 'legalLink', params: { link: wrong } };
  if (text.split('\n').some((line) => line.trim().startsWith('#') && !/^## \S/.test(line)))
    return { code: 'legalHeading' };
  const isUneven = readLegalText(text).some(
    (block) =>
      block.kind === 'table' &&
      (block.rows.length === 0 || block.rows.some((row) => row.length !== block.headings.length)),
  );
  return isUneven ? { code: 'legalTable' } : undefined;
}
