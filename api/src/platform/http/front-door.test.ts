import { EventEmitter, once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#config.ts';
import { defineCall } from '@diwan/contract/wire/call';
import type { Database } from '../database/database.ts';
import { installErrorReplies } from './error-replies.ts';
import { openFrontDoor } from './front-door.ts';
import { openReplyCache } from './replies/response-cache.ts';
import { serve } from './serve.ts';

const slow = defineCall({
  name: 'slow',
  method: 'GET',
  path: '/slow',
  who: 'anyone',
  summary: '',
  reply: z.object({ status: z.string() }),
  refusals: [],
});

// A proxy asks /health/ready, waits half a second and leaves; with a silent database the answer comes
// later.
it('survives a reply to a client that has gone', async () => {
  const errors: unknown[] = [];
  const server = fastify({
    logger: { level: 'warn', stream: { write: (line) => errors.push(line) } },
  });
  installErrorReplies(server);
  server.decorateRequest('caller', undefined);
  const replies = openReplyCache();
  const { cachedReplies } = openFrontDoor(server, {
    limits: {
      callsAtOnce: 4,
      waitMs: 1000,
      eventLoopDelayMs: 500,
      verifyToken: async () => undefined,
    },
    cachedReplies: {
      replies,
      securityHeaders: () => ({}),
      isShuttingDown: () => false,
      varies: '',
    },
  });
  const steps = new EventEmitter();
  const context = {
    server,
    config: readConfig({}),
    database: {} as Database,
    publicUrl: '',
    replies,
    outbox: {} as never,
    sessions: {} as never,
    cachedReplies,
  };
  serve(context, slow, async ({ request, reply }) => {
    steps.emit('entered');
    await once(request.raw.socket, 'close');
    return reply.status(503).send({ status: 'unavailable' });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const entered = once(steps, 'entered');
  client.write('GET /slow HTTP/1.1\r\nhost: portal\r\n\r\n');
  await entered;
  client.destroy();
  // The second call is answered after whatever the first one left behind.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await server.inject('/nothing')).statusCode).toBe(404);
  expect(errors).toEqual([]);
  await server.close();
});
