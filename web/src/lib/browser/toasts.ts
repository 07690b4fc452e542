import { createStore, useStore } from './create-store.ts';

export type ToastTone = 'info' | 'success' | 'danger';
export interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
  at: Date;
  /** It is about something on the page, and ends with the page. */
  isOfPage?: boolean | undefined;
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
 * history stores it. A text that is shown already stays for a full duration more: several failed
 * calls of one page are one message. `isOfPage`: it ends early when the user leaves the page.
 */
export function showToast(
  text: string,
  tone: ToastTone = 'info',
  { isOfPage }: Pick<Toast, 'isOfPage'> = {},
): void {
  if (text === '') return;
  const at = new Date();
  const shown = toasts.get();
  if (shown.some((toast) => toast.text === text)) {
    toasts.set(
      shown.map((toast) => (toast.text === text ? { ...toast, tone, at, isOfPage } : toast)),
    );
    return;
  }
  const toast = { id: nextId++, text, tone, at, isOfPage };
  history.set([toast, ...history.get()].slice(0, maximumInHistory));
  toasts.set([...shown, toast].slice(-maximumShown));
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Ends the messages about a page that the user has left. The history keeps them. */
export function endToastsOfPage(): void {
  toasts.set(toasts.get().filter((toast) => !toast.isOfPage));
}

/** Removes all messages, so that the next user does not read them. */
export function clearToasts(): void {
  history.set([]);
  toasts.set([]);
}

/** Removes the messages that are not shown any more. */
export function clearEarlierToasts(): void {
  const shown = new Set(toasts.get().map(({ id }) => id));
  history.set(history.get().filter(({ id }) => shown.has(id)));
}

/** The messages that are shown now, oldest first. */
export const useToasts = (): readonly Toast[] => useStore(toasts);

/** The last messages, newest first, including those that are not shown any more. */
export const useToastHistory = (): readonly Toast[] => useStore(history);
