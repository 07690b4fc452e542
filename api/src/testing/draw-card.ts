import { deflateSync } from 'node:zlib';
import type { GreyPicture } from '../platform/identity-cards/grey-picture.ts';

/**
 * Strokes of the letters of a machine-readable zone, in a box of 6 x 10, close to OCR-B: `M` and `L`
 * are points, `Q` is a curve.
 */
const strokes: Record<string, string> = {
  A: 'M0 10L3 0L6 10M1.1 6.8L4.9 6.8',
  B: 'M.5 0L.5 10M.5 0L3 0Q5.5 0 5.5 2.4Q5.5 4.8 3 4.8L.5 4.8M3 4.8Q6 4.8 6 7.4Q6 10 3 10L.5 10',
  C: 'M6 1.5Q5 0 3.3 0Q0 0 0 5Q0 10 3.3 10Q5 10 6 8.5',
  D: 'M.5 0L.5 10L2.5 10Q6 10 6 5Q6 0 2.5 0L.5 0',
  E: 'M6 0L.5 0L.5 10L6 10M.5 4.8L5 4.8',
  F: 'M6 0L.5 0L.5 10M.5 4.8L5 4.8',
  G: 'M6 1.5Q5 0 3.3 0Q0 0 0 5Q0 10 3.3 10Q5 10 6 9L6 5.5L3.5 5.5',
  H: 'M.5 0L.5 10M5.5 0L5.5 10M.5 4.8L5.5 4.8',
  I: 'M3 0L3 10M1 0L5 0M1 10L5 10',
  J: 'M2.4 0L5 0L5 7Q5 10 2.5 10Q1 10 .2 8.8',
  K: 'M.5 0L.5 10M6 0L.5 6M2.3 4.2L6 10',
  L: 'M.5 0L.5 10L6 10',
  M: 'M0 10L0 0L3 5.5L6 0L6 10',
  N: 'M.3 10L.3 0L5.7 10L5.7 0',
  O: 'M3 0Q0 0 0 5Q0 10 3 10Q6 10 6 5Q6 0 3 0',
  P: 'M.5 10L.5 0L3 0Q6 0 6 2.8Q6 5.6 3 5.6L.5 5.6',
  Q: 'M3 0Q0 0 0 5Q0 10 3 10Q6 10 6 5Q6 0 3 0M3.8 7L6 10',
  R: 'M.5 10L.5 0L3 0Q6 0 6 2.8Q6 5.6 3 5.6L.5 5.6M3.2 5.6L6 10',
  S: 'M5.7 1.4Q4.8 0 3 0Q.4 0 .4 2.5Q.4 4.6 3 5Q6 5.4 6 7.5Q6 10 3 10Q1 10 0 8.4',
  T: 'M0 0L6 0M3 0L3 10',
  U: 'M.3 0L.3 6.5Q.3 10 3 10Q5.7 10 5.7 6.5L5.7 0',
  V: 'M0 0L3 10L6 0',
  W: 'M0 0L1.4 10L3 3.5L4.6 10L6 0',
  X: 'M0 0L6 10M6 0L0 10',
  Y: 'M0 0L3 5L6 0M3 5L3 10',
  Z: 'M0 0L6 0L0 10L6 10',
  0: 'M3 0Q.6 0 .6 5Q.6 10 3 10Q5.4 10 5.4 5Q5.4 0 3 0',
  1: 'M1 2L3.2 0L3.2 10M1 10L5.4 10',
  2: 'M.5 2Q1 0 3 0Q5.6 0 5.6 2.7Q5.6 4.5 3.5 6.3L.3 10L5.8 10',
  3: 'M.6 0L5.4 0L2.8 4Q5.8 4 5.8 7Q5.8 10 2.8 10Q1 10 .2 8.8',
  4: 'M3 0L0 7.3L6 7.3M4.4 4.6L4.4 10',
  5: 'M5.5 0L1.2 0L.9 4.2L2.6 4.2Q5.8 4.2 5.8 7Q5.8 10 2.8 10Q1 10 .3 9',
  6: 'M4 0Q.2 3.5 .2 7Q.2 10 3 10Q5.8 10 5.8 7Q5.8 4.3 3 4.3Q1 4.3 .4 6',
  7: 'M.2 0L5.8 0Q3 4 2.6 10',
  8: 'M3 0Q.6 0 .6 2.4Q.6 4.7 3 4.7Q5.4 4.7 5.4 2.4Q5.4 0 3 0M3 4.7Q.2 4.7 .2 7.3Q.2 10 3 10Q5.8 10 5.8 7.3Q5.8 4.7 3 4.7',
  9: 'M2 10Q5.8 6.5 5.8 3Q5.8 0 3 0Q.2 0 .2 3Q.2 5.7 3 5.7Q5 5.7 5.6 4',
  '<': 'M5.6 1.2L.6 5L5.6 8.8',
};

type Point = readonly [number, number];

function segmentsOf(path: string): [Point, Point][] {
  const segments: [Point, Point][] = [];
  let at: Point = [0, 0];
  for (const [, command, rest = ''] of path.matchAll(/([MLQ])([^MLQ]+)/g)) {
    const numbers = rest.match(/\d*\.?\d+/g)?.map(Number) ?? [];
    const end: Point = [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0];
    if (command === 'L') segments.push([at, end]);
    if (command === 'Q') {
      const [cx = 0, cy = 0] = numbers;
      const start = at;
      const along = (t: number): Point => [
        (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * cx + t ** 2 * end[0],
        (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * cy + t ** 2 * end[1],
      ];
      for (let step = 0; step < 8; step += 1)
        segments.push([along(step / 8), along((step + 1) / 8)]);
    }
    at = end;
  }
  return segments;
}

function distanceTo([[ax, ay], [bx, by]]: [Point, Point], x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

function drawSegment(
  picture: GreyPicture,
  segment: [Point, Point],
  thickness: number,
  ink: number,
): void {
  const reach = thickness / 2 + 1;
  const [[ax, ay], [bx, by]] = segment;
  for (let y = Math.floor(Math.min(ay, by) - reach); y <= Math.max(ay, by) + reach; y += 1)
    for (let x = Math.floor(Math.min(ax, bx) - reach); x <= Math.max(ax, bx) + reach; x += 1) {
      if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
      const cover = Math.min(1, Math.max(0, thickness / 2 + 0.5 - distanceTo(segment, x, y)));
      const index = y * picture.width + x;
      const before = picture.pixels[index] ?? 0;
      picture.pixels[index] = Math.min(before, before + (ink - before) * cover);
    }
}

function drawText(
  picture: GreyPicture,
  text: string,
  { left, top, height, pitch, ink }: Record<'left' | 'top' | 'height' | 'pitch' | 'ink', number>,
): void {
  const scale = height / 10;
  [...text].forEach((letter, index) => {
    for (const [a, b] of segmentsOf(strokes[letter] ?? ''))
      drawSegment(
        picture,
        [a, b].map(([x, y]): Point => [left + index * pitch + x * scale, top + y * scale]) as [
          Point,
          Point,
        ],
        height * 0.145,
        ink,
      );
  });
}

/** Drawn at 12 pixels a millimetre. */
const dotsPerMm = 12;

/**
 * A synthetic card with the lines of its machine-readable zone: three lines make an identity card,
 * two a passport. The rest is boxes, lines and words that stand for a portrait and a background.
 */
export function drawCard(lines: readonly string[]): GreyPicture {
  const isPassport = lines.length === 2;
  const [widthMm, heightMm] = isPassport ? [125, 88] : [85.6, 54];
  const [width, height] = [Math.round(widthMm * dotsPerMm), Math.round(heightMm * dotsPerMm)];
  const picture: GreyPicture = { width, height, pixels: new Uint8Array(width * height) };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      picture.pixels[y * width + x] = 222 + 12 * Math.sin(x / 23 + 3 * Math.sin(y / 41));
  const pitch = (isPassport ? (widthMm - 13) / 44 : (widthMm - 9) / 30) * dotsPerMm;
  const size = 2.5 * dotsPerMm;
  const gap = (isPassport ? 6.2 : 4.6) * dotsPerMm;
  const zone = height - (isPassport ? 14.5 : 15.5) * dotsPerMm;
  lines.forEach((line, index) =>
    drawText(picture, line, {
      left: (isPassport ? 6.5 : 4.5) * dotsPerMm,
      top: zone + index * gap,
      height: size,
      pitch,
      ink: 35,
    }),
  );
  const words = ['IDENTITY CARD', 'NATIONALITY', 'DATE OF BIRTH', 'EXPIRY DATE', 'SIGNATURE'];
  words.forEach((word, index) =>
    drawText(picture, word, {
      left: width * 0.42,
      top: 4 * dotsPerMm + index * 6 * dotsPerMm,
      height: 1.6 * dotsPerMm,
      pitch: 1.5 * dotsPerMm,
      ink: 90,
    }),
  );
  for (let y = 5 * dotsPerMm; y < zone - 4 * dotsPerMm; y += 1)
    for (let x = 5 * dotsPerMm; x < width * 0.36; x += 1)
      picture.pixels[y * width + x] = 150 - 60 * Math.cos(x / 61) * Math.cos(y / 53);
  return picture;
}

/** How a card is photographed. `turn` and `skew` are degrees, `light` and `contrast` factors. */
export interface Photograph {
  width?: number;
  turn?: 0 | 90 | 180 | 270;
  skew?: number;
  /** The share by which the far side is shorter. */
  perspective?: number;
  light?: number;
  contrast?: number;
  noise?: number;
  blur?: number;
  /** The share of the picture that the card fills. */
  fill?: number;
}

// The same noise for the same card.
function createNoise(): () => number {
  let state = 20_261_123;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
}

function sample({ width, height, pixels }: GreyPicture, x: number, y: number): number | undefined {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return undefined;
  const at = (dx: number, dy: number) => pixels[(top + dy) * width + left + dx] ?? 0;
  const [fx, fy] = [x - left, y - top];
  return (
    (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy
  );
}

function blurred(picture: GreyPicture, radius: number): GreyPicture {
  if (radius === 0) return picture;
  const { width, height, pixels } = picture;
  const pass = (source: Uint8Array, step: number, size: number, other: number) => {
    const result = new Uint8Array(source.length);
    const along = step === 1 ? width : 1;
    for (let line = 0; line < other; line += 1)
      for (let at = 0; at < size; at += 1) {
        let [sum, count] = [0, 0];
        for (
          let near = Math.max(0, at - radius);
          near <= Math.min(size - 1, at + radius);
          near += 1
        ) {
          sum += source[line * along + near * step] ?? 0;
          count += 1;
        }
        result[line * along + at * step] = sum / count;
      }
    return result;
  };
  const across = pass(pixels, 1, width, height);
  return { width, height, pixels: pass(across, width, height, width) };
}

const usual = {
  width: 1600,
  turn: 0,
  skew: 0,
  perspective: 0,
  light: 1,
  contrast: 1,
  noise: 3,
  blur: 0,
  fill: 0.85,
};

/** Photographs a card on a dark table. */
export function photograph(card: GreyPicture, how: Photograph = {}): GreyPicture {
  const { width, turn, skew, perspective, light, contrast, noise, blur, fill } = {
    ...usual,
    ...how,
  };
  const random = createNoise();
  const height = Math.round(width * 0.75);
  const result: GreyPicture = { width, height, pixels: new Uint8Array(width * height) };
  const angle = ((turn + skew) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [across, down] = turn % 180 === 0 ? [card.width, card.height] : [card.height, card.width];
  const scale = Math.min((width * fill) / across, (height * fill) / down);
  const greyAt = (x: number, y: number): number => {
    const [dx, dy] = [(x - width / 2) / scale, (y - height / 2) / scale];
    const [u, v] = [dx * cos + dy * sin, dy * cos - dx * sin];
    const nearness = 1 + (perspective * v) / card.height;
    return (
      sample(card, u * nearness + card.width / 2, v * nearness + card.height / 2) ??
      70 + 10 * Math.sin((x + 2 * y) / 37)
    );
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const value = (128 + (greyAt(x, y) - 128) * contrast) * light + noise * random();
      result.pixels[y * width + x] = Math.min(255, Math.max(0, value));
    }
  return blurred(result, blur);
}

const crcTable = Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1)
    value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  return value >>> 0;
});
const crcOf = (bytes: Uint8Array): number =>
  (bytes.reduce((crc, byte) => (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8), -1) ^ -1) >>> 0;

/** A grey picture as the bytes of a PNG file. */
export function toPng({ width, height, pixels }: GreyPicture): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crcOf(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
