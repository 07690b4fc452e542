import { createStore, useStore } from './create-store.ts';

export type ToastTone = 'info' | 'success' | 'danger';
export interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
  at: Date;
}

/** In milliseconds. Source: specification §9. */
export const toastDuration = 3000;
const maximumShown = 4;
const maximumInHistory = 20;

const toasts = createStore<readonly Toast[]>([]);
const history = createStore<readonly Toast[]>([]);
let nextId = 1;

/**
 * Shows a message for a moment. What the user must not miss is also shown in the page, and the
 * history stores it. The same text is shown once.
 */
export function showToast(text: string, tone: ToastTone = 'info'): void {
  if (text === '') return;
  const toast = { id: nextId++, text, tone, at: new Date() };
  history.set([toast, ...history.get()].slice(0, maximumInHistory));
  const others = toasts.get().filter((other) => other.text !== text);
  toasts.set([...others, toast].slice(-maximumShown));
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Removes all messages, so that the next user does not read them. */
export function clearToasts(): void {
  history.set([]);
  toasts.set([]);
}

/** The messages that are shown now, oldest first. */
export const useToasts = (): readonly Toast[] => useStore(toasts);

/** The last messages, newest first, including those that are not shown any more. */
export const useToastHistory = (): readonly Toast[] => useStore(history);
