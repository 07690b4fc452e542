import { Socket } from 'node:net';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { streamOf } from './client-stream.ts';

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  return client;
}

it('is what a client writes to: corked, its statements go in one packet', async () => {
  const client = await connect();
  const stream = streamOf(client);
  expect(stream).toBeInstanceOf(Socket);
  stream.cork();
  const before = stream.bytesWritten;
  const answer = client.query('select 1 as one');
  await new Promise((resolve) => setImmediate(resolve));
  expect(stream.writableLength).toBeGreaterThan(0);
  stream.uncork();
  expect((await answer).rows).toEqual([{ one: 1 }]);
  expect(stream.bytesWritten).toBeGreaterThan(before);
  await client.end();
});

it('ends its connection when it is destroyed', async () => {
  const client = await connect();
  client.on('error', () => undefined);
  const answer = client.query('select pg_sleep(60)');
  streamOf(client).destroy();
  await expect(answer).rejects.toThrow('Connection terminated');
});

it('refuses a client that keeps its stream elsewhere', () => {
  expect(() => streamOf({} as pg.Client)).toThrow('This version of pg');
});
