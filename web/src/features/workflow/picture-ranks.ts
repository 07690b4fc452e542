/** A line between two boxes, by their ids. */
export interface Tie {
  from: number;
  to: number;
}

/**
 * Turns lines that lead back around, so that none leads in a circle: `isBack` by the order of
 * `ties`. Boxes are walked in their order.
 */
export function findBackTies(ids: readonly number[], ties: readonly Tie[]): boolean[] {
  const isBack = ties.map(() => false);
  const state = new Map<number, 'open' | 'done'>();
  const walk = (id: number) => {
    state.set(id, 'open');
    for (const [index, tie] of ties.entries()) {
      if (tie.from !== id) continue;
      if (state.get(tie.to) === 'open') isBack[index] = true;
      else if (!state.has(tie.to)) walk(tie.to);
    }
    state.set(id, 'done');
  };
  for (const id of ids) if (!state.has(id)) walk(id);
  return isBack;
}

/** How far down each box is: as many steps as the longest way to it. `ties` lead in no circle. */
export function ranksOf(ids: readonly number[], ties: readonly Tie[]): Map<number, number> {
  const ranks = new Map(ids.map((id) => [id, 0]));
  for (let round = 0; round < ids.length; round += 1) {
    let isStill = true;
    for (const { from, to } of ties) {
      const least = (ranks.get(from) ?? 0) + 1;
      if ((ranks.get(to) ?? 0) < least) {
        ranks.set(to, least);
        isStill = false;
      }
    }
    if (isStill) break;
  }
  return ranks;
}
