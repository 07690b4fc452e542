import type { Channel } from '@diwan/contract/people/accounts';
import type { Transaction } from '../../../platform/database/database.ts';

/**
 * An account with a password, of which one address is proved, the e-mail address unless `proved`
 * says otherwise; the values are judged already. `phoneNumber` in E.164.
 */
export interface PasswordUser {
  username: string;
  passwordHash: string;
  fullName: string;
  phoneNumber: string;
  email: string;
  proved?: Channel;
  /** As it was typed, which proves nothing. Decision 0016. */
  emiratesId?: string | undefined;
}

/** The new id; `undefined` when the username is taken. */
export async function insertPasswordUser(
  transaction: Transaction,
  user: PasswordUser,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('users')
    .values({
      username: user.username,
      password_hash: user.passwordHash,
      full_name: user.fullName,
      phone_number: user.phoneNumber,
      email: user.email,
      roles: [],
      company_id: null,
      partner_id: null,
      typed_emirates_id: user.emiratesId ?? null,
      ...(user.proved === 'sms'
        ? { phone_verified_at: new Date() }
        : { email_verified_at: new Date() }),
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
