import { normalizeText } from '../../../platform/core/normalize-text.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { findUsable, type ReferralCodeRow } from './referral-codes.store.ts';

// Digits of any set, small letters and blanks around count the same.
const codeOf = (typed: string): string => normalizeText(typed).toUpperCase().replaceAll(' ', '-');

/** A code that can be used now, however it is written. */
export function findReferralCode(
  database: Database,
  typed: string,
  at: Date,
): Promise<ReferralCodeRow | undefined> {
  return findUsable(database, codeOf(typed), at);
}

/**
 * Takes a code for a request that is being sent; null where none was given. Throws
 * ReferralCodeNotValid.
 */
export async function takeReferralCode(
  transaction: Transaction,
  typed: string | undefined,
  at: Date,
): Promise<string | null> {
  if (!typed?.trim()) return null;
  const row = await findUsable(transaction, codeOf(typed), at, true);
  if (!row) throw new Refusal('ReferralCodeNotValid');
  return row.code;
}
