import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { createTranslator } from '../core/locale-texts.ts';

const t = createTranslator('shell');

/** A mail in one language. `text` is plain text with empty lines between its paragraphs. */
export interface MailContent {
  language: Language;
  subject: string;
  text: string;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const color = {
  page: '#f2efe8',
  brand: '#92722a',
  ink: '#1b1d21',
  quiet: '#4b4f58',
  line: '#e1e3e5',
};

// Fonts of mail programs; Nastaliq needs a larger size and line height.
const fonts: Record<Language, { size: number; leading: number; family: string }> = {
  'ar-EG': { size: 17, leading: 1.8, family: "'Segoe UI',Tahoma,'Geeza Pro',Arial,sans-serif" },
  'en-US': { size: 16, leading: 1.6, family: "'Segoe UI',Roboto,Helvetica,Arial,sans-serif" },
  'ur-PK': {
    size: 18,
    leading: 2.2,
    family: "'Noto Nastaliq Urdu','Jameel Noori Nastaleeq','Urdu Typesetting',Tahoma,sans-serif",
  },
};

const address = /^https?:\/\/[^\s\p{Cf}]+$/u;
// A label of a few words and its value, as in "Amount to pay: AED 230.50".
const labelled = /^([^:.؟?!\n]{1,40}): (.+)$/u;

// A Latin name or number keeps its order within Arabic and Urdu. Most programs break a number at its
// hyphens.
const isolateLatin = (escaped: string, dir: string) =>
  dir !== 'rtl'
    ? escaped
    : escaped.replace(
        /(?<![&#\w])[A-Za-z0-9][A-Za-z0-9.,'’+-]*(?: [A-Za-z0-9][A-Za-z0-9.'’+-]*)*(?![\w;])/g,
        '<span dir="ltr" style="unicode-bidi:isolate">$&</span>',
      );

const unbroken = (html: string) =>
  html.replace(/[A-Z0-9]+(?:-[A-Z0-9]+)+/g, '<span style="white-space:nowrap">$&</span>');

type Part =
  | { kind: 'text'; lines: string[] }
  | { kind: 'rows'; rows: [label: string, value: string][] }
  | { kind: 'button'; label: string; href: string };

/**
 * The parts of a text: lines such as "Label: value" become rows of one table, and the last address
 * that follows a line with its purpose becomes the button.
 */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  for (const paragraph of text.split('\n\n')) {
    const lines = paragraph.split('\n');
    const rows = lines.map((line) => labelled.exec(line));
    const last = parts.at(-1);
    if (rows.every((row) => row !== null)) {
      const added = rows.map(([, label = '', value = '']): [string, string] => [label, value]);
      if (last?.kind === 'rows') last.rows.push(...added);
      else parts.push({ kind: 'rows', rows: added });
    } else parts.push({ kind: 'text', lines });
  }
  const at = parts.findLastIndex(
    (part) => part.kind === 'text' && part.lines.length === 2 && address.test(part.lines[1] ?? ''),
  );
  const found = parts[at];
  if (found?.kind === 'text') {
    const [label = '', href = ''] = found.lines;
    parts[at] = { kind: 'button', label: label.replace(/\s*:$/, ''), href };
  }
  return parts;
}

/**
 * The HTML of a mail: its subject as the status, its facts as a table, one button, the rest as
 * paragraphs. Mail programs drop style sheets and read the direction from attributes only, so that
 * every part carries its own; there are no pictures and nothing is fetched. Everything is escaped.
 */
export function mailHtml({ language, subject: typed, text }: MailContent): string {
  const subject = typed.replaceAll(/\s+/g, ' ');
  const [lang, dir] = [language.slice(0, 2), directionOf(language)];
  const [start, end] = dir === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  const { size, leading, family } = fonts[language];
  const font = (pixels = size, weight = 400) =>
    `font:${weight} ${pixels}px/${leading} ${family};text-align:${start};overflow-wrap:anywhere`;
  // A line without a letter of the mail's own script is left to right as a whole.
  const inline = (line: string) =>
    dir === 'rtl' && /[A-Za-z]/.test(line) && !/\p{Script=Arabic}/u.test(line)
      ? `<span dir="ltr" style="unicode-bidi:isolate">${unbroken(escape(line))}</span>`
      : unbroken(isolateLatin(escape(line), dir));
  // Some mail programs do not turn an address into a link. An address alone on its line is one of
  // ours: `message-template.ts` removes all others from texts that users wrote.
  const lineHtml = (line: string) =>
    address.test(line)
      ? `<a href="${escape(line)}" dir="ltr" style="color:${color.brand}">${escape(line)}</a>`
      : inline(line);
  const cell = (style: string, content: string) =>
    `<tr><td dir="${dir}" align="${start}" style="${style}">${content}</td></tr>`;

  const rowsHtml = (rows: [string, string][]) =>
    rows
      .map(
        ([label, value]) =>
          `<tr><td dir="${dir}" align="${start}" valign="top" width="40%" style="` +
          `${font(size - 2)};color:${color.quiet};padding:8px 0;padding-${end}:16px;` +
          `border-bottom:1px solid ${color.line}">${inline(label)}</td>` +
          `<td dir="${dir}" align="${start}" valign="top" style="${font(size, 700)};` +
          `color:${color.ink};padding:8px 0;border-bottom:1px solid ${color.line}">` +
          `${inline(value)}</td></tr>`,
      )
      .join('');
  const textHtml = (lines: string[], isNote: boolean) => {
    const [first = '', ...rest] = lines;
    const hasHeading = rest.length > 0 && first.endsWith(':');
    const body = (hasHeading ? rest : lines).map(lineHtml).join('<br>');
    return hasHeading
      ? cell(
          `${font()};color:${color.ink};padding:0 24px 16px`,
          `<div style="border-${start}:4px solid ${color.brand};padding-${start}:12px">` +
            `<strong>${inline(first.slice(0, -1))}</strong><br>${body}</div>`,
        )
      : cell(
          `${font(isNote ? size - 2 : size)};color:${isNote ? color.quiet : color.ink};` +
            'padding:0 24px 16px',
          body,
        );
  };

  const parts = partsOf(text);
  const button = parts.findIndex(({ kind }) => kind === 'button');
  const content = parts
    .map((part, index) => {
      if (part.kind === 'text') return textHtml(part.lines, button >= 0 && index > button);
      return part.kind === 'rows'
        ? cell(
            'padding:0 24px 20px',
            `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ` +
              `dir="${dir}">${rowsHtml(part.rows)}</table>`,
          )
        : cell(
            'padding:4px 24px 24px',
            `<table role="presentation" cellpadding="0" cellspacing="0" border="0" dir="${dir}">` +
              `<tr><td bgcolor="${color.brand}" style="border-radius:8px">` +
              `<a href="${escape(part.href)}" style="${font(size, 700)};display:inline-block;` +
              `padding:10px 24px;color:#ffffff;text-decoration:none">${inline(part.label)}</a>` +
              '</td></tr></table>',
          );
    })
    .join('');
  return [
    `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">',
    `<title>${escape(subject)}</title></head><body style="margin:0;background:${color.page}">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" lang="${lang}" `,
    `dir="${dir}" bgcolor="${color.page}"><tr><td align="center" style="padding:16px 8px">`,
    '<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" ',
    `lang="${lang}" dir="${dir}" bgcolor="#ffffff" style="width:100%;max-width:600px;`,
    `border-top:4px solid ${color.brand};border-radius:8px">`,
    cell(
      `${font(size, 700)};color:${color.brand};padding:20px 24px 0`,
      escape(t('wordmark', language)),
    ),
    cell(
      `${font(size + 5, 700)};line-height:${leading - 0.3};color:${color.ink};padding:8px 24px 20px`,
      `<h1 style="margin:0;font:inherit">${inline(subject)}</h1>`,
    ),
    content,
    '</table></td></tr></table></body></html>',
  ].join('');
}
