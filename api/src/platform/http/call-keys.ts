import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { callKeyHeader, repeatsOf, type Call } from '@diwan/contract/wire/call';
import { Refusal, ValidationRefusal } from '../core/refusals.ts';
import { DatabaseUnavailable } from '../database/database-failures.ts';
import type { Database } from '../database/database.ts';
import { inCallTransaction } from '../database/unit-of-work.ts';
import { findAnswer, insertAnswer, nobody, type KeyedCall } from './call-keys.store.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The key of a call that repeats by key, with who sent what; undefined without one. */
export function readCallKey(call: Call, request: FastifyRequest): KeyedCall | undefined {
  const key = request.headers[callKeyHeader];
  if (key === undefined || repeatsOf(call) !== 'byKey') return undefined;
  if (typeof key !== 'string' || !uuid.test(key))
    throw new ValidationRefusal([{ field: callKeyHeader, code: 'pattern' }]);
  // The language changes the answer and not the act.
  const { ln: _, ...query } = request.query as Record<string, unknown>;
  const input = JSON.stringify([call.name, request.params, query, request.body ?? null]);
  return {
    key,
    userId: request.caller?.userId ?? nobody,
    call: call.name,
    inputHash: createHash('sha256').update(input).digest('base64'),
  };
}

/**
 * Does a call once for its key, as one transaction that stores its answer. A repeat does it again, for
 * the first call costs no look-up: its end, or what it is refused for, finds that it was done, undoes
 * the repeat and returns the first answer. Throws KeyOfAnotherCall where the key was for something else.
 */
export async function answerOnce(
  database: Database,
  keyed: KeyedCall,
  answer: () => Promise<string>,
): Promise<string> {
  try {
    return await inCallTransaction(database, answer, (text) => insertAnswer(keyed, text));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const first = await findAnswer(database, keyed);
    if (!first) throw error;
    // guard: key of another call (call-keys)
    if (first.call !== keyed.call || first.input_hash !== keyed.inputHash)
      throw new Refusal('KeyOfAnotherCall');
    return first.answer;
  }
}
