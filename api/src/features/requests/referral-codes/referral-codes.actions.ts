import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { ReferralCode, saveReferralCode } from '@diwan/contract/payments/referral-codes';
import type { BodyOf } from '@diwan/contract/wire/call';
import { endOfDay, startOfDay } from '@diwan/contract/wire/days';
import * as store from './referral-codes.store.ts';

interface Author {
  caller: Caller;
  address: string;
}

type CodeRow = NonNullable<Awaited<ReturnType<typeof store.findShownCode>>>;

/** A code as it is sent. */
export const toReferralCode = ({ validUntil, mostUses, ...row }: CodeRow): ReferralCode => ({
  ...row,
  ...(validUntil === null ? {} : { validUntil }),
  ...(mostUses === null ? {} : { mostUses }),
});

/** A code by its text. Throws NotFound. */
export async function getReferralCode(
  database: Parameters<typeof store.findShownCode>[0],
  code: string,
): Promise<ReferralCode> {
  const row = await store.findShownCode(database, code);
  if (!row) throw new Refusal('NotFound');
  return toReferralCode(row);
}

const logged = ({ name, validFrom, validUntil, mostUses }: ReferralCode) => ({
  name,
  validFrom,
  validUntil,
  mostUses,
});

/**
 * Changes a code of this version and records the change; nothing when `change` returns false. Throws
 * NotFound, RecordHasChanged.
 */
function changeCode(
  database: Database,
  author: Author,
  { code, version }: { code: string; version: number },
  change: (transaction: Transaction, before: ReferralCode) => Promise<boolean>,
): Promise<ReferralCode> {
  return inTransaction(database, async (transaction) => {
    const locked = await store.lockReferralCode(transaction, code);
    if (!locked) throw new Refusal('NotFound');
    if (locked.version !== version) throw new Refusal('RecordHasChanged');
    const before = await getReferralCode(transaction, code);
    if (!(await change(transaction, before))) return before;
    const saved = await getReferralCode(transaction, code);
    await recordChange(transaction, author, {
      entity: 'referralCode',
      entityId: code,
      action: 'changed',
      before: logged(before),
      after: logged(saved),
    });
    return saved;
  });
}

/**
 * Adds a code with version 0, or changes one that nobody has used. Throws NotFound, ReferralCodeTaken,
 * ReferralCodeIsUsed, RecordHasChanged, and a `ValidationRefusal` of the days.
 */
export async function saveCode(
  database: Database,
  author: Author,
  sent: BodyOf<typeof saveReferralCode>,
): Promise<ReferralCode> {
  const { code, version, name, validFrom, validUntil, mostUses } = sent;
  if (validUntil !== undefined && validUntil < validFrom)
    throw new ValidationRefusal([
      { field: 'validUntil', code: 'dateTooEarly', params: { minimum: validFrom } },
    ]);
  const row = {
    name: JSON.stringify(name),
    valid_from: startOfDay(validFrom),
    valid_until: validUntil === undefined ? null : endOfDay(validUntil),
    most_uses: mostUses ?? null,
  };
  if (version > 0)
    return changeCode(database, author, sent, async (transaction, before) => {
      // guard: change of a code that was used (referral-codes)
      if (before.uses > 0) throw new Refusal('ReferralCodeIsUsed');
      await store.updateReferralCode(transaction, code, row);
      return true;
    });
  return inTransaction(database, async (transaction) => {
    if (!(await store.insertReferralCode(transaction, { ...row, code })))
      throw new Refusal('ReferralCodeTaken');
    const saved = await getReferralCode(transaction, code);
    await recordChange(transaction, author, {
      entity: 'referralCode',
      entityId: code,
      action: 'created',
      after: logged(saved),
    });
    return saved;
  });
}

/** Ends a code now. Throws NotFound, RecordHasChanged. */
export function endCode(
  database: Database,
  author: Author,
  code: { code: string; version: number },
): Promise<ReferralCode> {
  return changeCode(database, author, code, async (transaction, before) => {
    if (before.state === 'ended') return false;
    await store.endCodeNow(transaction, code.code);
    return true;
  });
}
