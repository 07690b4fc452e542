import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { readCookie, writeCookie } from './cookies.ts';

const cookie = { name: 'diwan-x', path: '/', seconds: 60 };
const requestWith = (header?: string) => ({ headers: { cookie: header } }) as FastifyRequest;

it('on https, another host of the same domain cannot set the cookie', () => {
  expect(writeCookie(cookie, 'v', true)).toBe(
    '__Host-diwan-x=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
  // A cookie without the prefix is ignored.
  expect(readCookie(requestWith('diwan-x=theirs; __Host-diwan-x=ours'), cookie, true)).toBe('ours');
  expect(readCookie(requestWith('diwan-x=theirs'), cookie, true)).toBeUndefined();
});

it('reads one cookie among several', () => {
  expect(readCookie(requestWith('a=1; xdiwan-x=2;diwan-x=a=b.c ; b=3'), cookie, false)).toBe(
    'a=b.c',
  );
  expect(readCookie(requestWith(), cookie, false)).toBeUndefined();
});
