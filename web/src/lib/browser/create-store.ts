import { useSyncExternalStore } from 'react';

/** A value outside of React and the listeners that are called after each change. */
export interface Store<Value> {
  get: () => Value;
  set: (value: Value) => void;
  /** Returns the function that removes the listener. */
  subscribe: (listener: () => void) => () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The current value of a store; the component renders again after each change. */
export function useStore<Value>({ subscribe, get }: Omit<Store<Value>, 'set'>): Value {
  return useSyncExternalStore(subscribe, get, get);
}
