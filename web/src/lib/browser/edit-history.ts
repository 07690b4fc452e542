/** What can be undone and redone. `key` names the field that was changed last. */
export interface EditHistory<Document> {
  past: readonly Document[];
  present: Document;
  future: readonly Document[];
  key: string | undefined;
}

export type EditAction<Document> =
  | { type: 'change'; document: Document; key?: string }
  | { type: 'undo' }
  | { type: 'redo' };

const maximumSteps = 200;

/** Typing in one field is one step. */
export function editReducer<Document>(
  history: EditHistory<Document>,
  action: EditAction<Document>,
): EditHistory<Document> {
  const { past, present, future, key } = history;
  if (action.type === 'change') {
    const isSameField = action.key !== undefined && action.key === key;
    return {
      past: isSameField ? past : [...past, present].slice(-maximumSteps),
      present: action.document,
      future: [],
      key: action.key,
    };
  }
  if (action.type === 'undo') {
    const before = past.at(-1);
    return before
      ? { past: past.slice(0, -1), present: before, future: [present, ...future], key: undefined }
      : history;
  }
  const [next, ...later] = future;
  return next
    ? { past: [...past, present], present: next, future: later, key: undefined }
    : history;
}
