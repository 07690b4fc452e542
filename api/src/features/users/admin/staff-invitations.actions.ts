import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { areOfAgencies } from '#platform/auth/agencies/agency-administration.store.ts';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { nameOfCaller, type AgencyScope, type Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { sanitizePersonName } from '#platform/core/message-template.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { acceptInvitation, cancelInvitation } from '#platform/messages/invitations.store.ts';
import {
  hashInvitationToken,
  makeInvitationToken,
  sendInvitationMail,
} from '#platform/messages/invitations.ts';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { checkNewAccount } from '@diwan/contract/people/new-account';
import type { StaffInvitation } from '@diwan/contract/staff/staff-invitations';
import type { Language } from '@diwan/contract/wire/languages';
import { isAddressTaken, replaceAddress } from '../model/accounts.store.ts';
import { createUser } from '../model/create-user.actions.ts';
import type { AccountContext } from '../notifications/account-messages.ts';
import {
  agenciesOf,
  fieldsOf,
  lockStaffAs,
  parsePosition,
  requireAgencies,
  requireOwnPosition,
  requireSomeAgencies,
  toStored,
  type Admin,
  type ChosenPosition,
} from './positions.actions.ts';
import {
  insertRoleChange,
  isConfirmationRequired,
  withdrawChangesOfInvitation,
} from './role-changes.store.ts';
import * as store from './staff-invitations.store.ts';
import { describeAgencies, rolesOf } from './user-records.actions.ts';
import { hasOwnRequests, lockRoles, lockUser, setPosition } from './user-records.store.ts';

const messages = createTranslator('account-messages');

/** An invitation with the link that its mail will hold; it is nowhere else. */
export interface PreparedInvitation {
  id: string;
  email: string;
  language: Language;
  fullName: string;
  roles: readonly string[];
  token: string;
}

/** Makes the link of an invitation, in the transaction that permits it. */
export async function prepareInvitation(
  transaction: Transaction,
  invitation: store.InvitationRow,
): Promise<PreparedInvitation> {
  const { token, ...stored } = makeInvitationToken();
  await store.setToken(transaction, invitation.id, stored);
  return {
    id: invitation.id,
    email: invitation.email,
    language: invitation.language,
    fullName: invitation.full_name,
    roles: invitation.roles,
    token,
  };
}

/** Sends the mail of an invitation. Throws MailUnreachable. */
export async function sendInvitation(
  context: AccountContext,
  { caller }: Admin,
  { id, email, language, fullName, roles, token }: PreparedInvitation,
): Promise<void> {
  const values = {
    name: sanitizePersonName(fullName),
    person: sanitizePersonName(nameOfCaller(caller, language)),
    roles: roles
      .map((role) => messages(`staffInvitation.roles.${role}`, language))
      .join(messages('staffInvitation.separator', language)),
    link: `${context.publicUrl}/account/invitation#${token}`,
  };
  await sendInvitationMail(context, 'staff_invitations', id, {
    to: email,
    language,
    subject: messages('staffInvitation.subject', language, values),
    text: messages('staffInvitation.text', language, values),
  });
}

interface NewInvitation extends ChosenPosition {
  email: string;
  fullName: string;
  language: Language;
}

function checkInvitation(given: NewInvitation) {
  const { values, issues } = checkContacts(
    { fullName: 'name', email: 'email' },
    { fullName: given.fullName, email: given.email },
  );
  if (given.roles.length === 0) issues.push({ field: 'roles', code: 'required' });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return {
    ...parsePosition(given),
    email: values.email.toLowerCase(),
    fullName: values.fullName,
  };
}

const agencyColumns = (agencies: AgencyScope) => ({
  all_agencies: agencies === 'all',
  agency_ids: agencies === 'all' ? [] : [...agencies],
});
const agenciesIn = (row: store.InvitationRow): AgencyScope =>
  row.all_agencies ? 'all' : row.agency_ids;

/**
 * Invites a person to work for the portal or a service provider. Where changes of roles wait for a
 * second admin, the mail is sent when that one confirms.
 */
export async function inviteStaff(
  context: AccountContext,
  admin: Admin,
  given: NewInvitation,
): Promise<void> {
  const { email, fullName, ...chosen } = checkInvitation(given);
  const { roles, partnerId } = chosen;
  const position = { ...chosen, agencies: agenciesOf(roles, chosen.agencies ?? []) };
  requireSomeAgencies(position);
  const prepared = await inTransaction(context.database, async (transaction) => {
    const scope = await lockStaffAs(transaction, admin);
    requireOwnPosition(scope, position);
    if (partnerId !== null && !(await store.partnerExists(transaction, partnerId)))
      throw new ValidationRefusal([{ field: 'partnerId', code: 'notAllowed' }]);
    await requireAgencies(transaction, position.agencies);
    if (await store.hasAccount(transaction, email)) throw new Refusal('AddressHasAccount');
    const earlier = await store.lockOpenInvitation(transaction, { email });
    // guard: invitation of others for the same address (agency-staff)
    if (earlier && scope !== 'all' && !(await isOfScope(transaction, earlier.id, scope)))
      throw new Refusal('AddressHasAccount');
    if (earlier) await endInvitation(transaction, admin.caller, earlier.id);
    const id = await store.insertInvitation(transaction, {
      email,
      full_name: fullName,
      roles: [...roles],
      partner_id: partnerId,
      ...agencyColumns(position.agencies),
      language: given.language,
      invited_by: admin.caller.userId,
    });
    await recordChange(transaction, admin, {
      entity: 'user',
      entityId: id,
      name: fullName,
      action: 'invited',
      after: { email, ...fieldsOf(position) },
    });
    if (await isConfirmationRequired(transaction)) {
      await insertRoleChange(transaction, {
        kind: 'invitation',
        invitationId: id,
        after: toStored(position),
        askedBy: admin.caller.userId,
      });
      return undefined;
    }
    const invitation = await store.lockOpenInvitation(transaction, { id });
    return invitation && prepareInvitation(transaction, invitation);
  });
  if (prepared) await sendInvitation(context, admin, prepared);
}

const isOfScope = async (transaction: Transaction, id: string, scope: AgencyScope) =>
  scope === 'all' || (await areOfAgencies(transaction, 'invitation', [id], scope));

async function endInvitation(transaction: Transaction, caller: Caller, id: string): Promise<void> {
  await cancelInvitation(transaction, 'staff_invitations', id);
  await withdrawChangesOfInvitation(transaction, id, caller.userId);
}

/** Sends an invitation again, with a new link that is valid for seven more days. */
export async function resendInvitation(
  context: AccountContext,
  admin: Admin,
  id: string,
): Promise<void> {
  const prepared = await inTransaction(context.database, async (transaction) => {
    const scope = await lockStaffAs(transaction, admin);
    const invitation = await store.lockOpenInvitation(transaction, { id });
    if (!invitation || !(await isOfScope(transaction, id, scope))) throw new Refusal('NotFound');
    // Only the one who confirms it sends the first mail.
    // guard: invitation that waits for a second administrator (staff)
    if (invitation.token_hash === null) throw new Refusal('ChangeIsPending');
    return prepareInvitation(transaction, invitation);
  });
  await sendInvitation(context, admin, prepared);
}

export async function cancelStaffInvitation(
  { database }: Pick<AccountContext, 'database'>,
  admin: Admin,
  id: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const scope = await lockStaffAs(transaction, admin);
    const invitation = await store.lockOpenInvitation(transaction, { id });
    if (!invitation || !(await isOfScope(transaction, id, scope))) throw new Refusal('NotFound');
    await endInvitation(transaction, admin.caller, id);
    await recordChange(transaction, admin, {
      entity: 'user',
      entityId: id,
      name: invitation.full_name,
      action: 'deleted',
      before: { email: invitation.email },
    });
  });
}

export async function listInvitations(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<StaffInvitation[]> {
  const rows = await store.selectOpenInvitations(database, administeredAgencies(caller));
  return rows.map((row) => ({
    invitationId: row.id,
    email: row.email,
    fullName: row.full_name,
    roles: [...rolesOf(row.roles)],
    ...(row.partner_id !== null && row.partner_name
      ? { partner: { id: row.partner_id, name: localize(row.partner_name, language) } }
      : {}),
    ...describeAgencies(row, language),
    invitedBy: localizePersonName(
      { full_name: row.invited_by_name, full_name_ar: row.invited_by_name_ar },
      language,
    ),
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
    state: row.is_unconfirmed
      ? 'unconfirmed'
      : row.sent_at === null || row.expires_at === null
        ? 'notSent'
        : row.expires_at < new Date()
          ? 'expired'
          : 'sent',
  }));
}

/** The invitation of a token. Unknown, used, cancelled and expired tokens get the same error. */
export async function getStaffInvitation(database: Database | Transaction, token: string) {
  const invitation = await store.findByToken(database, hashInvitationToken(token));
  if (!invitation) throw new Refusal('InvitationNotValid');
  return invitation;
}

// The account gets the roles that were invited, in the name of the one who invited.
async function join(
  transaction: Transaction,
  invitation: Awaited<ReturnType<typeof getStaffInvitation>>,
  userId: string,
): Promise<void> {
  await acceptInvitation(transaction, 'staff_invitations', invitation.id, userId);
  const { roles, partner_id: partnerId } = invitation;
  const position = { roles, partnerId, agencies: agenciesOf(roles, agenciesIn(invitation)) };
  await setPosition(transaction, userId, { ...position, by: invitation.invited_by });
  await recordChange(
    transaction,
    { authorName: invitation.full_name },
    {
      entity: 'user',
      entityId: userId,
      name: invitation.full_name,
      action: 'created',
      after: {
        email: invitation.email,
        ...fieldsOf(position),
        invitedBy: invitation.invited_by_name,
      },
    },
  );
}

/**
 * Accepts with the account that is signed in, such as by UAE PASS. The account gets the invited
 * address, which the link has verified. One that has sent requests would lose them.
 */
export async function acceptStaffInvitation(
  database: Database,
  caller: Caller,
  token: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockRoles(transaction);
    const invitation = await getStaffInvitation(transaction, token);
    const account = await lockUser(transaction, caller.userId);
    if (
      !account ||
      account.roles.length > 0 ||
      account.company_id !== null ||
      account.partner_id !== null ||
      (await hasOwnRequests(transaction, caller.userId))
    )
      throw new Refusal('AccountCannotAcceptInvitation');
    if (!(await isAddressTaken(transaction, 'email', invitation.email, caller.userId)))
      await replaceAddress(transaction, caller.userId, 'email', invitation.email);
    await join(transaction, invitation, caller.userId);
  });
  await announceAccessChange(database, caller.userId);
}

/** Accepts with a new account and a password. Returns the id of the user. */
export async function joinAsStaff(
  database: Database,
  person: {
    token: string;
    username: string;
    fullName: string;
    phoneNumber: string;
    password: string;
    confirmPassword: string;
  },
): Promise<string> {
  const { email } = await getStaffInvitation(database, person.token);
  const { values, issues } = checkNewAccount({ ...person, email });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  // Hashed before the lock, because a hash takes long.
  const passwordHash = await hashPassword(person.password);
  return inTransaction(database, async (transaction) => {
    await lockRoles(transaction);
    const invitation = await getStaffInvitation(transaction, person.token);
    // The address may have become another person's account since the invitation.
    if (await isAddressTaken(transaction, 'email', invitation.email))
      throw new Refusal('InvitationNotValid');
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
