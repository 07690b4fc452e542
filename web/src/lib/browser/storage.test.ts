import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSharedComputer, loadItem, removeItem, setSharedComputer, storeItem } from './storage.ts';

/** A storage like that of a browser; `isFull` throws on every write. */
function storage(isFull: boolean, items = new Map<string, string>()) {
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
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

describe('a stored item', () => {
  it.each([
    ['works', { sessionStorage: storage(false), localStorage: storage(false) }],
    ['is full', { sessionStorage: storage(true), localStorage: storage(true) }],
    ['is disabled', denied],
  ])('can be loaded until it is removed, where the storage %s', (_, window) => {
    vi.stubGlobal('window', window);
    storeItem('session', 'token', 'one');
    storeItem('local', 'language', 'other');
    const both = () => [loadItem('session', 'token'), loadItem('local', 'language')];
    expect(both()).toEqual(['one', 'other']);
    removeItem('session', 'token');
    expect(both()).toEqual([null, 'other']);
    removeItem('local', 'language');
  });

  it('is the newest one when a full storage still holds an older one', () => {
    const items = new Map([['token', 'old']]);
    vi.stubGlobal('window', { sessionStorage: storage(true, items) });
    storeItem('session', 'token', 'new');
    expect(loadItem('session', 'token')).toBe('new');
    vi.stubGlobal('window', { sessionStorage: storage(false, items) });
    storeItem('session', 'token', 'newer');
    expect([loadItem('session', 'token'), items.get('token')]).toEqual(['newer', 'newer']);
    removeItem('session', 'token');
    expect(loadItem('session', 'token')).toBeNull();
  });

  it('forgets on a shared computer what was searched before', () => {
    const computer = new Map([
      ['searchHistory', '["divorce"]'],
      ['language', 'ar-EG'],
    ]);
    vi.stubGlobal('window', {
      sessionStorage: storage(false),
      localStorage: storage(false, computer),
    });
    setSharedComputer(true);
    expect([...computer.keys()]).toEqual(['language']);
  });

  it('is of the tab on a shared computer', () => {
    const [tab, computer] = [new Map<string, string>(), new Map([['draft:1', 'earlier']])];
    vi.stubGlobal('window', {
      sessionStorage: storage(false, tab),
      localStorage: storage(false, computer),
    });
    expect(isSharedComputer()).toBe(false);
    setSharedComputer(true);
    expect([isSharedComputer(), loadItem('local', 'draft:1')]).toEqual([true, null]);
    storeItem('local', 'draft:2', 'text');
    expect([loadItem('local', 'draft:2'), tab.get('draft:2')]).toEqual(['text', 'text']);
    removeItem('local', 'draft:1');
    expect([...computer]).toEqual([['draft:1', 'earlier']]);
    setSharedComputer(false);
    expect(loadItem('local', 'draft:1')).toBe('earlier');
  });
});
