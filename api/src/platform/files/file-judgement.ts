import { fileTypeFromBuffer } from 'file-type';
import type { JudgedContent, JudgementRules, PdfFinding } from './judged-content.ts';
import { judgeJpeg, judgePng } from './picture-judgement.ts';
import { judgePdf } from './pdf-judgement.ts';
import { Refusal } from '../core/refusals.ts';

/** What content is: a media type, and what was found in it that is taken all the same. */
export interface Judgement {
  mediaType: string;
  findings: PdfFinding[];
}

// The end of a ZIP archive, which programs look for from the end: 22 bytes and a comment of 65 535
// at most.
const zipEnd = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const page = /<(?:!doctype|html|script|body|svg)\b/i;

// Content that is one thing to us and another thing to the program that opens it.
async function refuseSecondNature(
  content: JudgedContent,
  mediaType: string,
  head: Buffer,
): Promise<void> {
  if ((await content.slice(content.size - 65_600, content.size)).includes(zipEnd))
    throw new Refusal('AttachmentDamaged');
  const start = head.subarray(0, 1024).toString('latin1');
  if (page.test(start) || (mediaType !== 'application/pdf' && start.includes('%PDF-')))
    throw new Refusal('AttachmentDamaged');
}

const judges: Record<
  string,
  (content: JudgedContent, rules: JudgementRules) => Promise<PdfFinding[]>
> = { 'application/pdf': judgePdf, 'image/jpeg': judgeJpeg, 'image/png': judgePng };

/**
 * Judges content by itself, whatever its name says. Refuses: AttachmentTypeNotAccepted (not one of
 * `accepted`), AttachmentDamaged (no whole file
 * of its type, or a second thing in it), AttachmentPictureTooLarge, AttachmentEncrypted,
 * AttachmentActive, AttachmentHoldsFiles.
 */
export async function judge(
  content: JudgedContent,
  accepted: readonly string[],
  rules: JudgementRules,
): Promise<Judgement> {
  const head = await content.slice(0, 4100);
  const mediaType = (await fileTypeFromBuffer(head))?.mime;
  if (mediaType === undefined || !accepted.includes(mediaType))
    throw new Refusal('AttachmentTypeNotAccepted');
  await refuseSecondNature(content, mediaType, head);
  return { mediaType, findings: (await judges[mediaType]?.(content, rules)) ?? [] };
}
