import { announceAccessChange } from '#platform/auth/access-changes.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { cancelInvitation } from '#platform/messages/invitations.store.ts';
import type { RoleChange, RoleConfirmation } from '@diwan/contract/staff/role-changes';
import type { Language } from '@diwan/contract/wire/languages';
import type { AccountContext } from '../notifications/account-messages.ts';
import { applyPosition, lockPartners, lockRolesAs, type Admin } from './positions.actions.ts';
import * as store from './role-changes.store.ts';
import {
  prepareInvitation,
  sendInvitation,
  type PreparedInvitation,
} from './staff-invitations.actions.ts';
import { lockOpenInvitation } from './staff-invitations.store.ts';
import { openPositionDescriber } from './user-records.actions.ts';
import { findUser, lockUser } from './user-records.store.ts';

const isOvertaken = (change: store.PendingChange) =>
  change.kind === 'roles' && change.user_version !== change.current_version;

/** The rule and the changes that wait, as an admin sees them. */
export async function readConfirmation(
  { database }: Pick<AccountContext, 'database'>,
  caller: Caller,
  language: Language,
): Promise<RoleConfirmation> {
  const [isRequired, adminsCount, pending] = await Promise.all([
    store.isConfirmationRequired(database),
    store.countAdmins(database),
    store.selectPendingChanges(database),
  ]);
  const describePosition = await openPositionDescriber(
    database,
    pending.flatMap(({ before, after }) => [before, after]),
    language,
  );
  const describe = (change: store.PendingChange): RoleChange => ({
    changeId: change.id,
    kind: change.kind,
    userId: change.user_id ?? undefined,
    fullName:
      change.user_name === null
        ? (change.invited_name ?? undefined)
        : localizePersonName(
            { full_name: change.user_name, full_name_ar: change.user_name_ar },
            language,
          ),
    email: change.invited_email ?? undefined,
    before: describePosition(change.before),
    after: describePosition(change.after),
    askedBy: localizePersonName(
      { full_name: change.asked_by_name, full_name_ar: change.asked_by_name_ar },
      language,
    ),
    askedAt: change.asked_at.toISOString(),
    isMine: change.asked_by === caller.userId,
    isOvertaken: isOvertaken(change),
  });
  return { isRequired, adminsCount, pending: pending.map(describe) };
}

const recordRule = (transaction: Transaction, admin: Admin, isRequired: boolean) =>
  recordChange(transaction, admin, {
    entity: 'setting',
    entityId: 'roleConfirmation',
    action: 'changed',
    before: { roleConfirmation: !isRequired },
    after: { roleConfirmation: isRequired },
  });

/**
 * Begins the rule that changes of roles wait for a second admin, or asks another admin to end it:
 * one who could end it alone could change any role alone.
 */
export async function changeConfirmation(
  { database }: Pick<AccountContext, 'database'>,
  admin: Admin,
  isRequired: boolean,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockRolesAs(transaction, admin);
    if ((await store.isConfirmationRequired(transaction)) === isRequired) return;
    if (isRequired) {
      // guard: rule of a second administrator with one administrator (staff)
      if ((await store.countAdmins(transaction)) < 2) throw new Refusal('TwoAdministratorsNeeded');
      await store.setConfirmation(transaction, true);
      await recordRule(transaction, admin, true);
      return;
    }
    const isStored = await store.insertRoleChange(transaction, {
      kind: 'confirmationOff',
      askedBy: admin.caller.userId,
    });
    if (!isStored) throw new Refusal('ChangeIsPending');
    await recordChange(transaction, admin, {
      entity: 'setting',
      entityId: 'roleConfirmation',
      action: 'requested',
      before: { roleConfirmation: true },
      after: { roleConfirmation: false },
    });
  });
}

interface Outcome {
  invitation?: PreparedInvitation | undefined;
  userId?: string;
}

async function confirm(
  transaction: Transaction,
  admin: Admin,
  change: store.PendingChange,
): Promise<Outcome> {
  if (change.kind === 'confirmationOff') {
    await store.setConfirmation(transaction, false);
    await recordRule(transaction, admin, false);
    return {};
  }
  if (change.kind === 'invitation') {
    const invitation = await lockOpenInvitation(transaction, { id: change.invitation_id ?? '' });
    if (!invitation) throw new Refusal('RecordHasChanged');
    await recordChange(transaction, admin, {
      entity: 'user',
      entityId: invitation.id,
      name: invitation.full_name,
      action: 'confirmed',
    });
    return { invitation: await prepareInvitation(transaction, invitation) };
  }
  const user = await lockUser(transaction, change.user_id ?? '');
  // guard: change of roles that the account has overtaken (staff) => !user
  if (!user || user.version !== change.user_version) throw new Refusal('RecordHasChanged');
  await applyPosition(transaction, admin, user, {
    action: 'confirmed',
    askedBy: change.asked_by,
    roles: change.after.roles ?? [],
    partnerId: change.after.partnerId ?? null,
    agencies: change.after.agencies,
    readsUrgently: change.after.readsUrgently,
  });
  return { userId: user.id };
}

// The mail of a refused invitation is never sent.
async function reject(
  transaction: Transaction,
  admin: Admin,
  change: store.PendingChange,
): Promise<void> {
  if (change.invitation_id)
    await cancelInvitation(transaction, 'staff_invitations', change.invitation_id);
  const isRule = change.kind === 'confirmationOff';
  await recordChange(transaction, admin, {
    entity: isRule ? 'setting' : 'user',
    entityId: change.user_id ?? change.invitation_id ?? 'roleConfirmation',
    name: change.user_name ?? change.invited_name ?? undefined,
    action: 'refused',
    ...(isRule ? {} : { before: { ...change.after } }),
  });
}

/**
 * Decides a change that waits. Nobody confirms or refuses their own change, and nobody whom the asker
 * or the last days made an admin confirms one. Throws NotFound, NotOnOwnChange,
 * SecondPersonNotIndependent, RecordHasChanged.
 */
export async function decideChange(
  context: AccountContext,
  admin: Admin,
  { changeId, decision }: { changeId: string; decision: 'confirm' | 'refuse' | 'withdraw' },
): Promise<void> {
  const { database } = context;
  const outcome = await inTransaction(database, async (transaction): Promise<Outcome> => {
    // The partners are locked before the accounts, as by all changes of supervisors.
    const seen = await store.findPendingChange(transaction, changeId);
    const account = seen?.user_id ? await findUser(transaction, seen.user_id) : undefined;
    if (seen && account && decision === 'confirm')
      await lockPartners(transaction, account, {
        roles: seen.after.roles ?? [],
        partnerId: seen.after.partnerId ?? null,
      });
    await lockRolesAs(transaction, admin);
    const change = await store.findPendingChange(transaction, changeId);
    if (!change) throw new Refusal('NotFound');
    const isMine = change.asked_by === admin.caller.userId;
    // guard: second person of a change of roles (staff)
    if (isMine !== (decision === 'withdraw')) throw new Refusal('NotOnOwnChange');
    const { userId } = admin.caller;
    // guard: independent second person of a change of roles (staff)
    if (decision === 'confirm')
      await requireIndependence(transaction, { askedBy: change.asked_by, confirmedBy: userId });
    const words = { confirm: 'confirmed', refuse: 'refused', withdraw: 'withdrawn' } as const;
    await store.closeRoleChange(transaction, changeId, words[decision], userId);
    if (decision === 'confirm') return confirm(transaction, admin, change);
    await reject(transaction, admin, change);
    return {};
  });
  if (outcome.userId) await announceAccessChange(database, outcome.userId);
  if (outcome.invitation) await sendInvitation(context, admin, outcome.invitation);
}
