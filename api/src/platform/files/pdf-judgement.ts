import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';
import type { JudgedContent, JudgementRules, PdfFinding } from './judged-content.ts';
import { Refusal } from '../core/refusals.ts';

const inflateWhole = promisify(inflate);

const refusalOf = {
  encrypted: 'AttachmentEncrypted',
  script: 'AttachmentActive',
  launch: 'AttachmentActive',
  embedded: 'AttachmentHoldsFiles',
} as const;
const marks: readonly [PdfFinding, RegExp][] = [
  ['encrypted', /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/],
  ['script', /\/JavaScript\b/],
  ['launch', /\/S\s*\/Launch\b|\/RichMedia\b/],
  ['embedded', /\/EmbeddedFiles?\b/],
];
// Objects may lie compressed in streams of objects; what these unfold to has a limit, or a small
// file could hold a large one.
const mostStreams = 5000;
const longestStream = 4 * 1024 * 1024;
const longestUnfolded = 16 * 1024 * 1024;
const mostUnfolded = 128 * 1024 * 1024;

// A letter of a name may be written as its number: /J#61vaScript. Source: ISO 32000-1, 7.3.5.
const plainNames = (text: string) =>
  text.includes('#')
    ? text.replace(/#([0-9a-fA-F]{2})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

function note(text: string, found: Set<PdfFinding>): void {
  const plain = plainNames(text);
  for (const [finding, mark] of marks)
    if (!found.has(finding) && mark.test(plain)) found.add(finding);
}

/** Walks through the file in pieces that overlap; answers where streams of objects begin. */
async function walk(content: JudgedContent, found: Set<PdfFinding>): Promise<number[]> {
  const overlap = 80;
  const streams: number[] = [];
  let carried = '';
  let at = 0;
  for await (const chunk of await content.read({ start: 0, end: content.size - 1 })) {
    const piece = carried + (chunk as Buffer).toString('latin1');
    note(piece, found);
    const start = at - carried.length;
    for (const match of piece.matchAll(/\/ObjStm\b/g))
      if (start + match.index > (streams.at(-1) ?? -1)) streams.push(start + match.index);
    if (streams.length > mostStreams) throw new Refusal('AttachmentDamaged');
    at += (chunk as Buffer).length;
    carried = piece.slice(-overlap);
  }
  return streams;
}

// The dictionary may stand before the name by which the stream was found, and after it.
async function unfold(content: JudgedContent, at: number): Promise<Buffer> {
  const bytes = await content.slice(at, at + longestStream);
  const begin = /stream\r?\n/.exec(bytes.toString('latin1', 0, 2048));
  if (!begin) return Buffer.alloc(0);
  const packed = bytes.subarray(begin.index + begin[0].length);
  return inflateWhole(packed, {
    maxOutputLength: longestUnfolded,
    finishFlush: constants.Z_SYNC_FLUSH,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw new Refusal('AttachmentDamaged');
    // Packed in another way, or not at all: then its text was read with the rest.
    return Buffer.alloc(0);
  });
}

async function checkEnds(content: JudgedContent): Promise<void> {
  const head = await content.slice(0, 8);
  const tail = (await content.slice(content.size - 2048, content.size)).toString('latin1');
  const isWhole = /^%PDF-[12]\.\d/.test(head.toString('latin1')) && /%%EOF[\s\0]*$/.test(tail);
  if (!isWhole) throw new Refusal('AttachmentDamaged');
}

/**
 * A PDF begins with its version and ends with `%%EOF`, so that nothing is before or behind it; what
 * is active in it is refused or, where the settings allow it, noted.
 * Source: ISO 32000-1, 7.5. Refuses AttachmentDamaged, AttachmentEncrypted, AttachmentActive,
 * AttachmentHoldsFiles.
 */
export async function judgePdf(
  content: JudgedContent,
  rules: JudgementRules,
): Promise<PdfFinding[]> {
  await checkEnds(content);
  const found = new Set<PdfFinding>();
  const streams = await walk(content, found);
  // What is encrypted cannot be looked into.
  if (!found.has('encrypted')) {
    let unfolded = 0;
    for (const at of streams) {
      const text = await unfold(content, at);
      unfolded += text.length;
      if (unfolded > mostUnfolded) throw new Refusal('AttachmentDamaged');
      note(text.toString('latin1'), found);
    }
  }
  const refused = rules.refused.find((finding) => found.has(finding));
  if (refused) throw new Refusal(refusalOf[refused]);
  return [...found];
}
