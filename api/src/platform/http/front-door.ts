import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { limitCalls, type CallLimits } from './limits/call-limit.ts';
import { limitSlowBodies, limitSlowReaders } from './limits/slow-clients.ts';
import {
  openCachedReplies,
  type CachedReplies,
  type CachedRepliesOptions,
} from './replies/cached-replies.ts';

/**
 * Runs what is added in one turn of the event loop at its end. A client or proxy on the same machine
 * sleeps while it waits: it is woken once for all replies of a turn, and not for each.
 */
function openTurnEnd(): (write: () => void) => void {
  let due: (() => void)[] = [];
  const writeDue = () => {
    const writes = due;
    due = [];
    for (const write of writes) write();
  };
  return (write) => {
    if (due.push(write) === 1) setImmediate(writeDue);
  };
}

/**
 * Owns the listener of requests: what a request meets, and in which order (decision 0106).
 *
 * 1. A reply that is in the cache is sent, under overload too: to refuse it would cost as much.
 * 2. An anonymous read is refused when the process has more calls than it can answer.
 * 3. Fastify has all others. There a call waits for its place before its token is checked and its body
 *    is read, and slow senders and readers are disconnected.
 *
 * Replies of 1 and 3 are written at the end of the turn of the event loop. Returns the number of
 * refused calls, and where `serve` names what 1 may answer.
 */
export function openFrontDoor(
  server: FastifyInstance,
  options: { limits: CallLimits; cachedReplies: CachedRepliesOptions },
): { refusedCalls: () => number; cachedReplies: CachedReplies } {
  const writeAtTurnEnd = openTurnEnd();
  const cachedReplies = openCachedReplies(options.cachedReplies, writeAtTurnEnd);
  // Fastify runs hooks in the order in which they are added: the place of a call is free before its
  // reply waits for the end of the turn.
  const overload = limitCalls(server, options.limits);
  limitSlowBodies(server);
  limitSlowReaders(server);
  server.addHook('onSend', (_request, reply, payload, done) =>
    writeAtTurnEnd(() => {
      // A second reply to one call would throw here, outside of the call, and end the process.
      if (!reply.raw.headersSent) done(null, payload);
    }),
  );

  const [answerByFastify] = server.server.listeners('request');
  server.server.removeAllListeners('request');
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (cachedReplies.answer(request, response)) return;
    if (overload.refuse(request, response)) return;
    answerByFastify?.(request, response);
  });
  return { refusedCalls: overload.refusedCalls, cachedReplies };
}
