/**
 * Positions in the order given, as near as can be to those wished for and none nearer to the one
 * before than it may be: the least squares,
 * found by pooling neighbours that want the same place. `gaps[index]` is the least distance to the
 * one before.
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
