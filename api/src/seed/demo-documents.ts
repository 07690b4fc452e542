import { deflateSync } from 'node:zlib';

function crc32(bytes: Buffer): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** A PNG instead of a photo: a head and shoulders in grey, 120 by 160 pixels. */
export function demoPicture(): Buffer {
  const [width, height] = [120, 160];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: width }, (_, x) => {
        const isHead = (x - 60) ** 2 / 26 ** 2 + (y - 62) ** 2 / 34 ** 2 < 1;
        const isBody = (x - 60) ** 2 / 50 ** 2 + (y - 160) ** 2 / 56 ** 2 < 1;
        return isHead || isBody ? 120 : 236;
      }),
    ]),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * A PDF of one page with a title. The title is reduced to ASCII, because the standard fonts have no
 * other characters.
 */
export function demoPdf(title: string): Buffer {
  const asciiTitle = title.replace(/[^\x20-\x7e]|[()\\]/g, '');
  const text = [
    `BT /F1 22 Tf 60 720 Td (${asciiTitle}) Tj`,
    '/F1 12 Tf 0 -32 Td (Demo document of Diwan. It proves nothing.) Tj ET',
  ].join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const crossReferences = `xref\n0 ${size}\n0000000000 65535 f \n${table}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}${crossReferences}${trailer}`);
}
