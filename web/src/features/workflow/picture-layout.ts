import { findBackTies, ranksOf } from './picture-ranks.ts';
import { spread } from './spread.ts';

/** What is drawn as a box: a status, or the words of a line. */
export interface Box {
  id: number;
  width: number;
  height: number;
}

/** A line with the box of its words. */
export interface Line {
  from: number;
  to: number;
  width: number;
  height: number;
}

/** A centre and, for a line, the points that it goes through. */
export interface Placed {
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

// Boxes are on even ranks, the words of lines on odd ones, and a line that passes a rank holds a
// place of its own there: so nothing lies on anything.
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
  const ways = lines.map((line, index) => {
    const [top, bottom] = [
      ofBox.get(forward[index]?.from ?? 0) as Cell,
      ofBox.get(forward[index]?.to ?? 0) as Cell,
    ];
    // The words are near to where the line begins.
    const labelRank = isBack[index] ? bottom.rank - 1 : top.rank + 1;
    const way = [top];
    for (let rank = top.rank + 1; rank < bottom.rank; rank += 1)
      way.push(cell(rank === labelRank ? line : { width: 12, height: 0 }, rank));
    way.push(bottom);
    for (const [step, each] of way.slice(1).entries()) join(way[step] as Cell, each);
    return { way, label: way.find(({ rank }) => rank === labelRank) as Cell };
  });
  return { ofBox, ways };
}

const middle = (cells: readonly Cell[]) => cells.reduce((sum, { x }) => sum + x, 0) / cells.length;

function place(row: Cell[], wish: (cell: Cell) => number): void {
  const gaps = row.map((cell, index) =>
    index === 0 ? 0 : (cell.width + (row[index - 1] as Cell).width) / 2 + gapAcross,
  );
  for (const [index, x] of spread(row.map(wish), gaps).entries()) (row[index] as Cell).x = x;
}

// Each row in the order of what it hangs on, downwards and upwards in turn, until lines cross as
// little as this finds.
function arrange(rows: Cell[][]): void {
  for (const row of rows) place(row, (cell) => cell.x);
  for (let sweep = 0; sweep < 24; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      const wish = (cell: Cell) => {
        const near = isDown ? cell.up : cell.down;
        return near.length > 0 ? middle(near) : cell.x;
      };
      if (sweep < 18) row.sort((one, other) => wish(one) - wish(other));
      place(row, wish);
    }
  }
  for (let sweep = 0; sweep < 6; sweep += 1)
    for (const row of rows)
      place(row, (cell) => {
        const near = [...cell.up, ...cell.down];
        return near.length > 0 ? middle(near) : cell.x;
      });
}

// A line that passes goes on straight down as long as it hits nothing.
function straighten(rows: readonly Cell[][], ways: readonly { way: readonly Cell[] }[]): void {
  for (const { way } of [...ways, ...ways]) {
    for (const [index, cell] of way.entries()) {
      const before = way[index - 1];
      if (!before || cell.height > 0 || index === way.length - 1) continue;
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

/** Lines leave a box side by side, in the order of where they go. */
function port(box: Cell, next: Cell, isBelow: boolean): number {
  const all = (isBelow ? box.down : box.up).toSorted((one, other) => one.x - other.x);
  const step = Math.min(28, (box.width - 24) / Math.max(1, all.length));
  return box.x + (all.indexOf(next) - (all.length - 1) / 2) * step;
}

function pathOf(
  way: readonly Cell[],
  centreOf: (rank: number) => number,
  heightOf: (rank: number) => number,
): [number, number][] {
  return way.flatMap((cell, index): [number, number][] => {
    const y = centreOf(cell.rank);
    if (index === 0) return [[port(cell, way[1] as Cell, true), y + cell.height / 2]];
    if (index === way.length - 1)
      return [[port(cell, way[index - 1] as Cell, false), y - cell.height / 2]];
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
 * Puts boxes in rows from the top down and leads lines between them; a page from right to left is
 * its mirror image. Every line joins two different boxes.
 */
export function layOut(boxes: readonly Box[], lines: readonly Line[], isMirrored: boolean): Placed {
  const isBack = findBackTies(
    boxes.map(({ id }) => id),
    lines,
  );
  const { ofBox, ways } = makeCells(boxes, lines, isBack);
  const cells = [...ofBox.values(), ...ways.flatMap(({ way }) => way.slice(1, -1))];
  const last = Math.max(0, ...cells.map(({ rank }) => rank));
  const rows = Array.from({ length: last + 1 }, (_, rank) =>
    cells.filter((cell) => cell.rank === rank),
  );
  arrange(rows);
  straighten(rows, ways);
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
    lines: ways.map(({ way, label }, index) => {
      const points = pathOf(way, centreOf, (rank) => heights[rank] ?? 0);
      return {
        label: { x: round(label.x), y: round(centreOf(label.rank)) },
        path: draw(isBack[index] ? points.toReversed() : points),
        isBack: isBack[index] === true,
      };
    }),
  };
}
