import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * The stream on which a connected client of `pg` writes. It is a private part of `pg`, which has no
 * other way to what two things need: `end` waits for the answer of a server that does not answer, and
 * statements of one turn of the event loop go in one packet only when the stream is corked. The option
 * `stream` of a client gives the socket below TLS, whose packets are those of TLS. Throws where `pg` has
 * changed; the test beside this file fails then.
 */
export function streamOf(client: pg.ClientBase): Socket {
  const { connection } = client as unknown as { connection?: { stream?: Socket } };
  const stream = connection?.stream;
  if (!stream) throw new Error('This version of pg keeps its stream elsewhere');
  return stream;
}
