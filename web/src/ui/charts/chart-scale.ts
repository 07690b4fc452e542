/**
 * The upper end and the marks of a number axis: whole numbers at steps of 1, 2 or 5 times a power
 * of ten, at most four above zero.
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

/** The interval between labelled points at which labels of `labelWidth` do not overlap. */
export function labelInterval(points: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil(points / Math.max(1, Math.floor(width / labelWidth))));
}
