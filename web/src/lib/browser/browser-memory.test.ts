import { afterEach, describe, expect, it, vi } from 'vitest';
import { forget, recall, remember } from './browser-memory.ts';

/** A storage as browsers have it; `isFull` refuses to take anything more. */
function storage(isFull: boolean, kept = new Map<string, string>()) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

const denied = {
  get sessionStorage(): never {
    throw new DOMException('denied', 'SecurityError');
  },
  get localStorage(): never {
    throw new DOMException('denied', 'SecurityError');
  },
};

afterEach(() => vi.unstubAllGlobals());

describe('what a browser keeps', () => {
  it.each([
    ['works', { sessionStorage: storage(false), localStorage: storage(false) }],
    ['is full', { sessionStorage: storage(true), localStorage: storage(true) }],
    ['is off', denied],
  ])('is there again, by its place, and gone when forgotten, where the storage %s', (_, window) => {
    vi.stubGlobal('window', window);
    remember('session', 'token', 'one');
    remember('local', 'token', 'other');
    expect([recall('session', 'token'), recall('local', 'token')]).toEqual(['one', 'other']);
    forget('session', 'token');
    expect([recall('session', 'token'), recall('local', 'token')]).toEqual([null, 'other']);
    forget('local', 'token');
  });

  it('is the newest, where a storage that has become full still holds an older one', () => {
    const kept = new Map([['token', 'old']]);
    vi.stubGlobal('window', { sessionStorage: storage(true, kept) });
    remember('session', 'token', 'new');
    expect(recall('session', 'token')).toBe('new');
    vi.stubGlobal('window', { sessionStorage: storage(false, kept) });
    remember('session', 'token', 'newer');
    expect([recall('session', 'token'), kept.get('token')]).toEqual(['newer', 'newer']);
    forget('session', 'token');
    expect(recall('session', 'token')).toBeNull();
  });
});
