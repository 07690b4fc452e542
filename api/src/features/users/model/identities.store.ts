import type { Identity } from '#platform/core/identity.ts';
import type { Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';

// Two sign-ins of one person at the same time must not create two accounts.
export async function lockIdentity(transaction: Transaction, identity: Identity): Promise<void> {
  await acquireNamedLock(transaction, `identity ${identity.emiratesId ?? identity.subject}`);
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

/** Returns whether an account without a linked identity was registered with this Emirates ID. */
export async function isClaimedEmiratesId(
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

/** Locks an account until the end of the transaction. */
export async function lockAccount(transaction: Transaction, userId: string) {
  return transaction
    .selectFrom('users')
    .select(['uaepass_id', 'emirates_id'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Links an identity to an account and removes the Emirates ID that was typed at registration.
 * `isByPassword` says whether only the password shows that both belong to one person; without it
 * the stored value stays.
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
      ...verifiedNames(identity),
      ...(identity.nationality ? { nationality: identity.nationality } : {}),
    })
    .where('id', '=', userId)
    .execute();
}

/**
 * Removes an identity that was linked by a password alone, with the data that it brought. Its
 * Emirates ID counts as typed again, so its owner is asked to confirm a link. Returns whether there
 * was one.
 */
export async function unlinkIfLinkedByPassword(
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
      full_name_en: null,
      nationality: null,
      linked_by_password: false,
    }))
    .where('id', '=', userId)
    .where('linked_by_password', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const verifiedNames = ({ nameAr, nameEn }: Identity) => ({
  ...(nameAr ? { full_name_ar: nameAr } : {}),
  ...(nameEn ? { full_name_en: nameEn } : {}),
});

// UAE PASS has verified both addresses.
const verifiedAddresses = ({ phoneNumber, email }: Identity) => ({
  ...(phoneNumber ? { phone_number: phoneNumber, phone_verified_at: new Date() } : {}),
  ...(email ? { email, email_verified_at: new Date() } : {}),
});

/**
 * Updates an account from UAE PASS. An account with a password keeps the name and the addresses
 * that its owner entered.
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
    ...verifiedNames(identity),
    ...(identity.nationality ? { nationality: identity.nationality } : {}),
    ...(user.password_hash
      ? {}
      : {
          ...((identity.nameEn ?? identity.nameAr)
            ? { full_name: identity.nameEn ?? identity.nameAr }
            : {}),
          ...verifiedAddresses(identity),
        }),
  };
  if (Object.keys(changes).length > 0)
    await transaction.updateTable('users').set(changes).where('id', '=', user.id).execute();
}

/**
 * Inserts a client account and returns its id, or `undefined` when another transaction has inserted
 * it.
 */
export async function insertUserFromIdentity(
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
      full_name_en: identity.nameEn ?? null,
      phone_number: identity.phoneNumber ?? '',
      email: identity.email ?? '',
      ...verifiedAddresses(identity),
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
