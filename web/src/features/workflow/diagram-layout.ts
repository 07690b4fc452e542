/**
 * Places items in the given order as near as possible to the wished positions with minimum gaps:
 * least squares, found by pooling neighbours that want the same position. `gaps[index]` is the
 * minimum distance to the previous item.
 */
export function spread(wished: readonly number[], gaps: readonly number[]): number[] {
  const offsets: number[] = [];
  for (const [index] of wished.entries())
    offsets.push(index === 0 ? 0 : (offsets[index - 1] as number) + (gaps[index] ?? 0));
  const blocks: { sum: number; count: number }[] = [];
  const mean = ({ sum, count }: { sum: number; count: number }) => sum / count;
  for (const [index, position] of wished.entries()) {
    let block = { sum: position - (offsets[index] as number), count: 1 };
    for (let before = blocks.at(-1); before && mean(before) > mean(block); before = blocks.at(-1)) {
      blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count };
    }
    blocks.push(block);
  }
  return blocks
    .flatMap((block) => Array.from({ length: block.count }, () => mean(block)))
    .map((position, index) => position + (offsets[index] as number));
}

/** A line between two boxes, identified by their ids. */
interface Edge {
  from: number;
  to: number;
}

/**
 * Finds the lines to reverse so that no cycle remains, by the index of `edges`. Boxes are visited in
 * their order.
 */
function findBackEdges(ids: readonly number[], edges: readonly Edge[]): boolean[] {
  const isBack = edges.map(() => false);
  const state = new Map<number, 'open' | 'done'>();
  const walk = (id: number) => {
    state.set(id, 'open');
    for (const [index, edge] of edges.entries()) {
      if (edge.from !== id) continue;
      if (state.get(edge.to) === 'open') isBack[index] = true;
      else if (!state.has(edge.to)) walk(edge.to);
    }
    state.set(id, 'done');
  };
  for (const id of ids) if (!state.has(id)) walk(id);
  return isBack;
}

/** The rank of each box: the length of the longest path to it. `edges` must not contain a cycle. */
function ranksOf(ids: readonly number[], edges: readonly Edge[]): Map<number, number> {
  const ranks = new Map(ids.map((id) => [id, 0]));
  for (let round = 0; round < ids.length; round += 1) {
    let isStable = true;
    for (const { from, to } of edges) {
      const least = (ranks.get(from) ?? 0) + 1;
      if ((ranks.get(to) ?? 0) < least) {
        ranks.set(to, least);
        isStable = false;
      }
    }
    if (isStable) break;
  }
  return ranks;
}

/** A box of the diagram: a status, or the label of a line. */
export interface Box {
  id: number;
  width: number;
  height: number;
}

/** A line with the size of its label. */
export interface Line {
  from: number;
  to: number;
  width: number;
  height: number;
}

/** The result: the size, the centres of boxes, and the label position and path of lines. */
interface Placed {
  width: number;
  height: number;
  boxes: Map<number, { x: number; y: number }>;
  lines: { label: { x: number; y: number }; path: string; isBack: boolean }[];
}

interface Cell {
  width: number;
  height: number;
  x: number;
  rank: number;
  up: Cell[];
  down: Cell[];
}

const margin = 16;
const gapAcross = 20;
const gapDown = 20;

// Boxes are on even ranks, labels on odd ones. A line that crosses a rank reserves a cell there, so
// nothing overlaps.
function makeCells(boxes: readonly Box[], lines: readonly Line[], isBack: readonly boolean[]) {
  const forward = lines.map(({ from, to }, index) =>
    isBack[index] ? { from: to, to: from } : { from, to },
  );
  const ranks = ranksOf(
    boxes.map(({ id }) => id),
    forward,
  );
  const cell = (size: { width: number; height: number }, rank: number): Cell => ({
    ...size,
    x: 0,
    rank,
    up: [],
    down: [],
  });
  const ofBox = new Map(boxes.map((box) => [box.id, cell(box, 2 * (ranks.get(box.id) ?? 0))]));
  const join = (upper: Cell, lower: Cell) => {
    upper.down.push(lower);
    lower.up.push(upper);
  };
  const routes = lines.map((line, index) => {
    const [top, bottom] = [
      ofBox.get(forward[index]?.from ?? 0) as Cell,
      ofBox.get(forward[index]?.to ?? 0) as Cell,
    ];
    // The label is near the start of the line.
    const labelRank = isBack[index] ? bottom.rank - 1 : top.rank + 1;
    const route = [top];
    for (let rank = top.rank + 1; rank < bottom.rank; rank += 1)
      route.push(cell(rank === labelRank ? line : { width: 12, height: 0 }, rank));
    route.push(bottom);
    for (const [step, each] of route.slice(1).entries()) join(route[step] as Cell, each);
    return { route, label: route.find(({ rank }) => rank === labelRank) as Cell };
  });
  return { ofBox, routes };
}

const middle = (cells: readonly Cell[]) => cells.reduce((sum, { x }) => sum + x, 0) / cells.length;

function placeRow(row: Cell[], wishedX: (cell: Cell) => number): void {
  const gaps = row.map((cell, index) =>
    index === 0 ? 0 : (cell.width + (row[index - 1] as Cell).width) / 2 + gapAcross,
  );
  for (const [index, x] of spread(row.map(wishedX), gaps).entries()) (row[index] as Cell).x = x;
}

// Orders each row by its neighbours, downwards and upwards in turn, to reduce crossings.
function arrange(rows: Cell[][]): void {
  for (const row of rows) placeRow(row, (cell) => cell.x);
  for (let sweep = 0; sweep < 24; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      const wishedX = (cell: Cell) => {
        const near = isDown ? cell.up : cell.down;
        return near.length > 0 ? middle(near) : cell.x;
      };
      if (sweep < 18) row.sort((one, other) => wishedX(one) - wishedX(other));
      placeRow(row, wishedX);
    }
  }
  for (let sweep = 0; sweep < 6; sweep += 1)
    for (const row of rows)
      placeRow(row, (cell) => {
        const near = [...cell.up, ...cell.down];
        return near.length > 0 ? middle(near) : cell.x;
      });
}

// A crossing line continues straight down unless it hits a cell.
function straighten(rows: readonly Cell[][], routes: readonly { route: readonly Cell[] }[]): void {
  for (const { route } of [...routes, ...routes]) {
    for (const [index, cell] of route.entries()) {
      const before = route[index - 1];
      if (!before || cell.height > 0 || index === route.length - 1) continue;
      const row = rows[cell.rank] as Cell[];
      const [left, right] = [row[row.indexOf(cell) - 1], row[row.indexOf(cell) + 1]];
      const least = left
        ? left.x + (left.width + cell.width) / 2 + gapAcross
        : Number.NEGATIVE_INFINITY;
      const most = right
        ? right.x - (right.width + cell.width) / 2 - gapAcross
        : Number.POSITIVE_INFINITY;
      cell.x = Math.max(least, Math.min(most, before.x));
    }
  }
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Lines leave a box side by side, ordered by their target. */
function exitX(box: Cell, next: Cell, isBelow: boolean): number {
  const all = (isBelow ? box.down : box.up).toSorted((one, other) => one.x - other.x);
  const step = Math.min(28, (box.width - 24) / Math.max(1, all.length));
  return box.x + (all.indexOf(next) - (all.length - 1) / 2) * step;
}

function pathOf(
  route: readonly Cell[],
  centreOf: (rank: number) => number,
  heightOf: (rank: number) => number,
): [number, number][] {
  return route.flatMap((cell, index): [number, number][] => {
    const y = centreOf(cell.rank);
    if (index === 0) return [[exitX(cell, route[1] as Cell, true), y + cell.height / 2]];
    if (index === route.length - 1)
      return [[exitX(cell, route[index - 1] as Cell, false), y - cell.height / 2]];
    const half = heightOf(cell.rank) / 2;
    return [
      [cell.x, y - half],
      [cell.x, y + half],
    ];
  });
}

function draw(points: readonly [number, number][]): string {
  return points
    .map(([x, y], index) => {
      const before = points[index - 1];
      if (!before) return `M${round(x)} ${round(y)}`;
      const halfway = round((before[1] + y) / 2);
      return before[0] === x
        ? `V${round(y)}`
        : `C${round(before[0])} ${halfway} ${round(x)} ${halfway} ${round(x)} ${round(y)}`;
    })
    .join('');
}

/**
 * Arranges boxes in rows from top to bottom and routes lines between them; right-to-left pages get
 * the mirror image. Every line connects two different boxes.
 */
export function layOut(boxes: readonly Box[], lines: readonly Line[], isMirrored: boolean): Placed {
  const isBack = findBackEdges(
    boxes.map(({ id }) => id),
    lines,
  );
  const { ofBox, routes } = makeCells(boxes, lines, isBack);
  const cells = [...ofBox.values(), ...routes.flatMap(({ route }) => route.slice(1, -1))];
  const last = Math.max(0, ...cells.map(({ rank }) => rank));
  const rows = Array.from({ length: last + 1 }, (_, rank) =>
    cells.filter((cell) => cell.rank === rank),
  );
  arrange(rows);
  straighten(rows, routes);
  const heights = rows.map((row) => Math.max(0, ...row.map(({ height }) => height)));
  const tops = heights.map(
    (_, rank) => margin + heights.slice(0, rank).reduce((sum, height) => sum + height + gapDown, 0),
  );
  const centreOf = (rank: number) => (tops[rank] ?? 0) + (heights[rank] ?? 0) / 2;
  const left = Math.min(...cells.map(({ x, width }) => x - width / 2)) - margin;
  const width = Math.max(...cells.map((cell) => cell.x + cell.width / 2)) + margin - left;
  for (const cell of cells) cell.x = isMirrored ? width - (cell.x - left) : cell.x - left;
  return {
    width: round(width),
    height: round((tops[last] ?? 0) + (heights[last] ?? 0) + margin),
    boxes: new Map(
      [...ofBox].map(([id, { x, rank }]) => [id, { x: round(x), y: round(centreOf(rank)) }]),
    ),
    lines: routes.map(({ route, label }, index) => {
      const points = pathOf(route, centreOf, (rank) => heights[rank] ?? 0);
      return {
        label: { x: round(label.x), y: round(centreOf(label.rank)) },
        path: draw(isBack[index] ? points.toReversed() : points),
        isBack: isBack[index] === true,
      };
    }),
  };
}
