import { useSyncExternalStore } from 'react';

export type ToastTone = 'info' | 'success' | 'danger';
export interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
}

/** Source: specification §9. */
export const toastDuration = 3000;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Confirms something in passing; whatever must not be missed is also said in the page. The same text is not stacked. */
export function showToast(text: string, tone: ToastTone = 'info'): void {
  if (text === '') return;
  replace([...toasts.filter((toast) => toast.text !== text), { id: nextId++, text, tone }].slice(-4));
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}
