/**
 * Where a number axis ends and where its marks are: whole numbers, one, two or five of a power of
 * ten apart, four at most above zero.
 */
export function scaleFor(highest: number): { top: number; marks: number[] } {
  const least = Math.max(1, highest / 4);
  const power = 10 ** Math.floor(Math.log10(least));
  const step =
    [1, 2, 5, 10]
      .map((factor) => factor * power)
      .find((candidate) => candidate >= least && Number.isInteger(candidate)) ?? 1;
  const count = Math.max(1, Math.ceil(highest / step));
  return {
    top: count * step,
    marks: Array.from({ length: count + 1 }, (_, index) => index * step),
  };
}

/** Every how many points one is named, so that names of this width do not touch. */
export function namedEvery(points: number, width: number, nameWidth: number): number {
  return Math.max(1, Math.ceil(points / Math.max(1, Math.floor(width / nameWidth))));
}
