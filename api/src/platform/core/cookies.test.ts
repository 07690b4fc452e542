import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { readCookie, writeCookie } from './cookies.ts';

const cookie = { name: 'diwan-device', path: '/', seconds: 60 } as const;
const requestWith = (header?: string) => ({ headers: { cookie: header } }) as FastifyRequest;

it('on https, another host of the same domain cannot set the cookie', () => {
  expect(writeCookie(cookie, 'v', true)).toBe(
    '__Host-diwan-device=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
  // A cookie without the prefix is ignored.
  expect(
    readCookie(requestWith('diwan-device=theirs; __Host-diwan-device=ours'), cookie, true),
  ).toBe('ours');
  expect(readCookie(requestWith('diwan-device=theirs'), cookie, true)).toBeUndefined();
});

it('reads one cookie among several', () => {
  expect(
    readCookie(requestWith('a=1; xdiwan-device=2;diwan-device=a=b.c ; b=3'), cookie, false),
  ).toBe('a=b.c');
  expect(readCookie(requestWith(), cookie, false)).toBeUndefined();
});
