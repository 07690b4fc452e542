import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findListenError, freePort } from './free-port.ts';

it('gives another port each time, and none on which somebody listens', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 20; count += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(20);
  const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
  try {
    expect(await findListenError(ports[0] ?? 0, '127.0.0.1')).toBe('EADDRINUSE');
    // More than a block: the ports of others follow.
    const later: number[] = [];
    for (let count = 0; count < 100; count += 1) later.push(await freePort());
    expect(later.filter((port) => ports.includes(port))).toEqual([]);
  } finally {
    for (const server of servers) server.close();
  }
});
