import { deflateSync, inflateSync } from 'node:zlib';

/**
 * Typst draws a line of Arabic or Urdu from left to right, the cells of a row too, and letters of
 * Nastaliq in pieces that no reader can put together. Programs that read a PDF follow the order in
 * which it draws. So templates mark words and cells by empty shapes whose colour is a number
 * (`marksOf`), and `putInReadingOrder` draws the text again in the order in which people read it, each
 * marked word with its letters (`ActualText`). What is seen stays the same. Source: ISO 32000-1,
 * 14.9.4; decision 0124.
 */

// The letters and marks of Arabic and Urdu, without punctuation and digits. Readers of PDF expect the
// letters of a word in one direction.
const letters =
  '\\u{0620}-\\u{065F}\\u{066E}-\\u{06D3}\\u{06D5}-\\u{06EF}\\u{06FA}-\\u{06FF}\\u{0750}-\\u{077F}';
const wordPattern = new RegExp(`[${letters}]+`, 'gu');

const kinds = { wordStart: 1, wordEnd: 2, cellStart: 3, cellEnd: 4 } as const;
const maximumWords = 65_536;

/** All different words of Arabic letters in the texts of a document. */
export function wordsOf(data: unknown): string[] {
  const words = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string')
      for (const [word] of value.matchAll(wordPattern)) words.add(word);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(data);
  return [...words].slice(0, maximumWords);
}

/** What precedes a template from right to left: rules that mark its words and cells. */
export const markingRules = `
#let readingWords = json(bytes(sys.inputs.words))
#let readingMark(kind, high, low, side) = place(bottom + side, rect(width: 0pt, height: 0pt,
  fill: rgb(kind, high, low)))
#show regex("[${letters}]+"): it => {
  let index = readingWords.at(it.text, default: none)
  if index == none { it } else {
    let (high, low) = (calc.quo(index, 256), calc.rem(index, 256))
    let ends = (readingMark(${kinds.wordStart}, high, low, left), readingMark(${kinds.wordEnd}, high, low, right))
    box(ends.at(0) + it + ends.at(1))
  }
}
#let readingCell(it) = {
  readingMark(${kinds.cellStart}, calc.rem(it.y, 256), it.x, left)
  it
  readingMark(${kinds.cellEnd}, 0, 0, left)
}
#show grid.cell: readingCell
#show table.cell: readingCell
`;

type Matrix = readonly [number, number, number, number, number, number];
const identity: Matrix = [1, 0, 0, 1, 0, 0];

// First `inner`, then `outer`.
const multiply = (inner: Matrix, outer: Matrix): Matrix => [
  inner[0] * outer[0] + inner[1] * outer[2],
  inner[0] * outer[1] + inner[1] * outer[3],
  inner[2] * outer[0] + inner[3] * outer[2],
  inner[2] * outer[1] + inner[3] * outer[3],
  inner[4] * outer[0] + inner[5] * outer[2] + outer[4],
  inner[4] * outer[1] + inner[5] * outer[3] + outer[5],
];

// Without an exponent, which PDF does not know.
const written = (value: number): string => value.toFixed(4).replace(/\.?0+$/, '') || '0';

const numbersOf = (line: string): number[] => line.split(' ').slice(0, -1).map(Number);
const matrixOf = (line: string): Matrix => numbersOf(line) as unknown as Matrix;

/** What the next text needs: where it is, and how it looks, as lines of the page. */
interface GraphicsState {
  matrix: Matrix;
  colourSpace: string;
  colour: string;
  font: string;
  /** The last `gs`, for transparency. */
  parameters: string;
}

/** One text as it is drawn, from `BT` to `ET`. */
interface DrawnText {
  state: GraphicsState;
  lines: string[];
  x: number;
  y: number;
}

/** A word or another text of a line; `word` holds the letters. */
interface TextUnit {
  kind: 'text';
  x: number;
  /** The baseline. */
  y: number;
  drawn: DrawnText[];
  word?: Word;
}

interface Word {
  letters: string;
  /** Where it ends at the right. */
  end: number;
}

/** A space of a font of the page. */
interface Space {
  /** The name of the font, such as `/F0`. */
  font: string;
  /** In hexadecimal digits. */
  code: string;
}

interface Cell {
  kind: 'cell';
  column: number;
  row: number;
  children: (TextUnit | Cell)[];
}

interface ReadPage {
  /** Everything but the texts and the marks. */
  graphics: string[];
  children: Cell['children'];
}

const paths = /(?:^| )(?:m|l|c|v|y|h|re)$/;

/** Reads what Typst drew: one operator a line. */
class PageReader {
  readonly graphics: string[] = [];
  readonly #root: Cell = { kind: 'cell', column: 0, row: 0, children: [] };
  readonly #cells: Cell[] = [this.#root];
  readonly #saved: GraphicsState[] = [];
  readonly #words: readonly string[];
  #state: GraphicsState = {
    matrix: identity,
    colourSpace: '',
    colour: '',
    font: '',
    parameters: '',
  };
  #hasPath = false;
  #word: TextUnit | undefined;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  read(content: string): ReadPage {
    const lines = content.split('\n');
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      if (line === 'BT') {
        const end = lines.indexOf('ET', index);
        this.#addText(lines.slice(index + 1, end));
        index = end;
      } else if (line === 'f' && !this.#hasPath) this.#readMark();
      else {
        this.#follow(line);
        this.graphics.push(line);
      }
    }
    return { graphics: this.graphics, children: this.#root.children };
  }

  #follow(line: string): void {
    const operator = line.slice(line.lastIndexOf(' ') + 1);
    const state = this.#state;
    if (operator === 'q') this.#saved.push(state);
    else if (operator === 'Q') this.#state = this.#saved.pop() ?? state;
    else if (operator === 'cm')
      this.#state = { ...state, matrix: multiply(matrixOf(line), state.matrix) };
    else if (operator === 'cs') this.#state = { ...state, colourSpace: line };
    else if (operator === 'scn') this.#state = { ...state, colour: line };
    else if (operator === 'Tf') this.#state = { ...state, font: line };
    else if (operator === 'gs') this.#state = { ...state, parameters: line };
    this.#hasPath =
      paths.test(line) || (this.#hasPath && /^(?:cm|cs|scn|gs|W|W\*)$/.test(operator));
  }

  #addText(lines: string[]): void {
    const state = this.#state;
    const place = lines.find((line) => line.endsWith(' Tm')) ?? '1 0 0 1 0 0 Tm';
    const [, , , , x, y] = multiply(matrixOf(place), state.matrix);
    const drawn: DrawnText = { state, lines, x, y };
    if (this.#word) this.#word.drawn.push(drawn);
    else this.#add({ kind: 'text', x, y, drawn: [drawn] });
  }

  #add(child: TextUnit | Cell): void {
    this.#cells.at(-1)?.children.push(child);
  }

  #readMark(): void {
    const [kind = 0, high = 0, low = 0] = numbersOf(this.#state.colour).map((part) =>
      Math.round(part * 255),
    );
    const [, , , , x, y] = this.#state.matrix;
    if (kind === kinds.wordStart)
      this.#word = {
        kind: 'text',
        x,
        y,
        drawn: [],
        word: { letters: this.#words[high * 256 + low] ?? '', end: x },
      };
    else if (kind === kinds.wordEnd && this.#word?.word) {
      this.#word.word.end = x;
      this.#add(this.#word);
      this.#word = undefined;
    } else if (kind === kinds.cellStart) {
      const cell: Cell = { kind: 'cell', column: low, row: high, children: [] };
      this.#add(cell);
      this.#cells.push(cell);
    } else if (kind === kinds.cellEnd && this.#cells.length > 1) this.#cells.pop();
  }
}

// Baselines of one line, in points.
const isSameLine = (one: TextUnit, other: TextUnit): boolean => Math.abs(one.y - other.y) < 0.5;

const isNextInGroup = (before: TextUnit | Cell, next: TextUnit | Cell): boolean => {
  if (before.kind === 'text' && next.kind === 'text') return isSameLine(before, next);
  // Typst draws the cells of a row from left to right: the last column first.
  return (
    before.kind === 'cell' &&
    next.kind === 'cell' &&
    before.row === next.row &&
    next.column < before.column
  );
};

/** The texts in the order in which they are read from right to left. */
function inReadingOrder(children: readonly (TextUnit | Cell)[]): TextUnit[] {
  const groups: (TextUnit | Cell)[][] = [];
  for (const child of children) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && isNextInGroup(before, child)) group.push(child);
    else groups.push([child]);
  }
  return groups.flatMap((group) =>
    group
      .toSorted((one, other) =>
        one.kind === 'cell' && other.kind === 'cell'
          ? one.column - other.column
          : (other as TextUnit).x - (one as TextUnit).x,
      )
      .flatMap((each) => (each.kind === 'cell' ? inReadingOrder(each.children) : [each])),
  );
}

const drawText = ({ state, lines }: DrawnText): string[] => [
  'q',
  `${state.matrix.map(written).join(' ')} cm`,
  ...[state.parameters, state.colourSpace, state.colour].filter((line) => line !== ''),
  'BT',
  state.font,
  ...lines,
  'ET',
  'Q',
];

/**
 * The letters of a word from left to right, each as wide as the others, by spaces that have nearly no
 * width: readers take the place of a letter from its first and its last glyph.
 */
function drawLetters({ x, y }: TextUnit, { letters, end }: Word, space: Space): string[] {
  const shown = [...letters].toReversed();
  const width = (end - x) / shown.length;
  return [
    'q',
    'BT',
    `${space.font} 11 Tf`,
    '3 Tr',
    '0.1 Tz',
    `1 0 0 1 ${written(x)} ${written(y)} Tm`,
    ...shown.flatMap((letter) => [
      `/Span <</ActualText <feff${hexOf(letter)}>>> BDC`,
      `<${space.code}> Tj`,
      `${written(width)} 0 Td`,
      `<${space.code}> Tj`,
      'EMC',
    ]),
    'ET',
    'Q',
  ];
}

const hexOf = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

function drawUnit(unit: TextUnit, space: Space): string[] {
  const texts = unit.drawn.flatMap(drawText);
  const { word } = unit;
  if (!word || word.letters === '') return texts;
  return ['/Span <</ActualText <feff>>> BDC', ...texts, 'EMC', ...drawLetters(unit, word, space)];
}

/** The page with its graphics first, and its texts after them in reading order. */
function reorderPage(content: string, words: readonly string[], space: Space): string {
  const { graphics, children } = new PageReader(words).read(content);
  // The first matrix of the page is outside of every `q`.
  return [
    'q',
    ...graphics,
    'Q',
    ...inReadingOrder(children).flatMap((unit) => drawUnit(unit, space)),
    '',
  ].join('\n');
}

/** The bytes of a stream, as text of one byte a letter. */
function contentOf(object: string): string {
  const head = streamPattern.exec(object)?.[0] ?? '';
  const stream = Buffer.from(object.slice(head.length, object.lastIndexOf('endstream')), 'latin1');
  return (/\/FlateDecode/.test(head) ? inflateSync(stream) : stream).toString('latin1');
}

/** A space of one of the fonts, which map their glyphs to letters. Throws an Error without one. */
function findSpace(source: string, objectOf: (number: string) => string): Space {
  for (const [, font = '', number = ''] of source.matchAll(/(\/F\d+) (\d+) 0 R/g)) {
    const letters = /\/ToUnicode (\d+) 0 R/.exec(objectOf(number))?.[1];
    const code = letters && /<([0-9a-f]{4})> <0020>/i.exec(contentOf(objectOf(letters)))?.[1];
    if (code) return { font, code };
  }
  throw new Error('The PDF has no font with a space');
}

const streamPattern = /^(\d+ 0 obj\s*<<[\s\S]*?)\/Length \d+([\s\S]*?>>\s*stream\r?\n)/;

/**
 * A PDF of Typst whose template began with `markingRules`, in reading order. `words` are those of
 * `wordsOf`. The same input has the same bytes. Throws an Error for a PDF of another shape.
 */
export function putInReadingOrder(pdf: Buffer, words: readonly string[]): Buffer {
  const source = pdf.toString('latin1');
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(source)?.[1]);
  const [header, count] = /^xref\s+0 (\d+)\s+/.exec(source.slice(start, start + 40)) ?? [];
  if (!header) throw new Error('The PDF has no table of offsets that can be read');
  const trailer = source.slice(source.indexOf('trailer', start), source.lastIndexOf('startxref'));
  const pages = new Set([...source.matchAll(/\/Contents (\d+) 0 R/g)].map((found) => found[1]));
  const entries = Array.from({ length: Number(count) }, (_, number) => {
    const entry = source.substr(start + header.length + number * 20, 20);
    return { number, offset: Number(entry.slice(0, 10)), isUsed: entry[17] === 'n', entry };
  });
  const used = entries.filter(({ isUsed }) => isUsed).toSorted((a, b) => a.offset - b.offset);
  const objectOf = (number: string): string => {
    const index = used.findIndex((entry) => String(entry.number) === number);
    return source.slice(used[index]?.offset ?? start, used[index + 1]?.offset ?? start);
  };
  const space = findSpace(source, objectOf);
  let whole = source.slice(0, used[0]?.offset ?? 0);
  const offsets = new Map<number, number>();
  for (const [index, { number, offset }] of used.entries()) {
    const object = source.slice(offset, used[index + 1]?.offset ?? start);
    offsets.set(number, whole.length);
    if (pages.has(String(number)))
      whole += reorderStream(object, (content) => reorderPage(content, words, space));
    else whole += object;
  }
  const table = entries.map(({ number, entry }) => {
    const offset = offsets.get(number);
    return offset === undefined ? entry : `${String(offset).padStart(10, '0')}${entry.slice(10)}`;
  });
  const end = `${trailer}startxref\n${whole.length}\n%%EOF`;
  return Buffer.from(`${whole}${header}${table.join('')}${end}`, 'latin1');
}

function reorderStream(object: string, reorder: (content: string) => string): string {
  const found = streamPattern.exec(object);
  const end = object.lastIndexOf('endstream');
  if (!found || end < 0) throw new Error('The PDF has a page that cannot be read');
  const [head, before = '', after = ''] = found;
  const content = contentOf(object);
  const made = deflateSync(Buffer.from(reorder(content), 'latin1'));
  const filter = /\/FlateDecode/.test(head) ? '' : '/Filter /FlateDecode ';
  return `${before}${filter}/Length ${made.length}${after}${made.toString('latin1')}\n${object.slice(end)}`;
}
