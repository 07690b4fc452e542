import { crc32, deflateSync } from 'node:zlib';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The pictures of a PDF in pixels, with the size in which they are shown, in points. */
export async function picturesOf(bytes: Buffer) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pictures: { width: number; height: number; shown: [number, number] }[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    const { fnArray, argsArray } = await (await pdf.getPage(page)).getOperatorList();
    fnArray.forEach((operator, index) => {
      if (operator !== OPS.paintImageXObject) return;
      const [, width, height] = argsArray[index] as [string, number, number];
      const last = fnArray.lastIndexOf(OPS.transform, index);
      const matrix = argsArray[last] as number[];
      const shown: [number, number] = [Math.abs(matrix[0] ?? 0), Math.abs(matrix[3] ?? 0)];
      pictures.push({ width, height, shown });
    });
  }
  await pdf.destroy();
  return pictures;
}

function pngPart(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A black PNG. An upload needs sides of 16 pixels at least. */
export function pngOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngPart('IHDR', head),
    pngPart('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngPart('IEND', Buffer.alloc(0)),
  ]);
}
