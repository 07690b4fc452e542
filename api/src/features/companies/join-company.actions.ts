import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { findPasswordChangeErrors } from '@diwan/contract/people/password';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { Refusal, ValidationRefusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/caller.ts';
import { createUser } from '../users/model/create-user.actions.ts';
import { hashPassword } from '../../platform/auth/password-hash.ts';
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
  if (!(await store.acceptInvitation(transaction, invitation.id, userId)))
    throw new Refusal('InvitationNotValid');
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
  return database.transaction().execute(async (transaction) => {
    const invitation = await lockInvitation(transaction, token);
    const account = await store.lockAccount(transaction, caller.userId);
    if (account.company_id === invitation.company_id) throw new Refusal('AlreadyInCompany');
    if (account.roles.length > 0 || account.company_id !== null || account.partner_id !== null)
      throw new Refusal('AccountCannotJoinCompany');
    if (account.email.toLowerCase() !== invitation.email)
      throw new Refusal('InvitationForAnotherAddress');
    await join(transaction, invitation, caller.userId);
    return invitation;
  });
}

interface NewPerson {
  token: string;
  username: string;
  fullName: string;
  phoneNumber: string;
  newPassword: string;
  confirmNewPassword: string;
}

const usernameForm = /^[a-z0-9][a-z0-9._-]{2,39}$/;

function validate(person: NewPerson): {
  values: { fullName: string; phoneNumber: string };
  username: string;
  issues: ValidationIssue[];
} {
  const { values, issues } = checkContacts(
    { fullName: 'name', phoneNumber: 'mobile' },
    { fullName: person.fullName, phoneNumber: person.phoneNumber },
  );
  const username = person.username.trim().toLowerCase();
  const faults = findPasswordChangeErrors(
    {
      oldPassword: '-',
      newPassword: person.newPassword,
      confirmNewPassword: person.confirmNewPassword,
    },
    [username, ...person.fullName.split(/\s+/)],
  );
  const ofPassword = Object.entries(faults).flatMap(([field, codes]) =>
    codes.map((code): ValidationIssue => ({ field, code })),
  );
  const ofUsername: ValidationIssue[] = usernameForm.test(username)
    ? []
    : [{ field: 'username', code: username === '' ? 'required' : 'pattern' }];
  return { values, username, issues: [...ofUsername, ...issues, ...ofPassword] };
}

/**
 * Joins with a new account, whose e-mail address the link has verified. Returns the id of the user.
 */
export async function joinAsNew(database: Database, person: NewPerson): Promise<string> {
  await getInvitation(database, person.token);
  const { values, username, issues } = validate(person);
  if (issues.length > 0) throw new ValidationRefusal(issues);
  // Hashed before the company is locked, because a hash takes long.
  const passwordHash = await hashPassword(person.newPassword);
  return database.transaction().execute(async (transaction) => {
    const invitation = await lockInvitation(transaction, person.token);
    const userId = await createUser(transaction, {
      username,
      passwordHash,
      email: invitation.email,
      ...values,
    });
    await join(transaction, invitation, userId);
    return userId;
  });
}
