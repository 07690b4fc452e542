import type { JudgedContent, JudgementRules, PdfFinding } from './judged-content.ts';
import { Refusal } from '../core/refusals.ts';

// A few kilobytes can announce a picture that fills the memory of whoever opens it.
function checkPixels(width: number, height: number, { megapixels }: JudgementRules): void {
  if (width === 0 || height === 0) throw new Refusal('AttachmentDamaged');
  if (width * height > megapixels * 1_000_000)
    throw new Refusal('AttachmentPictureTooLarge', { maximum: megapixels });
}

const pngEnd = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const animation = Buffer.from('acTL');

/**
 * A PNG begins with its header and ends with its last chunk. Source: W3C PNG, 5.6. Refuses
 * AttachmentDamaged and AttachmentPictureTooLarge.
 */
export async function judgePng(
  content: JudgedContent,
  rules: JudgementRules,
): Promise<PdfFinding[]> {
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
// The marks before the picture: profiles and previews may be long, but nobody's are a thousand.
const mostSegments = 1000;

async function checkFrame(content: JudgedContent, rules: JudgementRules): Promise<void> {
  let at = 2;
  for (let segment = 0; segment < mostSegments; segment += 1) {
    const bytes = await content.slice(at, at + 9);
    const marker = bytes[1] ?? 0;
    if (bytes.length < 4 || bytes[0] !== 0xff || marker === 0xda || marker === 0xd9) break;
    if (marker === 0xff) at += 1;
    else if (hasNoLength(marker)) at += 2;
    else if (isFrame(marker) && bytes.length === 9)
      return checkPixels(bytes.readUInt16BE(7), bytes.readUInt16BE(5), rules);
    else at += 2 + bytes.readUInt16BE(2);
  }
  throw new Refusal('AttachmentDamaged');
}

/**
 * A JPEG announces its size before its picture and ends with its end mark, after which cameras of
 * one maker write a note of their own (`SEFT`). Source: ITU T.81, B.1.
 */
export async function judgeJpeg(
  content: JudgedContent,
  rules: JudgementRules,
): Promise<PdfFinding[]> {
  await checkFrame(content, rules);
  const tail = await content.slice(content.size - 4096, content.size);
  let end = tail.length;
  while (end > 0 && tail[end - 1] === 0) end -= 1;
  const isEnded = end > 1 && tail[end - 2] === 0xff && tail[end - 1] === 0xd9;
  if (!isEnded && tail.toString('latin1', end - 4, end) !== 'SEFT')
    throw new Refusal('AttachmentDamaged');
  return [];
}
