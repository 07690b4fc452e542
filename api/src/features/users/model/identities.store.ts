import type { Transaction } from '../../../platform/database/database.ts';
import { lockName } from '../../../platform/database/name-lock.ts';
import type { Identity } from '../../../platform/integrations/uae-pass-profile.ts';

// One person who presses twice is one account.
export async function lockIdentity(transaction: Transaction, identity: Identity): Promise<void> {
  await lockName(transaction, `identity ${identity.emiratesId ?? identity.subject}`);
}

export async function findUserBySubject(transaction: Transaction, subject: string) {
  return transaction
    .selectFrom('users')
    .select(['id', 'password_hash', 'emirates_id'])
    .where('uaepass_id', '=', subject)
    .forUpdate()
    .executeTakeFirst();
}

export async function findUserByEmiratesId(transaction: Transaction, emiratesId: string) {
  return transaction
    .selectFrom('users')
    .select(['id', 'uaepass_id'])
    .where('emirates_id', '=', emiratesId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Whether somebody typed this Emirates ID when they registered, and no identity is linked to that
 * account.
 */
export async function isTypedEmiratesId(
  transaction: Transaction,
  emiratesId: string,
): Promise<boolean> {
  return (
    (await transaction
      .selectFrom('users')
      .select('id')
      .where('typed_emirates_id', '=', emiratesId)
      .where('uaepass_id', 'is', null)
      .where('suspended_at', 'is', null)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

/** The account that a password has just opened, held until the end of the transaction. */
export async function lockAccount(transaction: Transaction, userId: string) {
  return transaction
    .selectFrom('users')
    .select(['uaepass_id', 'emirates_id'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * The Emirates ID that somebody typed is worth nothing once a proved one is there. `isByPassword`:
 * nothing but the password says that account and identity are one person's; without it that stays
 * as it is.
 */
export async function linkUser(
  transaction: Transaction,
  userId: string,
  identity: Identity,
  isByPassword?: boolean,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      uaepass_id: identity.subject,
      typed_emirates_id: null,
      ...(isByPassword === undefined ? {} : { linked_by_password: isByPassword }),
      ...(identity.emiratesId ? { emirates_id: identity.emiratesId } : {}),
      ...(identity.nameAr ? { full_name_ar: identity.nameAr } : {}),
      ...(identity.nationality ? { nationality: identity.nationality } : {}),
    })
    .where('id', '=', userId)
    .execute();
}

/**
 * Takes an identity that only a password linked off its account, with what it said; its number
 * counts as typed, so that its owner is asked again. True where there was one.
 */
export async function unlinkIfByPassword(
  transaction: Transaction,
  userId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set((eb) => ({
      uaepass_id: null,
      typed_emirates_id: eb.ref('emirates_id'),
      emirates_id: null,
      full_name_ar: null,
      nationality: null,
      linked_by_password: false,
    }))
    .where('id', '=', userId)
    .where('linked_by_password', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// UAE PASS has proved both.
const provedAddresses = ({ phoneNumber, email }: Identity) => ({
  ...(phoneNumber ? { phone_number: phoneNumber, phone_verified_at: new Date() } : {}),
  ...(email ? { email, email_verified_at: new Date() } : {}),
});

/**
 * An account that UAE PASS made follows what UAE PASS says; one with a password keeps what its
 * person has said here.
 */
export async function updateFromIdentity(
  transaction: Transaction,
  user: { id: string; password_hash: string | null; emirates_id: string | null },
  identity: Identity,
): Promise<void> {
  const isFree =
    identity.emiratesId &&
    !user.emirates_id &&
    !(await findUserByEmiratesId(transaction, identity.emiratesId));
  const changes = {
    ...(isFree ? { emirates_id: identity.emiratesId } : {}),
    ...(identity.nameAr ? { full_name_ar: identity.nameAr } : {}),
    ...(identity.nationality ? { nationality: identity.nationality } : {}),
    ...(user.password_hash
      ? {}
      : {
          ...((identity.nameEn ?? identity.nameAr)
            ? { full_name: identity.nameEn ?? identity.nameAr }
            : {}),
          ...provedAddresses(identity),
        }),
  };
  if (Object.keys(changes).length > 0)
    await transaction.updateTable('users').set(changes).where('id', '=', user.id).execute();
}

/** A new client account; `undefined` when somebody was quicker. */
export async function insertUserOfIdentity(
  transaction: Transaction,
  username: string,
  identity: Identity,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('users')
    .values({
      username,
      password_hash: null,
      full_name: identity.nameEn ?? identity.nameAr ?? identity.email ?? username,
      full_name_ar: identity.nameAr ?? null,
      phone_number: identity.phoneNumber ?? '',
      email: identity.email ?? '',
      ...provedAddresses(identity),
      roles: [],
      company_id: null,
      partner_id: null,
      emirates_id: identity.emiratesId ?? null,
      uaepass_id: identity.subject,
      nationality: identity.nationality ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
