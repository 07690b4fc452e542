import { afterEach, expect, test, vi } from 'vitest';
import { findRenderedState } from './rendered-page.ts';

afterEach(() => vi.unstubAllGlobals());

function openPage(state: unknown): void {
  const textContent = JSON.stringify(state);
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) });
  vi.stubGlobal('window', { history: { state: null }, sessionStorage: { getItem: () => null } });
}

test('texts of the language of the page stand for those of others', () => {
  const form = { title: { 'en-US': 'Name' }, places: [{ 'en-US': '' }, null, 1, 'en-US'] };
  openPage({ language: 'en-US', queries: [[['getForm'], form]] });
  const inAll = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
  expect(findRenderedState('en-US')?.queries).toEqual([
    [['getForm'], { title: inAll('Name'), places: [inAll(''), null, 1, 'en-US'] }],
  ]);
  expect(findRenderedState('ar-EG')).toBeUndefined();
});
