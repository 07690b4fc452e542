import { expect, it } from 'vitest';
import { workflowRecord } from '#testing/admin-records.ts';
import type { WorkflowDraft } from '@diwan/contract/requests/workflows';
import { findWarnings } from '../workflow-warnings.ts';
import {
  addStatus,
  addTransition,
  changeStatus,
  changeTransition,
  placeOfProblem,
  removeStatus,
  removeTransition,
  transitionsOfLine,
} from './edit-workflow.ts';

const draft: WorkflowDraft = {
  ...workflowRecord,
  transitions: [
    ...workflowRecord.transitions,
    { action: 'approve', from: 1, to: 2, toPay: 1, who: ['Employee'] },
  ],
};

it('adds a status with a free number and an action that the status does not have', () => {
  const added = addStatus(draft);
  expect([added.statusId, added.draft.statuses.at(-1)?.key]).toEqual([3, 'status3']);
  const first = addTransition(added.draft, 3);
  const second = addTransition(first.draft, 3);
  expect([first, second].map(({ draft: each, index }) => each.transitions[index]?.action)).toEqual([
    'receive',
    'approve',
  ]);
  expect(addTransition(draft, null).draft.transitions.at(-1)).toEqual({
    action: 'create',
    from: null,
    to: 1,
    who: ['Client', 'CompanyUser'],
  });
});

it('a new number of a status replaces the old one everywhere', () => {
  const changed = changeStatus({ ...draft, start: { ...draft.start, draft: 1 } }, 1, {
    statusId: 9,
  });
  expect(changed.start).toEqual({ toPay: 9, free: 9, draft: 9 });
  expect(changed.transitions.map(({ from, to, toPay }) => [from, to, toPay])).toEqual([
    [null, 9, undefined],
    [9, 2, undefined],
    [9, 2, 9],
  ]);
});

it('a status is removed with its actions, and a part that is undefined is left out', () => {
  const removed = removeStatus(draft, 2);
  expect(removed.transitions.map(({ action }) => action)).toEqual(['create']);
  const without = changeTransition(draft, 2, { toPay: undefined });
  expect(Object.keys(without.transitions[2] ?? {})).not.toContain('toPay');
  expect('countsAs' in (changeStatus(draft, 1, { countsAs: undefined }).statuses[0] ?? {})).toBe(
    false,
  );
  expect(removeTransition(draft, 0).transitions).toHaveLength(2);
});

it('finds the transitions of a line and the place of a problem', () => {
  expect(transitionsOfLine(draft, 1, 2)).toEqual([1, 2]);
  expect(transitionsOfLine(draft, 0, 1)).toEqual([0]);
  expect([
    placeOfProblem(draft, { status: 2, key: 'completed' }),
    placeOfProblem(draft, { action: 'submitted', from: 1 }),
    placeOfProblem(draft, { action: 'create', from: '—' }),
    placeOfProblem(draft, { path: 'statuses.1.name', language: 'ur-PK' }),
    placeOfProblem(draft, { path: 'transitions.2.who' }),
    placeOfProblem(draft, {}),
  ]).toEqual([
    { kind: 'status', statusId: 2 },
    { kind: 'transition', index: 1 },
    { kind: 'transition', index: 0 },
    { kind: 'status', statusId: 2 },
    { kind: 'transition', index: 2 },
    { kind: 'document' },
  ]);
});

it('warns of what is allowed and probably not meant', () => {
  const same = { 'ar-EG': 'New', 'en-US': 'New', 'ur-PK': '\u0646\u0626\u06cc' };
  const warned = findWarnings({
    ...draft,
    statuses: draft.statuses.map((status) => ({ ...status, name: same })),
    transitions: [
      { action: 'submitted', from: 1, to: 2, who: ['Admin'] },
      { action: 'reject', from: 1, to: 2, who: [] },
    ],
  });
  expect(warned.map(({ code, place }) => [code, place])).toEqual([
    ['sameAsEnglish', { kind: 'status', statusId: 1 }],
    ['adminOnly', { kind: 'status', statusId: 1 }],
    ['sameAsEnglish', { kind: 'status', statusId: 2 }],
    ['sameName', { kind: 'status', statusId: 2 }],
    ['notNotified', { kind: 'transition', index: 0 }],
    ['nobodyMayAct', { kind: 'transition', index: 1 }],
  ]);
  expect(findWarnings(draft).map(({ code }) => code)).toEqual(['notNotified']);
});
