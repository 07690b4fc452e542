/**
 * Counts how many of these moments have passed. What depends on them has another version after each.
 * It is asked for every reply, so it compares with the next moment only.
 */
export function countPassedMoments(
  moments: readonly (Date | null)[],
  now: () => number = () => Date.now(),
): () => number {
  const times = moments
    .flatMap((moment) => (moment ? [moment.getTime()] : []))
    .toSorted((one, other) => one - other);
  let passed = 0;
  return () => {
    while (passed < times.length && (times[passed] as number) <= now()) passed += 1;
    return passed;
  };
}
