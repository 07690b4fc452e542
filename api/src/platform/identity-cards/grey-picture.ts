import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';

interface JpegLimits {
  useTArray: boolean;
  formatAsRGBA: boolean;
  tolerantDecoding: boolean;
  maxResolutionInMP: number;
  maxMemoryUsageInMB: number;
}
const { decode: decodeJpeg } = createRequire(import.meta.url)('jpeg-js') as {
  decode(
    bytes: Uint8Array,
    limits: JpegLimits,
  ): { width: number; height: number; data: Uint8Array };
};

/** A grey picture: a byte a pixel, 0 is black. */
export interface GreyPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A picture with more pixels is not decoded. The portal sends at most 3000 x 3000. */
const maximumPixels = 16_000_000;

const greyOf = (red: number, green: number, blue: number): number =>
  (red * 77 + green * 150 + blue * 29) >> 8;

function fromJpeg(bytes: Uint8Array): GreyPicture {
  const { width, height, data } = decodeJpeg(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: true,
    maxResolutionInMP: maximumPixels / 1_000_000,
    maxMemoryUsageInMB: 384,
  });
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1)
    pixels[at] = greyOf(data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0);
  return { width, height, pixels };
}

const channelsOf: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface PngParts {
  width: number;
  height: number;
  colourType: number;
  palette: Buffer;
  data: Buffer;
}

/** The parts of a PNG with 8 bits a channel that is not interlaced; others are not read. */
function partsOfPng(file: Buffer): PngParts | undefined {
  let palette: Buffer = Buffer.alloc(0);
  const data: Buffer[] = [];
  for (let at = 8; at + 8 <= file.length; at += file.readUInt32BE(at) + 12) {
    const name = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    if (name === 'PLTE') palette = body;
    if (name === 'IDAT') data.push(body);
  }
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth, colourType, , , interlace] = file.subarray(24, 29);
  return depth === 8 && interlace === 0 && colourType !== undefined
    ? { width, height, colourType, palette, data: Buffer.concat(data) }
    : undefined;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function unfilter(rows: Buffer, stride: number, height: number, step: number): Uint8Array {
  const result = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= step ? (result[at - step] ?? 0) : 0;
      const up = y > 0 ? (result[at - stride] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (result[at - stride - step] ?? 0) : 0;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      result[at] = (rows[y * (stride + 1) + 1 + x] ?? 0) + added;
    }
  }
  return result;
}

function fromPng(file: Buffer): GreyPicture | undefined {
  const parts = partsOfPng(file);
  const step = parts && channelsOf[parts.colourType];
  if (!parts || step === undefined || parts.width * parts.height > maximumPixels) return undefined;
  const { width, height, colourType, palette } = parts;
  const stride = width * step;
  const rows = inflateSync(parts.data, { maxOutputLength: (stride + 1) * height });
  const bytes = unfilter(rows, stride, height, step);
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const from = at * step;
    const [one = 0, two = 0, three = 0] =
      colourType === 3
        ? palette.subarray((bytes[from] ?? 0) * 3, (bytes[from] ?? 0) * 3 + 3)
        : bytes.subarray(from, from + 3);
    pixels[at] = colourType === 0 || colourType === 4 ? one : greyOf(one, two, three);
  }
  return { width, height, pixels };
}

/** Decodes a JPEG or PNG file; undefined where it is too large or of a form that is not read. */
export function decodePicture(file: Buffer): GreyPicture | undefined {
  try {
    return file[0] === 0xff ? fromJpeg(file) : fromPng(file);
  } catch {
    return undefined;
  }
}

/** A picture whose longer side is at most `side`: each pixel is the mean of those that it covers. */
export function shrink(picture: GreyPicture, side: number): GreyPicture {
  const { width, height, pixels } = picture;
  const scale = Math.max(width, height) / side;
  if (scale <= 1) return picture;
  const [w, h] = [Math.round(width / scale), Math.round(height / scale)];
  const result = new Uint8Array(w * h);
  for (let y = 0; y < h; y += 1) {
    const [top, bottom] = [Math.floor(y * scale), Math.min(height, Math.ceil((y + 1) * scale))];
    for (let x = 0; x < w; x += 1) {
      const [left, right] = [Math.floor(x * scale), Math.min(width, Math.ceil((x + 1) * scale))];
      let sum = 0;
      for (let row = top; row < bottom; row += 1)
        for (let at = row * width + left; at < row * width + right; at += 1) sum += pixels[at] ?? 0;
      result[y * w + x] = sum / ((bottom - top) * (right - left));
    }
  }
  return { width: w, height: h, pixels: result };
}

/**
 * Turns a picture by an angle in degrees (counter-clockwise seen text becomes level) and scales it.
 * What lies outside of it is white.
 */
export function turn(picture: GreyPicture, degrees: number, scale = 1): GreyPicture {
  const { width, height, pixels } = picture;
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const w = Math.ceil((Math.abs(width * cos) + Math.abs(height * sin)) * scale);
  const h = Math.ceil((Math.abs(width * sin) + Math.abs(height * cos)) * scale);
  const result = new Uint8Array(w * h).fill(255);
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      const [dx, dy] = [(x - w / 2) / scale, (y - h / 2) / scale];
      const [u, v] = [dx * cos - dy * sin + width / 2, dx * sin + dy * cos + height / 2];
      const [left, top] = [Math.floor(u), Math.floor(v)];
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue;
      const at = top * width + left;
      const [fx, fy] = [u - left, v - top];
      result[y * w + x] =
        ((pixels[at] ?? 0) * (1 - fx) + (pixels[at + 1] ?? 0) * fx) * (1 - fy) +
        ((pixels[at + width] ?? 0) * (1 - fx) + (pixels[at + width + 1] ?? 0) * fx) * fy;
    }
  return { width: w, height: h, pixels: result };
}

/** A part of a picture. */
export function crop(
  { width, height, pixels }: GreyPicture,
  from: { left: number; top: number; width: number; height: number },
): GreyPicture {
  const left = Math.max(0, Math.floor(from.left));
  const top = Math.max(0, Math.floor(from.top));
  const w = Math.min(width - left, Math.ceil(from.width));
  const h = Math.min(height - top, Math.ceil(from.height));
  const result = new Uint8Array(w * h);
  for (let y = 0; y < h; y += 1)
    result.set(pixels.subarray((top + y) * width + left, (top + y) * width + left + w), y * w);
  return { width: w, height: h, pixels: result };
}
