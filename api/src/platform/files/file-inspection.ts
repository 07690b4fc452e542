import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromBuffer } from 'file-type';
import { Refusal } from '../core/refusals.ts';
import { inspectPdfContent } from './pdf/inspect-pdf.ts';
import type { PdfFinding } from './pdf/pdf-findings.ts';
import type { ByteRange } from './stores/file-store.ts';

/** Content to inspect. Any range can be read; only a PDF is read into memory as a whole. */
interface FileContent {
  /** Bytes. */
  size: number;
  read(range: ByteRange): Promise<Readable>;
  /** The bytes from `start` up to `end` (not included), as far as they exist. */
  slice(start: number, end: number): Promise<Buffer>;
}

/** The settings DOCUMENT_MEGAPIXELS and DOCUMENT_REFUSED. */
export interface InspectionRules {
  megapixels: number;
  refused: readonly PdfFinding[];
}

/** The media type of inspected content, and the findings that the settings accept. */
export interface FileInspection {
  mediaType: string;
  findings: PdfFinding[];
}

/** Content of `size` bytes that `read` reads by ranges. */
export function openFileContent(
  size: number,
  read: (range: ByteRange) => Promise<Readable>,
): FileContent {
  return {
    size,
    read,
    async slice(start, end) {
      const [from, to] = [Math.max(0, start), Math.min(end, size)];
      return to > from ? buffer(await read({ start: from, end: to - 1 })) : Buffer.alloc(0);
    },
  };
}

// A picture of a few kilobytes can declare a size that fills the memory of the program that opens it.
function checkPixels(width: number, height: number, { megapixels }: InspectionRules): void {
  if (width === 0 || height === 0) throw new Refusal('AttachmentDamaged');
  if (width * height > megapixels * 1_000_000)
    throw new Refusal('AttachmentPictureTooLarge', { maximum: megapixels });
}

const pngEnd = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const animation = Buffer.from('acTL');

// A PNG begins with its header and ends with its last chunk. Source: W3C PNG, 5.6.
async function inspectPng(content: FileContent, rules: InspectionRules): Promise<PdfFinding[]> {
  const head = await content.slice(0, 64);
  if (
    head.length < 33 ||
    head.readUInt32BE(8) !== 13 ||
    head.toString('latin1', 12, 16) !== 'IHDR' ||
    head.includes(animation)
  )
    throw new Refusal('AttachmentDamaged');
  checkPixels(head.readUInt32BE(16), head.readUInt32BE(20), rules);
  if (!(await content.slice(content.size - pngEnd.length, content.size)).equals(pngEnd))
    throw new Refusal('AttachmentDamaged');
  return [];
}

const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
// Profiles and previews may be long, but a picture never takes a thousand segments. Cameras and
// programs write at most some tens of scans; each one takes a pass over the whole picture.
const maximumSegments = 1000;
const maximumScans = 100;
const [startOfScan, endOfImage] = [0xda, 0xd9];

/** The frames and scans of a JPEG up to its end. Frames have their first nine bytes. */
async function* readJpegSegments(
  content: FileContent,
): AsyncGenerator<{ marker: number; bytes: Buffer }> {
  let [skip, rest, isPicture] = [2, Buffer.alloc(0), false];
  for await (const piece of await content.read({ start: 0, end: content.size - 1 })) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    let at = Math.min(skip, bytes.length);
    skip -= at;
    while (at + 9 <= bytes.length) {
      // The bytes of a picture follow its scan without a length.
      const next = isPicture ? bytes.indexOf(0xff, at) : at;
      if (next !== at) {
        at = next < 0 ? bytes.length : next;
        continue;
      }
      const marker = bytes[at + 1] ?? 0;
      if (bytes[at] !== 0xff || marker === endOfImage) return;
      if (marker === 0xff) at += 1;
      else if (hasNoLength(marker) || (marker === 0 && isPicture)) at += 2;
      else {
        yield { marker, bytes: bytes.subarray(at, at + 9) };
        isPicture = marker === startOfScan;
        const length = 2 + bytes.readUInt16BE(at + 2);
        skip = Math.max(0, at + length - bytes.length);
        at = Math.min(at + length, bytes.length);
      }
    }
    rest = bytes.subarray(at);
  }
}

async function checkJpegSegments(content: FileContent, rules: InspectionRules): Promise<void> {
  let [segments, scans, hasFrame] = [0, 0, false];
  for await (const { marker, bytes } of readJpegSegments(content)) {
    segments += 1;
    if (marker === startOfScan) scans += 1;
    // guard: scans of a picture
    if (scans > maximumScans) throw new Refusal('AttachmentDamaged');
    if (segments > maximumSegments || (!hasFrame && marker === startOfScan)) break;
    if (!isFrame(marker)) continue;
    checkPixels(bytes.readUInt16BE(7), bytes.readUInt16BE(5), rules);
    hasFrame = true;
  }
  if (!hasFrame || segments > maximumSegments) throw new Refusal('AttachmentDamaged');
}

// A JPEG declares its size before the picture and ends with an end marker. Samsung cameras add a
// proprietary trailer (`SEFT`) after it. Source: ITU T.81, B.1.
async function inspectJpeg(content: FileContent, rules: InspectionRules): Promise<PdfFinding[]> {
  await checkJpegSegments(content, rules);
  const tail = await content.slice(content.size - 4096, content.size);
  let end = tail.length;
  while (end > 0 && tail[end - 1] === 0) end -= 1;
  const hasEndMarker = end > 1 && tail[end - 2] === 0xff && tail[end - 1] === 0xd9;
  if (!hasEndMarker && tail.toString('latin1', end - 4, end) !== 'SEFT')
    throw new Refusal('AttachmentDamaged');
  return [];
}

const findingRefusals = {
  encrypted: 'AttachmentEncrypted',
  script: 'AttachmentActive',
  launch: 'AttachmentActive',
  embedded: 'AttachmentHoldsFiles',
} as const;
// A whole PDF begins with its version and ends with `%%EOF`, so that nothing precedes or follows it.
async function checkPdfEnds(content: FileContent): Promise<void> {
  const head = await content.slice(0, 8);
  const tail = (await content.slice(content.size - 2048, content.size)).toString('latin1');
  const isWhole = /^%PDF-[12]\.\d/.test(head.toString('latin1')) && /%%EOF[\s\0]*$/.test(tail);
  if (!isWhole) throw new Refusal('AttachmentDamaged');
}

async function readWhole(content: FileContent): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(content.size);
  let at = 0;
  for await (const chunk of await content.read({ start: 0, end: content.size - 1 })) {
    bytes.set(chunk as Buffer, at);
    at += (chunk as Buffer).length;
  }
  return bytes;
}

async function inspectPdf(content: FileContent, rules: InspectionRules): Promise<PdfFinding[]> {
  await checkPdfEnds(content);
  const findings = await inspectPdfContent(await readWhole(content));
  if (!findings) throw new Refusal('AttachmentDamaged');
  const refused = rules.refused.find((finding) => findings.includes(finding));
  // guard: forbidden content of a PDF
  if (refused) throw new Refusal(findingRefusals[refused]);
  return findings;
}

// Programs look for the end record of a ZIP archive from the end of the file: 22 bytes and a comment
// of at most 65 535 bytes.
const zipEnd = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const webPage = /<(?:!doctype|html|script|body|svg)\b/i;

// Some content is valid in a second type, which another program may open instead.
async function refuseSecondType(
  content: FileContent,
  mediaType: string,
  head: Buffer,
): Promise<void> {
  if ((await content.slice(content.size - 65_600, content.size)).includes(zipEnd))
    throw new Refusal('AttachmentDamaged');
  const start = head.subarray(0, 1024).toString('latin1');
  if (webPage.test(start) || (mediaType !== 'application/pdf' && start.includes('%PDF-')))
    throw new Refusal('AttachmentDamaged');
}

const inspectors: Record<
  string,
  (content: FileContent, rules: InspectionRules) => Promise<PdfFinding[]>
> = { 'application/pdf': inspectPdf, 'image/jpeg': inspectJpeg, 'image/png': inspectPng };

const typeNames: Partial<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/jpeg': 'JPG',
  'image/png': 'PNG',
};

// Who sends another type has chosen a file under a wrong name, and sees no reason for a refusal.
function refuseType(mediaType: string | undefined): never {
  if (mediaType?.startsWith('image/hei')) throw new Refusal('AttachmentHeic');
  const type = typeNames[mediaType ?? ''];
  throw type === undefined
    ? new Refusal('AttachmentTypeNotAccepted')
    : new Refusal('AttachmentOtherType', { type });
}

/**
 * Inspects content independently of its file name. Throws AttachmentTypeNotAccepted for a type that
 * is not in `accepted`, AttachmentOtherType for such a PDF, JPEG or PNG, and AttachmentHeic for
 * pictures of Apple's phones; AttachmentDamaged for a file that is incomplete or holds a second type;
 * AttachmentPictureTooLarge; and for a PDF AttachmentEncrypted, AttachmentActive and
 * AttachmentHoldsFiles, as far as the rules refuse these findings.
 */
export async function inspectFile(
  content: FileContent,
  accepted: readonly string[],
  rules: InspectionRules,
): Promise<FileInspection> {
  const head = await content.slice(0, 4100);
  const mediaType = (await fileTypeFromBuffer(head))?.mime;
  if (mediaType === undefined || !accepted.includes(mediaType)) return refuseType(mediaType);
  await refuseSecondType(content, mediaType, head);
  return { mediaType, findings: (await inspectors[mediaType]?.(content, rules)) ?? [] };
}
