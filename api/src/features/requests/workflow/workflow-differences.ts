import type { Workflow, WorkflowTransition } from '@diwan/contract/requests/workflow';
import type { WorkflowDifference } from '@diwan/contract/requests/workflows';

const cellName = ({ action, from, to }: WorkflowTransition) =>
  JSON.stringify(action === 'create' ? [action, from, to] : [action, from]);

// Two cells for one action from one status are two lines, each for other roles.
function cellsOf({ transitions }: Workflow): Map<string, WorkflowTransition[]> {
  const cells = new Map<string, WorkflowTransition[]>();
  for (const cell of transitions)
    cells.set(cellName(cell), [
      ...(cells.get(cellName(cell)) ?? []),
      { ...cell, who: cell.who.toSorted() },
    ]);
  return cells;
}

const normal = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
const isSame = (one: unknown, other: unknown) => normal(one) === normal(other);

/**
 * What a document changes of another: statuses first, then transitions, then where requests begin.
 * Empty when they mean the same.
 */
export function differencesOf(before: Workflow, after: Workflow): WorkflowDifference[] {
  const differences: WorkflowDifference[] = [];
  for (const status of after.statuses) {
    const old = before.statuses.find(({ statusId }) => statusId === status.statusId);
    if (!old) differences.push({ kind: 'statusAdded', statusId: status.statusId });
    else if (!isSame(old.name, status.name))
      differences.push({ kind: 'statusRenamed', statusId: status.statusId });
    else if (!isSame(old, status))
      differences.push({ kind: 'statusChanged', statusId: status.statusId });
  }
  for (const { statusId } of before.statuses)
    if (!after.statuses.some((status) => status.statusId === statusId))
      differences.push({ kind: 'statusRemoved', statusId });
  const [old, fresh] = [cellsOf(before), cellsOf(after)];
  for (const [name, cells] of fresh) {
    const { action, from, to } = cells[0] as WorkflowTransition;
    const known = old.get(name);
    if (!known) differences.push({ kind: 'transitionAdded', action, from, to });
    else if (!isSame(known, cells))
      differences.push({ kind: 'transitionChanged', action, from, to });
  }
  for (const [name, cells] of old) {
    const { action, from, to } = cells[0] as WorkflowTransition;
    if (!fresh.has(name)) differences.push({ kind: 'transitionRemoved', action, from, to });
  }
  if (!isSame(before.start, after.start)) differences.push({ kind: 'startChanged' });
  return differences;
}
