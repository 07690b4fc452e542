import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { passwordChangeFaults } from '@diwan/contract/people/password';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { Refusal, ValidationRefusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import { createPasswordUser } from '../users/model/password-users.actions.ts';
import { hashPassword } from '../users/users.actions.ts';
import { getInvitation } from './company-invitations.actions.ts';
import * as store from './company-users.store.ts';

type Invitation = Awaited<ReturnType<typeof getInvitation>>;

// Company first, then invitation, as everybody who changes the people of a company does.
async function open(transaction: Transaction, token: string): Promise<Invitation> {
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
 * Joins with the caller's own account. The link alone is not enough: mail is forwarded, and a
 * company means a person.
 */
export async function accept(
  database: Database,
  caller: Caller,
  token: string,
): Promise<Invitation> {
  return database.transaction().execute(async (transaction) => {
    const invitation = await open(transaction, token);
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

export interface NewPerson {
  token: string;
  username: string;
  fullName: string;
  phoneNumber: string;
  newPassword: string;
  confirmNewPassword: string;
}

const usernameForm = /^[a-z0-9][a-z0-9._-]{2,39}$/;

function judge(person: NewPerson): {
  values: { fullName: string; phoneNumber: string };
  username: string;
  issues: ValidationIssue[];
} {
  const { values, issues } = checkContacts(
    { fullName: 'name', phoneNumber: 'mobile' },
    { fullName: person.fullName, phoneNumber: person.phoneNumber },
  );
  const username = person.username.trim().toLowerCase();
  const faults = passwordChangeFaults(
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

/** Joins with a new account, whose e-mail address the link has proved. Answers whose it is. */
export async function joinAsNew(database: Database, person: NewPerson): Promise<string> {
  await getInvitation(database, person.token);
  const { values, username, issues } = judge(person);
  if (issues.length > 0) throw new ValidationRefusal(issues);
  // Before the company is locked: a hash takes its time.
  const passwordHash = await hashPassword(person.newPassword);
  return database.transaction().execute(async (transaction) => {
    const invitation = await open(transaction, person.token);
    const userId = await createPasswordUser(transaction, {
      username,
      passwordHash,
      email: invitation.email,
      ...values,
    });
    await join(transaction, invitation, userId);
    return userId;
  });
}
