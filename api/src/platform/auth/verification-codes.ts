import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { callerNetwork } from '../core/caller-network.ts';
import type { CodePurpose } from '../database/database-types.ts';
import type { Database, Transaction } from '../database/database.ts';
import { Refusal } from '../core/refusals.ts';
import { ownSecret } from './secrets.ts';
import {
  consumeCode,
  countAsker,
  renewCode,
  returnAttempt,
  spendAttempt,
} from './verification-codes.store.ts';

const lifeMs = 10 * 60_000;
const gapMs = 60_000;
const attempts = 5;
const mostInDay = 10;

/** A code that was right; it counts once. */
export interface RightCode {
  /**
   * Takes it out of force in the transaction of what it is for; refuses when somebody was quicker.
   */
  consume(transaction: Transaction): Promise<void>;
  /** Gives the try back, for whoever had the code right and something else wrong. */
  giveBack(): Promise<void>;
}

/**
 * Six digits by mail or SMS: ten minutes, five tries, one a minute and ten a day for an address.
 */
export interface VerificationCodes {
  make(): string;
  /**
   * Puts a code in force for an address; `false` when it is too early for another or the day's are
   * sent.
   */
  renew(purpose: CodePurpose, address: string, code: string, now?: Date): Promise<boolean>;
  /** Whether a code is right; the same one may be shown again while it lives. */
  check(purpose: CodePurpose, address: string, code: string, now?: Date): Promise<boolean>;
  /** Spends a try; `undefined` for a wrong code. */
  spend(purpose: CodePurpose, address: string, code: string): Promise<RightCode | undefined>;
  /**
   * Counts that a network asks for a code, and refuses with `TooManyRequests` when it has had those
   * of a day.
   */
  countAsker(address: string): Promise<void>;
}

const latinDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf)).replace(/\D/g, '');

/**
 * Codes that are kept as marks made with a secret of the database. `perDayAndNetwork`: the setting
 * VERIFICATION_CODES_PER_DAY.
 */
export async function openVerificationCodes(
  database: Database,
  perDayAndNetwork: number,
): Promise<VerificationCodes> {
  const secret = await ownSecret(database, 'verification-codes');
  const mark = (...parts: string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');

  async function judge(
    purpose: CodePurpose,
    address: string,
    code: string,
    now: Date,
  ): Promise<string | undefined> {
    const right = await spendAttempt(database, { purpose, address }, now, attempts);
    const given = mark(purpose, address, latinDigits(code));
    return right !== undefined && timingSafeEqual(Buffer.from(right), Buffer.from(given))
      ? right
      : undefined;
  }

  return {
    make: () => String(randomInt(1_000_000)).padStart(6, '0'),
    renew(purpose, address, code, now = new Date()) {
      const expiresAt = new Date(now.getTime() + lifeMs);
      return renewCode(
        database,
        { purpose, address },
        {
          hash: mark(purpose, address, code),
          now,
          expiresAt,
          unlessExpiresAfter: new Date(expiresAt.getTime() - gapMs),
          mostInDay,
        },
      );
    },
    async check(purpose, address, code, now = new Date()) {
      const right = await judge(purpose, address, code, now);
      if (right !== undefined) await returnAttempt(database, { purpose, address }, right);
      return right !== undefined;
    },
    async spend(purpose, address, code) {
      const right = await judge(purpose, address, code, new Date());
      return right === undefined
        ? undefined
        : {
            async consume(transaction) {
              if (!(await consumeCode(transaction, { purpose, address }, right, new Date())))
                throw new Refusal('VerificationCodeWrong');
            },
            giveBack: () => returnAttempt(database, { purpose, address }, right),
          };
    },
    async countAsker(address) {
      if ((await countAsker(database, mark('network', callerNetwork(address)))) > perDayAndNetwork)
        throw new Refusal('TooManyRequests', { retryAfter: 3600 });
    },
  };
}
