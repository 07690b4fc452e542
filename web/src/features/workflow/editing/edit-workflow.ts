import {
  getAction,
  requestActions,
  staffActions,
  type RequestAction,
} from '@diwan/contract/requests/actions';
import type { WorkflowDraft } from '@diwan/contract/requests/workflows';

export type DraftStatus = WorkflowDraft['statuses'][number];
export type DraftTransition = WorkflowDraft['transitions'][number];

/** What is being edited: a status, a transition by its index, those of a line, or the document. */
export type Selection =
  | { kind: 'status'; statusId: number }
  | { kind: 'transition'; index: number }
  | { kind: 'line'; from: number | null; to: number }
  | { kind: 'document' };

const noText = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };

// A field that is set to undefined is left out of the document.
const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;

/** Adds a status without texts, and returns its number. */
export function addStatus(draft: WorkflowDraft): { draft: WorkflowDraft; statusId: number } {
  const statusId = Math.max(0, ...draft.statuses.map((status) => status.statusId)) + 1;
  const status: DraftStatus = {
    statusId,
    key: `status${statusId}`,
    name: noText,
    description: noText,
    tone: 'progress',
  };
  return { draft: { ...draft, statuses: [...draft.statuses, status] }, statusId };
}

/** Changes a status; a new number replaces the old one everywhere. */
export function changeStatus(
  draft: WorkflowDraft,
  statusId: number,
  change: Partial<DraftStatus>,
): WorkflowDraft {
  const statuses = draft.statuses.map((status) =>
    status.statusId === statusId ? withoutUndefined({ ...status, ...change }) : status,
  );
  const next = change.statusId ?? statusId;
  if (next === statusId) return { ...draft, statuses };
  const renumber = (id: number) => (id === statusId ? next : id);
  return {
    ...draft,
    statuses,
    transitions: draft.transitions.map((transition) => ({
      ...transition,
      from: transition.from === null ? null : renumber(transition.from),
      to: renumber(transition.to),
      ...(transition.toPay === undefined ? {} : { toPay: renumber(transition.toPay) }),
    })),
    start: {
      toPay: renumber(draft.start.toPay),
      free: renumber(draft.start.free),
      ...(draft.start.draft === undefined ? {} : { draft: renumber(draft.start.draft) }),
    },
  };
}

/** Removes a status with all actions that begin or end in it. */
export function removeStatus(draft: WorkflowDraft, statusId: number): WorkflowDraft {
  const { draft: draftStatus, ...start } = draft.start;
  return {
    ...draft,
    statuses: draft.statuses.filter((status) => status.statusId !== statusId),
    transitions: draft.transitions
      .filter(({ from, to }) => from !== statusId && to !== statusId)
      .map(({ toPay, ...rest }) =>
        toPay === undefined || toPay === statusId ? rest : { ...rest, toPay },
      ),
    start:
      draftStatus === undefined || draftStatus === statusId
        ? start
        : { ...start, draft: draftStatus },
  };
}

// An office acts in most statuses. The applicant corrects or pays where there is no other action left.
const usualActions: readonly RequestAction[] = [
  ...staffActions,
  ...requestActions.filter(
    (action) => action !== 'create' && getAction(action).byStaff === undefined,
  ),
];

/** Who usually performs an action. */
export const usualRoles = (action: RequestAction): DraftTransition['who'] => [
  ...getAction(action).usualRoles,
];

/** Adds an action to a status, the first one that it does not have, and returns its index. */
export function addTransition(
  draft: WorkflowDraft,
  from: number | null,
): { draft: WorkflowDraft; index: number } {
  const used = draft.transitions.filter((each) => each.from === from).map(({ action }) => action);
  const action =
    from === null ? 'create' : (usualActions.find((each) => !used.includes(each)) ?? 'receive');
  const to = draft.statuses.find(({ statusId }) => statusId !== from)?.statusId ?? from ?? 0;
  const transition: DraftTransition = { action, from, to, who: usualRoles(action) };
  return {
    draft: { ...draft, transitions: [...draft.transitions, transition] },
    index: draft.transitions.length,
  };
}

export function changeTransition(
  draft: WorkflowDraft,
  index: number,
  change: Partial<DraftTransition>,
): WorkflowDraft {
  return {
    ...draft,
    transitions: draft.transitions.map((transition, position) =>
      position === index ? withoutUndefined({ ...transition, ...change }) : transition,
    ),
  };
}

export function removeTransition(draft: WorkflowDraft, index: number): WorkflowDraft {
  return { ...draft, transitions: draft.transitions.filter((_, position) => position !== index) };
}

/** The transitions that a label of the picture stands for. */
export const transitionsOfLine = (
  { transitions, start }: WorkflowDraft,
  from: number | null,
  to: number,
): number[] =>
  transitions.flatMap((transition, index) =>
    transition.from === (from === 0 && start.draft === undefined ? null : from) &&
    (transition.to === to || transition.toPay === to)
      ? [index]
      : [],
  );

/** The place of a problem of the server: its parameters name a status or an action. */
export function placeOfProblem(
  { statuses, transitions }: WorkflowDraft,
  params: Readonly<Record<string, string | number>>,
): Selection {
  const { action, from, path } = params;
  const index = transitions.findIndex(
    (each) =>
      each.action === action && (from === undefined || String(each.from ?? '—') === String(from)),
  );
  if (action !== undefined && index >= 0) return { kind: 'transition', index };
  const [, part, position] = /^(statuses|transitions)\.(\d+)/.exec(String(path ?? '')) ?? [];
  if (part === 'transitions') return { kind: 'transition', index: Number(position) };
  const status =
    part === 'statuses'
      ? statuses[Number(position)]
      : statuses.find(({ statusId }) => statusId === params.status);
  return status ? { kind: 'status', statusId: status.statusId } : { kind: 'document' };
}
