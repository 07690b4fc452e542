import { useEffect, useState } from 'react';
import { createStore, useStore } from '../browser/create-store.ts';
import { editReducer, type EditAction, type EditHistory } from '../browser/edit-history.ts';
import type { DocumentSaver } from './document-saver.ts';
import type { SavedDocument } from './saved-document.ts';

/**
 * Undo and redo of a document that a saver saves. What replaces the content from elsewhere is a step
 * too: undo brings the own version back.
 */
function openHistory<Content, Conflict, Saved extends SavedDocument<Content>>(
  saver: DocumentSaver<Content, Conflict, Saved>,
) {
  const { saved, content } = saver.store.get();
  const history = createStore<EditHistory<Content>>({
    past: content === saved.content ? [] : [saved.content],
    present: content,
    future: [],
    key: undefined,
  });
  const edit = (action: EditAction<Content>) => {
    history.set(editReducer(history.get(), action));
    saver.change(() => history.get().present);
  };
  return {
    history,
    follow: () =>
      saver.store.subscribe(() => {
        const { content: document } = saver.store.get();
        if (document !== history.get().present)
          history.set(editReducer(history.get(), { type: 'change', document }));
      }),
    change: (document: Content, key?: string) =>
      edit({ type: 'change', document, ...(key === undefined ? {} : { key }) }),
    undo: () => edit({ type: 'undo' }),
    redo: () => edit({ type: 'redo' }),
  };
}

/** The document of a saver with undo and redo, while the page shows it. */
export function useEditedDocument<Content, Conflict, Saved extends SavedDocument<Content>>(
  saver: DocumentSaver<Content, Conflict, Saved>,
) {
  const [edits] = useState(() => openHistory(saver));
  useEffect(() => {
    const unfollow = edits.follow();
    const close = saver.openOnPage();
    return () => {
      close();
      unfollow();
    };
  }, [saver, edits]);
  const view = useStore(saver.store);
  const { past, future } = useStore(edits.history);
  return {
    view,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    change: edits.change,
    undo: edits.undo,
    redo: edits.redo,
  };
}
