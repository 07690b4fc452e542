/** Why a picture, or the first page of a document, may be hard to read. */
type PictureConcern = 'empty' | 'small' | 'dark' | 'blurred';

export interface InspectedPicture {
  /** The picture in small, as a data address. */
  preview: string;
  concerns: PictureConcern[];
}

/** The shorter side of a picture in which small print can be read, in pixels. */
const readableSide = 600;
/** The mean brightness of a page in dim light; a white page in a room has about 180 of 255. */
const darkBelow = 55;
/** The sharpest part of a picture in focus has edges of at least this strength. */
const sharpFrom = 30;
const previewSide = 160;
/** The longer side of the drawing in which edges are measured, in pixels. */
export const measuredSide = 1200;
const tiles = 4;

interface GreyPicture {
  width: number;
  height: number;
  pixels: Float32Array;
}

type Drawing = ImageBitmap | HTMLCanvasElement;

function draw(picture: Drawing, side: number): CanvasRenderingContext2D | null {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context;
}

function greyOf(context: CanvasRenderingContext2D): GreyPicture {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = new Float32Array(width * height);
  for (let at = 0; at < pixels.length; at += 1)
    pixels[at] =
      (data[at * 4] ?? 0) * 0.3 + (data[at * 4 + 1] ?? 0) * 0.59 + (data[at * 4 + 2] ?? 0) * 0.11;
  return { width, height, pixels };
}

/** The variance of the Laplacian in a tile: low where there are no sharp edges. */
function edgeStrength({ width, height, pixels }: GreyPicture, column: number, row: number): number {
  const [left, right] = [column, column + 1].map((at) => Math.floor((at * width) / tiles));
  const [top, bottom] = [row, row + 1].map((at) => Math.floor((at * height) / tiles));
  const at = (x: number, y: number) => pixels[y * width + x] ?? 0;
  let [sum, squares, count] = [0, 0, 0];
  for (let y = Math.max(1, top ?? 0); y < Math.min(height - 1, bottom ?? 0); y += 1)
    for (let x = Math.max(1, left ?? 0); x < Math.min(width - 1, right ?? 0); x += 1) {
      const value = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      sum += value;
      squares += value * value;
      count += 1;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/** A page without any line has no edges at all. */
const emptyBelow = 0.5;

function findConcerns(grey: GreyPicture, isSmall: boolean): PictureConcern[] {
  const mean = grey.pixels.reduce((sum, pixel) => sum + pixel, 0) / grey.pixels.length;
  const edges = Array.from({ length: tiles * tiles }, (_, index) =>
    edgeStrength(grey, index % tiles, Math.floor(index / tiles)),
  );
  if (Math.max(...edges) < emptyBelow) return ['empty'];
  // Edges are weaker in dim light.
  const strength = Math.max(...edges) * (128 / Math.max(32, mean)) ** 2;
  return [
    ...(isSmall ? (['small'] as const) : []),
    ...(mean < darkBelow ? (['dark'] as const) : []),
    ...(strength < sharpFrom ? (['blurred'] as const) : []),
  ];
}

/** A drawing in small, and its concerns; undefined where the browser cannot draw. */
export function inspectDrawing(picture: Drawing, isSmall = false): InspectedPicture | undefined {
  const [small, measured] = [draw(picture, previewSide), draw(picture, measuredSide)];
  if (!small || !measured) return undefined;
  return {
    preview: small.canvas.toDataURL('image/jpeg', 0.7),
    concerns: findConcerns(greyOf(measured), isSmall),
  };
}

/**
 * A small picture of an image file, and why it may be hard to read: hints that block nothing.
 * Undefined for other files and for what the browser cannot read.
 */
export async function inspectPicture(file: Blob): Promise<InspectedPicture | undefined> {
  if (!file.type.startsWith('image/')) return undefined;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return undefined;
  }
  try {
    return inspectDrawing(picture, Math.min(picture.width, picture.height) < readableSide);
  } finally {
    picture.close();
  }
}
