import { constants, inflateRawSync } from 'node:zlib';
import {
  decodePDFRawStream,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFObjectParser,
  PDFRawStream,
  PDFRef,
  type PDFObject,
} from 'pdf-lib';
import type { findingNames } from '@diwan/contract/wire/uploads';
import {
  fileIdOf,
  findStreamDecryption,
  type ObjectId,
  type StreamDecryption,
} from './pdf-encryption.ts';

/** Active or hidden content of a PDF that staff should know of. */
export type PdfFinding = (typeof findingNames)[number];

// Names that stand for active content, wherever they are. XFA forms consist of scripts; a 3D view
// starts the script of OnInstantiate. Source: ISO 32000-1, 12.6.4, 12.7.5, 12.7.8, 13.6.
const findingsByName: ReadonlyMap<string, PdfFinding> = new Map([
  ['Encrypt', 'encrypted'],
  ['JavaScript', 'script'],
  ['JS', 'script'],
  ['XFA', 'script'],
  ['OnInstantiate', 'script'],
  ['Launch', 'launch'],
  ['SubmitForm', 'launch'],
  ['ImportData', 'launch'],
  ['RichMedia', 'launch'],
  ['RichMediaExecute', 'launch'],
  ['GoToE', 'launch'],
  ['EmbeddedFile', 'embedded'],
  ['EmbeddedFiles', 'embedded'],
  ['EF', 'embedded'],
]);

// Actions that open an address or another file. Links have them too, so that only those are findings
// that run without a click. Source: ISO 32000-1, 12.6.2, 12.6.3.
const outwardActions = ['URI', 'GoToR'];
const automaticKeys: ReadonlySet<string> = new Set(
  'OpenAction Next O C PO PC PV PI E X Fo Bl WC WS DS WP DP'.split(' '),
);

// A small file can inflate to a very large one.
const maximumFilters = 4;
const maximumStreamBytes = 16 * 1024 * 1024;
const maximumInflatedTotal = 128 * 1024 * 1024;

type Entries = ReadonlyMap<string, PDFObject>;

/** A dictionary that a stream follows: its entries, and where the content of the stream begins. */
interface StreamStart {
  entries: Entries;
  at: number;
}

const codesOf = (text: string) => [...Buffer.from(text)];
const streamKeyword = codesOf('stream');
const [lineFeed, carriageReturn] = codesOf('\n\r');
const [lessThan, leftBracket, slash] = codesOf('<[/');
const greaterThan = codesOf('>')[0];

// A letter of a name may be written as its code: /J#61vaScript. Source: ISO 32000-1, 7.3.5.
const decodeName = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * Hears of every name, of every dictionary of a file's structure, of every value that is an action
 * which runs by itself, and of every stream.
 */
interface Listener {
  name(name: string): void;
  automaticAction(value: PDFObject): void;
  trailer(entries: Entries): void;
  stream(start: StreamStart): void;
}

/**
 * Parses objects and reports every name and every stream. The content of a stream is not read. A key
 * that a dictionary repeats is reported twice: readers differ in which one they use.
 */
class ReportingParser extends PDFObjectParser {
  readonly #source: Buffer;
  readonly #listener: Listener;
  #lastName = '';

  constructor(source: Buffer, listener: Listener, context: PDFContext) {
    super(PDFObjectParser.forBytes(source, context)['bytes'], context);
    this.#source = source;
    this.#listener = listener;
  }

  /** Parses the dictionary, the array or the name at a position; any other object holds no names. */
  parseAt(position: number): PDFObject | undefined {
    this.bytes.moveTo(position);
    this.skipWhitespaceAndComments();
    if (this.bytes.done()) return undefined;
    const first = this.bytes.peek();
    const isDictionary = first === lessThan && this.bytes.peekAhead(1) === lessThan;
    const isRead = isDictionary || first === leftBracket || first === slash;
    return isRead ? this.parseObject() : undefined;
  }

  /** The pairs of numbers and positions with which an object stream begins. */
  parsePositions(count: number, first: number): { number: number; start: number }[] {
    const positions = [];
    this.bytes.moveTo(0);
    this.skipWhitespaceAndComments();
    while (positions.length < count || this.bytes.offset() < first) {
      const number = this.parseRawInt();
      this.skipWhitespaceAndComments();
      positions.push({ number, start: first + this.parseRawInt() });
      this.skipWhitespaceAndComments();
    }
    return positions;
  }

  protected override parseName(): PDFName {
    const start = this.bytes.offset();
    const name = super.parseName();
    this.#lastName = decodeName(this.#source.toString('latin1', start + 1, this.bytes.offset()));
    this.#listener.name(this.#lastName);
    return name;
  }

  // Readers accept numbers such as `--1` and `.`.
  protected override parseRawNumber(): number {
    try {
      return super.parseRawNumber();
    } catch {
      return 0;
    }
  }

  protected override parseDictOrStream(): PDFDict {
    const entries = this.#parseEntries();
    if (entries.has('Root') || entries.has('Encrypt')) this.#listener.trailer(entries);
    this.skipWhitespaceAndComments();
    if (this.matchKeyword(streamKeyword)) {
      if (entries.has('')) throw new Error('a key of the stream is repeated');
      this.#listener.stream({ entries, at: this.#endOfLine() });
    }
    const dictionary = PDFDict.withContext(this.context);
    for (const [key, value] of entries) dictionary.set(PDFName.of(key), value);
    return dictionary;
  }

  // A repeated key is stored under the empty name.
  #parseEntries(): Map<string, PDFObject> {
    const entries = new Map<string, PDFObject>();
    for (const _ of '<<') this.bytes.assertNext(lessThan ?? 0);
    this.skipWhitespaceAndComments();
    while (this.bytes.peek() !== greaterThan) {
      this.parseName();
      const key = this.#lastName;
      const value = this.parseObject();
      if (automaticKeys.has(key)) this.#listener.automaticAction(value);
      entries.set(entries.has(key) ? '' : key, value);
      this.skipWhitespaceAndComments();
    }
    for (const _ of '>>') this.bytes.assertNext(greaterThan ?? 0);
    return entries;
  }

  // Readers skip the rest of the line after the keyword `stream`.
  #endOfLine(): number {
    const source = this.#source;
    let at = this.bytes.offset();
    while (at < source.length && source[at] !== lineFeed && source[at] !== carriageReturn) at += 1;
    return at + (source[at] === carriageReturn && source[at + 1] === lineFeed ? 2 : 1);
  }
}

const nameOf = (value: PDFObject | undefined): string =>
  value instanceof PDFName ? decodeName(value.asString().slice(1)) : '';
const numberOf = (value: PDFObject | undefined): number => {
  const number = value instanceof PDFNumber ? value.asNumber() : -1;
  if (!Number.isInteger(number) || number < 0)
    throw new Error('an object stream without its numbers');
  return number;
};
const isOutward = (value: PDFObject | undefined): boolean =>
  value instanceof PDFDict &&
  value
    .entries()
    .some(
      ([key, type]) => ['S', ''].includes(nameOf(key)) && outwardActions.includes(nameOf(type)),
    );
const isNull = (value: PDFObject | undefined): boolean =>
  value === undefined ||
  value === PDFNull ||
  (value instanceof PDFArray && value.asArray().every(isNull));

const filterNames: Readonly<Record<string, string>> = {
  Fl: 'FlateDecode',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
};

// Object streams with predictors or with content in another file are not known from any program.
function filtersOf(entries: StreamStart['entries']): string[] {
  if (['DecodeParms', 'DP'].some((key) => !isNull(entries.get(key))) || entries.has('F'))
    throw new Error('an object stream with unusual filters');
  const value = entries.get('Filter');
  if (isNull(value)) return [];
  const filters = value instanceof PDFArray ? value.asArray() : [value];
  if (filters.length > maximumFilters) throw new Error('too many filters');
  return filters.map(nameOf).map((name) => filterNames[name] ?? name);
}

/**
 * Decodes the content that begins a buffer, and ignores what follows it. Throws for content that is
 * not of this filter or becomes too large.
 */
function decode(content: Buffer, filter: string, context: PDFContext): Buffer {
  if (filter === 'FlateDecode')
    // Without the header and the checksum, which readers do not verify either.
    return inflateRawSync(content.subarray(2), {
      maxOutputLength: maximumStreamBytes,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  const dictionary = PDFDict.withContext(context);
  dictionary.set(PDFName.of('Filter'), PDFName.of(filter));
  const decoded = decodePDFRawStream(PDFRawStream.of(dictionary, content)).getBytes(
    maximumStreamBytes + 1,
  );
  if (decoded.length > maximumStreamBytes) throw new Error('an object stream is too large');
  return Buffer.from(decoded.buffer, decoded.byteOffset, decoded.length);
}

// Every object of a file follows the word `obj`, or `trailer`, or lies in an object stream. The
// positions of the file's own table are not used: it may point into the content of other objects.
function* objectPositions(file: Buffer): Generator<number> {
  for (const keyword of ['obj', 'trailer'])
    for (let at = file.indexOf(keyword); at !== -1; at = file.indexOf(keyword, at + 1))
      // Not `endobj`.
      if (/[\d\s\0]/.test(String.fromCharCode(file[at - 1] ?? 0))) yield at + keyword.length;
}

/** The numbers before the keyword `obj` that ends at a position. */
function findObjectId(file: Buffer, position: number): ObjectId | undefined {
  const before = file.toString('latin1', Math.max(0, position - 64), position);
  const [, number, generation] = /(?:^|\D)(\d{1,10})[\s\0]+(\d{1,5})[\s\0]*obj$/.exec(before) ?? [];
  return number === undefined
    ? undefined
    : { number: Number(number), generation: Number(generation) };
}

const entriesOf = (dictionary: PDFDict): Entries =>
  new Map(dictionary.entries().map(([key, value]) => [decodeName(key.asString().slice(1)), value]));

/**
 * How to decrypt a file that opens without a password. Every trailer must name the same encryption:
 * else programs differ in how they read the file.
 */
function findDecryption(
  file: Buffer,
  trailers: readonly Entries[],
  parser: ReportingParser,
): StreamDecryption | undefined {
  const [first] = trailers;
  const fileId = fileIdOf(first?.get('ID'));
  const named = first?.get('Encrypt');
  const isClear = trailers.every(
    (trailer) =>
      trailer.has('Root') &&
      !trailer.has('') &&
      trailer.get('Encrypt') === named &&
      fileIdOf(trailer.get('ID')).equals(fileId),
  );
  // guard: trailers of an encrypted PDF
  if (!isClear) return undefined;
  if (!(named instanceof PDFRef))
    return named instanceof PDFDict
      ? findStreamDecryption({ entries: entriesOf(named), fileId })
      : undefined;
  const positions = [...objectPositions(file)].filter(
    (position) => findObjectId(file, position)?.number === named.objectNumber,
  );
  const found = positions.length === 1 ? parser.parseAt(positions[0] ?? 0) : undefined;
  return found instanceof PDFDict
    ? findStreamDecryption({ entries: entriesOf(found), fileId })
    : undefined;
}

const endOfStream = Buffer.from('endstream');

/**
 * The content of a stream and what follows it; without what follows where the length is certain, so
 * that it is not decrypted for nothing.
 */
function contentOf(file: Buffer, { entries, at }: StreamStart): Buffer {
  const length = entries.get('Length');
  const end = length instanceof PDFNumber ? at + length.asNumber() : -1;
  const isCertain = end >= at && file.subarray(end, end + 12).includes(endOfStream);
  return file.subarray(at, isCertain ? end : at + maximumStreamBytes);
}

/** An object stream with the numbers of its object. */
type ObjectStream = StreamStart & { id: ObjectId | undefined };

function decryptStream(file: Buffer, stream: ObjectStream, decrypt: StreamDecryption): Buffer {
  if (!stream.id) throw new Error('an encrypted stream without its numbers');
  return decrypt(contentOf(file, stream), stream.id);
}

/** Finds actions that run by themselves and open an address or another file. */
function createActionSearch() {
  let isFound = false;
  const automatic = new Set<number>();
  const outward = new Set<number>();
  const note = (value: PDFObject): void => {
    if (value instanceof PDFRef) automatic.add(value.objectNumber);
    else if (value instanceof PDFArray) value.asArray().forEach(note);
    else if (isOutward(value)) isFound = true;
  };
  return {
    note,
    /** Hears of each whole object. An object without its number may have any. */
    object(value: PDFObject | undefined, number: number | undefined): void {
      if (isOutward(value)) outward.add(number ?? -1);
    },
    isFound: () =>
      isFound ||
      [...automatic].some((number) => outward.has(number)) ||
      (outward.has(-1) && automatic.size > 0),
  };
}

/**
 * The findings of a whole PDF. One that opens without a password is decrypted: names are never
 * encrypted, but object streams are. Throws when an object or an object stream cannot be read:
 * another program might read it. Source: ISO 32000-1, 7.3 and 7.5.
 */
export function findPdfFindings(file: Buffer): PdfFinding[] {
  const found = new Set<PdfFinding>();
  const trailers: Entries[] = [];
  const objectStreams: ObjectStream[] = [];
  const context = PDFContext.create();
  const actions = createActionSearch();
  let position = 0;
  const listener: Listener = {
    automaticAction: actions.note,
    name(name) {
      const finding = findingsByName.get(name);
      if (finding) found.add(finding);
    },
    trailer: (entries) => void trailers.push(entries),
    stream(start) {
      // Some readers do not ask for the type of an object stream.
      if (start.entries.has('First') || nameOf(start.entries.get('Type')) === 'ObjStm')
        objectStreams.push({ ...start, id: findObjectId(file, position) });
    },
  };
  const parser = new ReportingParser(file, listener, context);
  for (position of objectPositions(file)) {
    const object = parser.parseAt(position);
    if (isOutward(object)) actions.object(object, findObjectId(file, position)?.number);
  }
  const decrypt = found.has('encrypted') ? findDecryption(file, trailers, parser) : undefined;
  // The content of an encrypted file cannot be read without its password.
  if (found.has('encrypted') && !decrypt) return [...found];
  found.delete('encrypted');
  let total = 0;
  // A stream in an object stream would be none to any reader.
  for (const stream of objectStreams.splice(0)) {
    const { entries, at } = stream;
    let content = decrypt ? decryptStream(file, stream, decrypt) : file.subarray(at);
    for (const filter of filtersOf(entries)) content = decode(content, filter, context);
    if (content.buffer !== file.buffer) total += content.length;
    if (total > maximumInflatedTotal) throw new Error('the object streams are too large');
    const inner = new ReportingParser(content, listener, context);
    for (const { number, start } of inner.parsePositions(
      numberOf(entries.get('N')),
      numberOf(entries.get('First')),
    ))
      actions.object(inner.parseAt(start), number);
  }
  // guard: address that a PDF opens by itself
  if (actions.isFound()) found.add('launch');
  return [...found];
}
