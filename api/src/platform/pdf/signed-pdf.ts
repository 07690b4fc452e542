import { createHash } from 'node:crypto';

/** A PDF with room for a signature: the signed bytes are all but the room. */
interface PreparedPdf {
  /** What is signed: everything before and after the room. */
  signed: Buffer;
  /** The complete PDF with this signature (DER) in its room. */
  withSignature(signature: Buffer): Buffer;
}

interface SignatureField {
  /** The signer's name as readers show it. */
  name: string;
  /** The claimed time, which is a part of the PDF and not of the signature. Source: EN 319 142-1. */
  at: Date;
  /** The longest signature, in bytes. */
  roomBytes: number;
}

const reference = /^(\d+) 0 R/;

/** The objects of a PDF that Typst wrote: one table of offsets and no compressed objects. */
function readObjects(pdf: string) {
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf)?.[1]);
  const trailer = pdf.slice(pdf.lastIndexOf('trailer'));
  const header = /^xref\s+0 \d+\s+/.exec(pdf.slice(table, table + 40))?.[0];
  if (!header) throw new Error('The PDF has no table of offsets that can be read');
  const valueOf = (dictionary: string, key: string): string => {
    const value = new RegExp(`/${key}\\s*([^\\s\\[][^/>]*|\\[[^\\]]*\\])`).exec(dictionary)?.[1];
    if (!value) throw new Error(`The PDF has no ${key}`);
    return value.trim();
  };
  const numberOf = (value: string): number => {
    const number = reference.exec(value)?.[1];
    if (!number) throw new Error(`The PDF has no reference: ${value}`);
    return Number(number);
  };
  return {
    table,
    trailer,
    valueOf,
    numberOf,
    /** The text of a dictionary, from `<<` to `>>`. */
    dictionary(number: number): string {
      const entry = table + header.length + number * 20;
      const start = Number(pdf.slice(entry, entry + 10));
      const end = pdf.indexOf('endobj', start);
      const [head] = new RegExp(`^${number} 0 obj\\s*<<`).exec(pdf.slice(start, start + 40)) ?? [];
      if (!head || end < 0) throw new Error(`The PDF has no object ${number}`);
      return `<<${pdf.slice(start + head.length, end).trimEnd()}`;
    },
  };
}

const withEntry = (dictionary: string, entry: string): string =>
  `<<${entry}\n${dictionary.slice(2)}`;
const hex = (text: string): string =>
  `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const moment = (at: Date): string => `(D:${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z)`;

/**
 * Adds a signature field without a picture and room for its signature to a PDF of Typst, after its
 * last byte: PDF/A stays PDF/A. The same input has the same bytes. Source: ISO 32000-1, 7.5.6 and
 * 12.8; EN 319 142-1, 5.3 (PAdES baseline).
 */
export function prepareSignature(pdf: Buffer, field: SignatureField): PreparedPdf {
  const { roomBytes } = field;
  const original = pdf.toString('latin1');
  const { table, trailer, valueOf, numberOf, dictionary } = readObjects(original);
  const size = Number(valueOf(trailer, 'Size'));
  const [root, info] = ['Root', 'Info'].map((key) => numberOf(valueOf(trailer, key)));
  if (root === undefined || info === undefined) throw new Error('The PDF has no catalog');
  const catalog = dictionary(root);
  const pages = dictionary(numberOf(valueOf(catalog, 'Pages')));
  const page = numberOf(valueOf(pages, 'Kids').slice(1).trim());
  const [signature, widget] = [size, size + 1];
  const name = hex(field.name);
  const pageWithoutNotes = dictionary(page).replace(/\/Annots\s*\[\s*\]/, '');
  if (pageWithoutNotes.includes('/Annots') || catalog.includes('/AcroForm'))
    throw new Error('The PDF has annotations or forms');
  const changed = new Map<number, string>([
    [page, withEntry(pageWithoutNotes, `/Annots [${widget} 0 R]`)],
    [root, withEntry(catalog, `/AcroForm << /Fields [${widget} 0 R] /SigFlags 3 >>`)],
    [
      signature,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Name ${name} ` +
        `/M ${moment(field.at)} /ByteRange [${' '.repeat(44)}] ` +
        `/Contents <${'0'.repeat(roomBytes * 2)}> >>`,
    ],
    [
      widget,
      `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Seal) /F 132 /Rect [0 0 0 0] ` +
        `/P ${page} 0 R /V ${signature} 0 R >>`,
    ],
  ]);
  let added = original.endsWith('\n') ? '' : '\n';
  const offsets = new Map<number, number>();
  for (const [number, text] of changed) {
    offsets.set(number, original.length + added.length);
    added += `${number} 0 obj\n${text}\nendobj\n`;
  }
  const entries = [...offsets]
    .toSorted(([a], [b]) => a - b)
    .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
  const id = createHash('sha256').update(pdf).update(added).digest('hex').slice(0, 32);
  const firstId = /\/ID\s*\[\s*(\([^)]*\)|<[^>]*>)/.exec(trailer)?.[1] ?? `<${id}>`;
  const start = original.length + added.length;
  added +=
    `xref\n${entries.join('')}trailer\n<< /Size ${size + 2} /Root ${root} 0 R /Info ${info} 0 R ` +
    `/ID [${firstId} <${id}>] /Prev ${table} >>\nstartxref\n${start}\n%%EOF\n`;
  const whole = Buffer.from(original + added, 'latin1');
  const roomStart = whole.indexOf('/Contents <', offsets.get(signature)) + '/Contents '.length;
  const roomEnd = roomStart + roomBytes * 2 + 2;
  const range = `0 ${roomStart} ${roomEnd} ${whole.length - roomEnd}`.padEnd(44, ' ');
  whole.write(range, whole.indexOf('/ByteRange [', offsets.get(signature)) + 12, 'latin1');
  return {
    signed: Buffer.concat([whole.subarray(0, roomStart), whole.subarray(roomEnd)]),
    withSignature(made) {
      if (made.length > roomBytes) throw new Error('The signature is too long for its room');
      const complete = Buffer.from(whole);
      complete.write(made.toString('hex'), roomStart + 1, 'latin1');
      return complete;
    },
  };
}

/** The last signature of a PDF with the bytes that it must cover: all of the file but itself. */
interface FoundSignature {
  signature: Buffer;
  signed: Buffer;
  /** False where something comes after the signed bytes, or is hidden in the signature's room. */
  coversFile: boolean;
}

/** Finds the last signature of a PDF; undefined where it has none. Reads hostile files too. */
export function findSignature(pdf: Buffer): FoundSignature | undefined {
  const place = pdf.lastIndexOf('/ByteRange');
  if (place < 0) return undefined;
  const text = pdf.toString('latin1', place, place + 120);
  const range = /^\/ByteRange\s*\[\s*(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s*\]/.exec(text);
  if (!range) return undefined;
  const [start, roomStart, roomEnd, rest] = range.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const room = pdf.toString('latin1', roomStart, roomEnd);
  if (start !== 0 || !/^<(?:[0-9a-f]{2})+>$/i.test(room)) return undefined;
  const bytes = Buffer.from(room.slice(1, -1), 'hex');
  // DER: 30 82, then the length in two bytes.
  const isSequence = bytes.length >= 4 && bytes.readUInt16BE(0) === 0x30_82;
  const length = isSequence ? bytes.readUInt16BE(2) + 4 : 0;
  return {
    signature: bytes.subarray(0, length),
    signed: Buffer.concat([pdf.subarray(0, roomStart), pdf.subarray(roomEnd, roomEnd + rest)]),
    coversFile: roomEnd + rest === pdf.length && bytes.subarray(length).every((byte) => byte === 0),
  };
}
