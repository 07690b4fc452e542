import { LogoProblem } from './logo-problem.ts';

/** What a drawing consists of. Scripts, links, pictures, styles of pages and animations are not. */
const drawingElements = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon text tspan defs ' +
    'linearGradient radialGradient stop clipPath mask style'
  ).split(' '),
);
/** What editors add for themselves. It is left out. */
const ignoredElements = new Set(['title', 'desc', 'metadata']);
const attributes = new Set(
  (
    'id class d x y x1 y1 x2 y2 cx cy r rx ry width height viewBox points transform version ' +
    'fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity opacity color clip-path ' +
    'clip-rule mask offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod ' +
    'fx fy clipPathUnits maskUnits maskContentUnits preserveAspectRatio font-family font-size ' +
    'font-weight font-style text-anchor dominant-baseline dx dy display visibility type style'
  ).split(' '),
);
const maximumElements = 5000;
const maximumDepth = 40;

// A drawing without a width or height cannot be printed.
const withoutSize = / (?:width|height)="\s*(?:-|0*\.?0+(?![\d.]))/;
const tag =
  /<(?:(\/)\s*([\w:.-]+)\s*|([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?))>/y;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decode(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w+)?;?/gi, (all, name: string | undefined) => {
    if (!name || !all.endsWith(';')) throw new LogoProblem('damaged');
    if (!name.startsWith('#')) {
      const known = entities[name];
      if (known === undefined) throw new LogoProblem('notAllowed', all);
      return known;
    }
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (code > 0x10ffff || code === 0) throw new LogoProblem('damaged');
    return String.fromCodePoint(code);
  });
}

const encode = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Refuses styles that load something or are more than declarations; `url(#…)` is a part of the drawing. */
function checkStyle(style: string): void {
  const plain = style
    .replace(/\/\*[^]*?\*\//g, ' ')
    .replace(/url\(\s*["']?#[\w.-]+["']?\s*\)/gi, ' ');
  const found = /[@\\<]|url\s*\(|expression|image-set|src\s*\(|import|javascript|behavior/i.exec(
    plain,
  );
  if (found) throw new LogoProblem('notAllowed', found[0]);
}

function writeAttributes(text: string): string {
  let written = '';
  for (const [, name = '', double, single] of text.matchAll(attribute)) {
    // Editors keep their own data in namespaces.
    if (name.includes(':') && !/^(xlink|on)/i.test(name)) continue;
    if (name === 'xmlns') continue;
    if (/^on|href/i.test(name)) throw new LogoProblem('notAllowed', name);
    if (!attributes.has(name)) continue;
    const value = decode(double ?? single ?? '');
    checkStyle(value);
    written += ` ${name}="${encode(value)}"`;
  }
  return written;
}

function writeRootAttributes(given: string): string {
  const attributes = writeAttributes(given);
  if (withoutSize.test(attributes)) throw new LogoProblem('size');
  return ` xmlns="http://www.w3.org/2000/svg"${attributes}`;
}

/** Reads a drawing from its begin to its end, and writes what may stay. */
class DrawingWriter {
  #at = 0;
  #elements = 0;
  // The names of the open elements, and the depth of the outermost that is left out.
  readonly #open: string[] = [];
  #ignoredFrom: number | undefined;
  #written = '';
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  write(): string {
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] !== '<') this.#readText();
      else if (!this.#skipMarkup()) this.#readTag();
    }
    if (this.#open.length > 0 || this.#written === '') throw new LogoProblem('damaged');
    return this.#written;
  }

  // Text between two tags: the letters of a text, or a style.
  #readText(): void {
    const end = this.#text.indexOf('<', this.#at);
    const raw = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at += raw.length;
    if (raw.trim() === '') return;
    const parent = this.#open.at(-1);
    if (parent === undefined) throw new LogoProblem('damaged');
    const text = decode(raw);
    if (parent === 'style') checkStyle(text);
    if (this.#ignoredFrom === undefined && ['text', 'tspan', 'style'].includes(parent))
      this.#written += encode(text);
  }

  // Skips a comment or the declaration. A document type may define entities: refused.
  #skipMarkup(): boolean {
    for (const [begin, end] of [
      ['<!--', '-->'],
      ['<?xml', '?>'],
    ] as const) {
      if (!this.#text.startsWith(begin, this.#at)) continue;
      const close = this.#text.indexOf(end, this.#at);
      if (close < 0) throw new LogoProblem('damaged');
      this.#at = close + end.length;
      return true;
    }
    const next = this.#text.slice(this.#at, this.#at + 9);
    if (/^<[!?]/.test(next)) throw new LogoProblem('notAllowed', next);
    return false;
  }

  #readTag(): void {
    tag.lastIndex = this.#at;
    const found = tag.exec(this.#text);
    if (!found) throw new LogoProblem('damaged');
    this.#at = tag.lastIndex;
    const [, isEnd, endName = '', name = '', given = '', isEmpty] = found;
    if (isEnd) this.#end(endName);
    else this.#begin(name, given, Boolean(isEmpty));
  }

  #end(name: string): void {
    if (this.#open.pop() !== name) throw new LogoProblem('damaged');
    if (this.#ignoredFrom === undefined) this.#written += `</${name}>`;
    else if (this.#open.length === this.#ignoredFrom) this.#ignoredFrom = undefined;
  }

  #begin(name: string, given: string, isEmpty: boolean): void {
    this.#elements += 1;
    const isRoot = this.#open.length === 0;
    if (isRoot && (this.#written !== '' || name !== 'svg')) throw new LogoProblem('notADrawing');
    if (this.#elements > maximumElements || this.#open.length >= maximumDepth)
      throw new LogoProblem('tooComplex');
    const isIgnored = ignoredElements.has(name) || name.includes(':');
    if (this.#ignoredFrom === undefined && !isIgnored) {
      if (!drawingElements.has(name)) throw new LogoProblem('notAllowed', `<${name}>`);
      const attributes = isRoot ? writeRootAttributes(given) : writeAttributes(given);
      this.#written += `<${name}${attributes}${isEmpty ? '/' : ''}>`;
    } else if (!isEmpty) this.#ignoredFrom ??= this.#open.length;
    if (!isEmpty) this.#open.push(name);
  }
}

/**
 * Writes a drawing again: only the elements and attributes that a drawing needs, escaped. The result
 * loads nothing and runs nothing. Throws a `LogoProblem` for a script, a link, a picture, an entity,
 * anything that is not a drawing, and what is not well-formed.
 */
export const makeSafeSvg = (source: string): string =>
  new DrawingWriter(source.replace(/^\uFEFF/, '')).write();
