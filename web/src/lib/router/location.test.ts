import fc from 'fast-check';
import { createPath, resolvePath } from 'react-router';
import { expect, it } from 'vitest';
import { formatPath, resolveTo } from './location.ts';

it.each([
  ['/services', '/services'],
  ['/requests?a=b#c', '/requests?a=b#c'],
  ['?page=2', '/home?page=2'],
  ['#main', '/home#main'],
  [{ hash: 'main' }, '/home#main'],
  [{ search: 'a=b' }, '/home?a=b'],
  [{ search: '', hash: '' }, '/home'],
  ['?', '/home'],
  // Not another host.
  ['//evil.example/a', '/evil.example/a'],
  ['/\\evil.example', '/evil.example'],
])('%j leads from /home to %s', (to, address) => {
  expect(formatPath(resolveTo(to, '/home'))).toBe(address);
});

it('resolves addresses as React Router does', () => {
  const text = fc.stringMatching(/^[a-zA-Z0-9?#=&%]{0,6}$/);
  fc.assert(
    fc.property(fc.constantFrom('/', '/a/b', ''), text, (start, rest) => {
      const to = start === '' ? rest.replace(/^[^?#]*/, '') : start + rest;
      expect(formatPath(resolveTo(to, '/here'))).toBe(createPath(resolvePath(to, '/here')));
    }),
  );
});
