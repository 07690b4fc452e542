import { useSyncExternalStore } from 'react';

export type ToastTone = 'info' | 'success' | 'danger';
export interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
  at: Date;
}

/** Source: specification §9. */
export const toastDuration = 3000;
const mostKept = 20;

let toasts: readonly Toast[] = [];
let history: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/**
 * Confirms something in passing; whatever must not be missed is also said in the page, and the
 * history keeps it. The same text is not stacked.
 */
export function showToast(text: string, tone: ToastTone = 'info'): void {
  if (text === '') return;
  const toast = { id: nextId++, text, tone, at: new Date() };
  history = [toast, ...history].slice(0, mostKept);
  replace([...toasts.filter((other) => other.text !== text), toast].slice(-4));
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

/** What was said to one person is not read by the next. */
export function forgetToasts(): void {
  history = [];
  replace([]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}

/** The last ones, newest first; those that have gone too. */
export function useToastHistory(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => history);
}
