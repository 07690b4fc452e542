import { crc32, inflateSync } from 'node:zlib';
import { LogoProblem } from './logo-problem.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What the picture consists of. Texts, times, profiles and unknown parts are left out. */
const keptChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const minimumSide = 16;
const maximumSide = 1024;

// The samples of a pixel by colour type, and the allowed bits of a sample.
const colourTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

function readChunks(source: Buffer): { type: string; whole: Buffer; data: Buffer }[] {
  const chunks = [];
  let at = signature.length;
  for (;;) {
    if (at + 12 > source.length) throw new LogoProblem('damaged');
    const length = source.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > source.length) throw new LogoProblem('damaged');
    const whole = source.subarray(at, end);
    const body = whole.subarray(4, 8 + length);
    if (crc32(body) !== source.readUInt32BE(end - 4)) throw new LogoProblem('damaged');
    const type = body.toString('latin1', 0, 4);
    chunks.push({ type, whole, data: body.subarray(4) });
    if (type === 'IEND') return chunks;
    at = end;
  }
}

// The bytes of the picture before compression: rows of samples, each with the byte of its filter.
function expectedBytes(header: Buffer): number {
  if (header.length !== 13) throw new LogoProblem('damaged');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8);
  const kind = colourTypes[colour];
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0)
    throw new LogoProblem('damaged');
  // Interlaced pictures store seven smaller ones; a logo needs none.
  if (interlace !== 0) throw new LogoProblem('notAllowed', 'interlace');
  if (Math.min(width, height) < minimumSide || Math.max(width, height) > maximumSide)
    throw new LogoProblem('size');
  return height * (1 + Math.ceil((width * kind.samples * depth) / 8));
}

/**
 * Writes a PNG again with its picture only: header, palette, transparency and pixels. Everything
 * else and everything after the end is left out. Throws a `LogoProblem` for wrong checksums, wrong
 * sizes, and pixels that do not fill the picture exactly.
 */
export function makeSafePng(source: Buffer): Buffer {
  if (!source.subarray(0, signature.length).equals(signature)) throw new LogoProblem('notADrawing');
  const chunks = readChunks(source);
  if (chunks[0]?.type !== 'IHDR' || chunks.filter(({ type }) => type === 'IHDR').length !== 1)
    throw new LogoProblem('damaged');
  const expected = expectedBytes(chunks[0].data);
  const pixels = Buffer.concat(
    chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data),
  );
  try {
    // One byte more is allowed, so that too much is noticed without storing it.
    if (inflateSync(pixels, { maxOutputLength: expected + 1 }).length !== expected)
      throw new LogoProblem('damaged');
  } catch {
    throw new LogoProblem('damaged');
  }
  return Buffer.concat([
    signature,
    ...chunks.filter(({ type }) => keptChunks.has(type)).map(({ whole }) => whole),
  ]);
}
