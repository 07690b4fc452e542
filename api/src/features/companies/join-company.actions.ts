import type { Caller } from '#platform/auth/caller.ts';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { acceptInvitation } from '#platform/messages/invitations.store.ts';
import type { joinCompany } from '@diwan/contract/people/companies';
import { checkNewAccount } from '@diwan/contract/people/new-account';
import type { BodyOf } from '@diwan/contract/wire/call';
import { createUser } from '../users/model/create-user.actions.ts';
import { getInvitation } from './company-invitations.actions.ts';
import * as store from './company-users.store.ts';

type Invitation = Awaited<ReturnType<typeof getInvitation>>;

// Locks the company before the invitation, as all changes of company users do.
async function lockInvitation(transaction: Transaction, token: string): Promise<Invitation> {
  const { company_id: companyId } = await getInvitation(transaction, token);
  await store.lockCompany(transaction, companyId);
  return getInvitation(transaction, token);
}

async function join(
  transaction: Transaction,
  invitation: Invitation,
  userId: string,
): Promise<void> {
  await acceptInvitation(transaction, 'company_invitations', invitation.id, userId);
  await store.joinCompany(transaction, userId, invitation.company_id);
}

/**
 * Joins with the caller's account, which must have the invited e-mail address: an invitation is
 * personal, and mail can be forwarded.
 */
export async function accept(
  database: Database,
  caller: Caller,
  token: string,
): Promise<Invitation> {
  return inTransaction(database, async (transaction) => {
    const invitation = await lockInvitation(transaction, token);
    const account = await store.lockAccount(transaction, caller.userId);
    if (account.company_id === invitation.company_id) throw new Refusal('AlreadyInCompany');
    // guard: account that cannot join a company (company-users)
    if (account.roles.length > 0 || account.company_id !== null || account.partner_id !== null)
      throw new Refusal('AccountCannotJoinCompany');
    // guard: address of an invitation (company-users)
    if (account.email.toLowerCase() !== invitation.email)
      throw new Refusal('InvitationForAnotherAddress');
    await join(transaction, invitation, caller.userId);
    return invitation;
  });
}

/**
 * Joins with a new account, whose e-mail address the link has verified. Returns the id of the user.
 */
export async function joinAsNew(
  database: Database,
  person: BodyOf<typeof joinCompany>,
): Promise<string> {
  const { email } = await getInvitation(database, person.token);
  const { values, issues } = checkNewAccount({ ...person, email });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  // Hashed before the company is locked, because a hash takes long.
  const passwordHash = await hashPassword(person.password);
  return inTransaction(database, async (transaction) => {
    const invitation = await lockInvitation(transaction, person.token);
    const userId = await createUser(transaction, {
      ...values,
      email: invitation.email,
      passwordHash,
      verifiedChannel: 'email',
    });
    await join(transaction, invitation, userId);
    return userId;
  });
}
