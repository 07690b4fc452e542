import { crop, shrink, turn, type GreyPicture } from './grey-picture.ts';

/** Ink is darker than the mean around it by more than this share. */
const inkShare = 0.86;

/** Marks ink: darker than the mean of its surroundings, so that shadows do not matter. */
function markInk({ width, height, pixels }: GreyPicture): Uint8Array {
  const radius = Math.max(6, Math.round(width / 60));
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += pixels[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  const at = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0;
  const mean = (left: number, top: number, right: number, bottom: number) =>
    (at(right, bottom) - at(right, top) - at(left, bottom) + at(left, top)) /
    ((bottom - top) * (right - left));
  const ink = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const around = mean(left, top, right, bottom);
      // The mean of nine pixels, so that noise is not ink.
      const here = mean(
        Math.max(0, x - 1),
        Math.max(0, y - 1),
        Math.min(width, x + 2),
        Math.min(height, y + 2),
      );
      ink[y * width + x] = here < around * inkShare ? 1 : 0;
    }
  }
  return ink;
}

/** The places where ink begins in a row: many, and spread, in a line of text. */
function strokesOf(ink: Uint8Array, width: number, y: number): number[] {
  const starts: number[] = [];
  for (let x = 1; x < width; x += 1)
    if (ink[y * width + x] === 1 && ink[y * width + x - 1] === 0) starts.push(x);
  return starts;
}

/** How clearly text lines stand apart from the gaps between them, at an angle. */
function levelness(picture: GreyPicture, degrees: number): number {
  const level = turn(picture, degrees);
  const ink = markInk(level);
  let [score, before] = [0, 0];
  for (let y = 0; y < level.height; y += 1) {
    const count = strokesOf(ink, level.width, y).length;
    score += (count - before) ** 2;
    before = count;
  }
  return score;
}

const best = (angles: readonly number[], picture: GreyPicture): number =>
  angles
    .map((angle) => ({ angle, score: levelness(picture, angle) }))
    .reduce((one, other) => (other.score > one.score ? other : one)).angle;

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);

/** The angle by which a picture is turned so that its lines are level: near 0 or 90 degrees. */
export function findAngle(picture: GreyPicture): number {
  const small = shrink(picture, 360);
  const steps = range(-12, 12, 3);
  const rough = best([...steps, ...steps.map((step) => 90 + step)], small);
  const medium = shrink(picture, 800);
  return best(range(rough - 2, rough + 2, 0.5), medium);
}

interface Band {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The fewest strokes in a row of a line of 30 letters. */
const minimumStrokes = 24;

// A line of 30 letters is 25 times as long as it is high, one of 44 letters 45 times.
function isZoneLine({ top, bottom, left, right }: Band): boolean {
  const ratio = (right - left) / (bottom - top + 1);
  return bottom - top >= 6 && ratio > 14 && ratio < 80;
}

/** The rows of long lines of text. */
function findBands({ width, height, pixels }: GreyPicture): Band[] {
  const ink = markInk({ width, height, pixels });
  const bands: Band[] = [];
  let open: Band | undefined;
  for (let y = 0; y < height; y += 1) {
    const starts = strokesOf(ink, width, y);
    const left = starts[Math.floor(starts.length * 0.04)] ?? 0;
    const right = starts[Math.floor(starts.length * 0.96)] ?? 0;
    if (starts.length >= minimumStrokes && right - left > width * 0.25) {
      open = open
        ? {
            ...open,
            bottom: y,
            left: Math.min(open.left, left),
            right: Math.max(open.right, right),
          }
        : { top: y, bottom: y, left, right };
      continue;
    }
    if (open && y - open.bottom > 2) {
      bands.push(open);
      open = undefined;
    }
  }
  return (open ? [...bands, open] : bands).filter(isZoneLine);
}

/** Letters are recognised best at these heights. What fails at one is read at the other. */
const letterHeights = [34, 44] as const;

/** Stretches the grey values over their whole range. */
function stretch(picture: GreyPicture): GreyPicture {
  const counts = new Uint32Array(256);
  for (const pixel of picture.pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  const limit = picture.pixels.length * 0.01;
  const edge = (values: readonly number[]): number => {
    let seen = 0;
    return values.find((value) => (seen += counts[value] ?? 0) > limit) ?? 0;
  };
  const values = range(0, 255, 1);
  const [low, high] = [edge(values), edge(values.toReversed())];
  const span = Math.max(1, high - low);
  return {
    ...picture,
    pixels: picture.pixels.map((pixel) => Math.min(255, Math.max(0, ((pixel - low) * 255) / span))),
  };
}

interface Group {
  bands: Band[];
  /** How much the lines differ in height, edges and distance; lines of a zone are alike. */
  difference: number;
}

function groupOf(bands: Band[]): Group {
  const heights = bands.map(({ top, bottom }) => bottom - top + 1);
  const middles = bands.map(({ top, bottom }) => (top + bottom) / 2);
  const gaps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0));
  const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
  const [height, gap] = [Math.max(...heights), Math.max(...gaps)];
  const width = Math.max(...bands.map(({ left, right }) => right - left));
  return {
    bands,
    difference:
      spread(heights) / height +
      spread(gaps) / gap +
      (spread(bands.map(({ left }) => left)) + spread(bands.map(({ right }) => right))) / width +
      (gap > height * 4 ? 2 : 0) -
      // Three alike lines are a card, of which two are alike too.
      (bands.length === 3 ? 0.4 : 0),
  };
}

/** The most parts of a picture that are recognised; each takes a part of a second. */
const maximumZones = 2;

/**
 * The parts of a level picture that may be its machine-readable zone, the likeliest first, each in
 * the sizes in which it is to be recognised.
 */
export function findZones(level: GreyPicture): (() => GreyPicture)[][] {
  const bands = findBands(level);
  const groups = [2, 3]
    .flatMap((size) =>
      bands.slice(size - 1).map((_, index) => groupOf(bands.slice(index, index + size))),
    )
    .sort((one, other) => one.difference - other.difference);
  return groups.slice(0, maximumZones).map((group) => {
    const height = Math.max(...group.bands.map(({ top, bottom }) => bottom - top));
    const top = Math.min(...group.bands.map((band) => band.top));
    const bottom = Math.max(...group.bands.map((band) => band.bottom));
    const left = Math.min(...group.bands.map((band) => band.left));
    const right = Math.max(...group.bands.map((band) => band.right));
    const zone = crop(level, {
      left: left - height * 3,
      top: top - height,
      width: right - left + height * 6,
      height: bottom - top + height * 2,
    });
    return letterHeights.map(
      (wanted) => () => stretch(turn(zone, 0, Math.min(4, wanted / height))),
    );
  });
}
