import { createHmac, randomInt } from 'node:crypto';
import { withLatinDigits } from '@diwan/contract/wire/typed-text';
import { callerNetwork } from '../core/caller-network.ts';
import { Refusal } from '../core/refusals.ts';
import { isSameSecret } from '../core/same-secret.ts';
import type { Database, Transaction } from '../database/database.ts';
import { openKey } from './secrets.ts';
import {
  consumeCode,
  countAttempt,
  countRequester,
  issueCode,
  resetAttempts,
  type CodePurpose,
} from './verification-codes.store.ts';

const lifeMs = 10 * 60_000;
const resendMs = 60_000;
const maximumAttempts = 5;
const maximumPerDay = 10;

/** A correct code. It can be consumed once. */
interface VerifiedCode {
  /**
   * Invalidates the code in the transaction of the change that it permits. Throws
   * VerificationCodeWrong when another call consumed it first.
   */
  consume(transaction: Transaction): Promise<void>;
  /** Restores the attempts, when the code was correct and something else was wrong. */
  restoreAttempts(): Promise<void>;
}

/**
 * Codes of six digits that are sent by mail or SMS. A code lives for ten minutes and allows five
 * attempts. An address gets one code a minute and ten a day.
 */
export interface VerificationCodes {
  generate(): string;
  /**
   * Makes a code valid for an address; `false` when the last one is less than a minute old or the
   * codes of the day are used up.
   */
  issue(purpose: CodePurpose, address: string, code: string, now?: Date): Promise<boolean>;
  /** Whether a code is correct. A correct code stays valid. */
  check(purpose: CodePurpose, address: string, code: string, now?: Date): Promise<boolean>;
  /** Uses one attempt; `undefined` for a wrong code. */
  verify(purpose: CodePurpose, address: string, code: string): Promise<VerifiedCode | undefined>;
  /**
   * Counts a request for a code by the caller's network. Throws TooManyRequests when the network
   * has used up the codes of the day.
   */
  countRequest(address: string): Promise<void>;
}

const readDigits = (text: string): string => withLatinDigits(text).replace(/\D/g, '');

/**
 * Opens verification codes. The database stores their keyed hashes. `perDayAndNetwork` is the
 * setting VERIFICATION_CODES_PER_DAY.
 */
export async function openVerificationCodes(
  database: Database,
  perDayAndNetwork: number,
): Promise<VerificationCodes> {
  const keys = await openKey(database, 'verification-codes');
  // The first one is the hash to store.
  const hashes = (...parts: string[]) =>
    keys().map((key) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex'));
  const hash = (...parts: string[]) => hashes(...parts)[0] ?? '';

  // The hash of the code when it is correct.
  async function useAttempt(
    purpose: CodePurpose,
    address: string,
    code: string,
    now: Date,
  ): Promise<string | undefined> {
    const expected = await countAttempt(database, { purpose, address }, now, maximumAttempts);
    const given = hashes(purpose, address, readDigits(code));
    if (expected === undefined) return undefined;
    // guard: comparison of a code (register)
    if (!given.some((each) => isSameSecret(each, expected))) return undefined;
    return expected;
  }

  return {
    generate: () => String(randomInt(1_000_000)).padStart(6, '0'),
    issue(purpose, address, code, now = new Date()) {
      const expiresAt = new Date(now.getTime() + lifeMs);
      return issueCode(
        database,
        { purpose, address },
        {
          hash: hash(purpose, address, code),
          now,
          expiresAt,
          unlessExpiresAfter: new Date(expiresAt.getTime() - resendMs),
          maximumPerDay,
        },
      );
    },
    async check(purpose, address, code, now = new Date()) {
      const codeHash = await useAttempt(purpose, address, code, now);
      if (codeHash !== undefined) await resetAttempts(database, { purpose, address }, codeHash);
      return codeHash !== undefined;
    },
    async verify(purpose, address, code) {
      const codeHash = await useAttempt(purpose, address, code, new Date());
      if (codeHash === undefined) return undefined;
      const key = { purpose, address };
      return {
        async consume(transaction) {
          if (!(await consumeCode(transaction, key, codeHash, new Date())))
            throw new Refusal('VerificationCodeWrong');
        },
        restoreAttempts: () => resetAttempts(database, key, codeHash),
      };
    },
    async countRequest(address) {
      const count = await countRequester(database, hash('network', callerNetwork(address)));
      // guard: codes of a network in a day (forgotten-password, register)
      if (count > perDayAndNetwork) throw new Refusal('TooManyRequests', { retryAfter: 3600 });
    },
  };
}
