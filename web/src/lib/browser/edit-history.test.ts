import { expect, it } from 'vitest';
import { editReducer, type EditHistory } from './edit-history.ts';

it('undoes and redoes; typing in one field is one step', () => {
  const draft = { name: 'draft' };
  const named = (name: string) => ({ name });
  let history: EditHistory<{ name: string }> = {
    past: [],
    present: draft,
    future: [],
    key: undefined,
  };
  const names = () => history.present.name;
  for (const name of ['A', 'Ab', 'Abc'])
    history = editReducer(history, { type: 'change', document: named(name), key: 'name' });
  history = editReducer(history, { type: 'change', document: named('X'), key: 'other' });
  const seen = [names()];
  for (const type of ['undo', 'undo', 'undo', 'redo', 'redo', 'redo'] as const) {
    history = editReducer(history, { type });
    seen.push(names());
  }
  expect(seen).toEqual(['X', 'Abc', draft.name, draft.name, 'Abc', 'X', 'X']);
  history = editReducer(history, { type: 'undo' });
  history = editReducer(history, { type: 'change', document: named('Y') });
  expect([history.future, names()]).toEqual([[], 'Y']);
});
