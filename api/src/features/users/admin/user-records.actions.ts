import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { areOfAgencies } from '#platform/auth/agencies/agency-administration.store.ts';
import { recordAudit } from '#platform/auth/audit.store.ts';
import { hasRole, type AgencyScope, type Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { OwnSession } from '@diwan/contract/people/accounts';
import type { RolePosition } from '@diwan/contract/staff/role-changes';
import type { Position, UserAction, UserRecord } from '@diwan/contract/staff/user-administration';
import {
  administrators,
  agencyAdministrators,
  roles,
  type EveryField,
} from '@diwan/contract/wire/call';
import { defaultLanguage, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { sendPasswordCodeOf } from '../account/forgotten-password.actions.ts';
import type { AccountContext } from '../notifications/account-messages.ts';
import { notifyOwner } from '../notifications/security-notifications.ts';
import { readSessionsOf } from '../sign-in/own-sessions.actions.ts';
import { endOwnSessions } from '../sign-in/own-sessions.store.ts';
import { selectNames } from './audit.store.ts';
import {
  agenciesOf,
  changePosition,
  lockPartners,
  lockStaffAs,
  parsePosition,
  requireOwnPosition,
  requireOtherAdmins,
  type Admin,
  type ChosenPosition,
} from './positions.actions.ts';
import { findPendingOfUser } from './role-changes.store.ts';
import * as store from './user-records.store.ts';

/** An account to change, as the admin saw it. */
interface Target {
  userId: string;
  version: number;
}

/** The roles of an account as an admin sees them. */
export const rolesOf = (userRoles: readonly string[]) => {
  const known = roles.filter((role) => userRoles.includes(role));
  return known.length > 0 ? known : (['Client'] as const);
};

// What an administrator of agencies can do with an employee of theirs.
const actionsOfAgencies: readonly UserAction[] = ['changeRoles', 'suspend', 'restore'];

const isEmployeeAlone = ({ roles: held }: { roles: readonly string[] }) =>
  held.length === 1 && held[0] === 'Employee';

function findAllowedActions(user: store.FoundUser, caller: Caller): UserAction[] {
  const isSelf = user.id === caller.userId;
  if (!hasRole(caller, agencyAdministrators)) return [];
  const isSuspended = user.suspended_at !== null;
  const hasAddress =
    (user.email_verified_at && user.email) || (user.phone_verified_at && user.phone_number);
  const allowed: Readonly<Record<UserAction, boolean>> = {
    changeRoles: user.company_id === null,
    suspend: !isSelf && !isSuspended,
    restore: isSuspended,
    resetSecondFactor: !isSelf && user.has_second_factor,
    sendPasswordCode: !isSuspended && user.password_hash !== null && Boolean(hasAddress),
    endSessions: !isSelf,
  };
  const isOfAgency = !hasRole(caller, administrators);
  if (isOfAgency && (isSelf || !isEmployeeAlone(user))) return [];
  return (Object.keys(allowed) as UserAction[]).filter(
    (action) => allowed[action] && (!isOfAgency || actionsOfAgencies.includes(action)),
  );
}

/** Describes positions that are stored with ids, in the caller's language. */
export async function openPositionDescriber(
  database: Database,
  positions: readonly (RolePosition | undefined)[],
  language: Language,
): Promise<(position: RolePosition) => Position> {
  const idsOf = (read: (position: RolePosition) => RolePosition['agencies']) =>
    positions.flatMap((each) => {
      const ids = each && read(each);
      return ids === undefined || ids === 'all' ? [] : ids;
    });
  const [partners, agencies] = await Promise.all([
    selectNames(
      database,
      'partners',
      idsOf(({ partnerId }) => (typeof partnerId === 'number' ? [partnerId] : [])),
    ),
    selectNames(
      database,
      'agencies',
      idsOf((each) => each.agencies),
    ),
  ]);
  const named = (names: ReadonlyMap<number, LocalizedText>) => (id: number) => {
    const name = names.get(id);
    return { id, name: name ? localize(name, language) : '' };
  };
  return ({ roles: userRoles = [], partnerId, agencies: chosen = [], readsUrgently = false }) => {
    const seen = agenciesOf(userRoles, chosen);
    return {
      roles: [...rolesOf(userRoles)],
      ...(typeof partnerId === 'number' ? { partner: named(partners)(partnerId) } : {}),
      allAgencies: seen === 'all',
      agencies: seen === 'all' ? [] : seen.map(named(agencies)),
      readsUrgently,
    };
  };
}

/** The agencies of an account in the caller's language. */
export const describeAgencies = (
  { all_agencies: allAgencies, agencies }: Pick<store.FoundUser, 'all_agencies' | 'agencies'>,
  language: Language,
) => ({
  allAgencies,
  agencies: agencies.map(({ id, name }) => ({ id, name: localize(name, language) })),
});

/** One account for an admin. Throws NotFound. */
export async function getUserRecord(
  database: Database,
  caller: Caller,
  userId: string,
  language: Language,
): Promise<EveryField<UserRecord>> {
  const [user, pending, onlyAdministered, teamsByAgency] = await Promise.all([
    store.findUser(database, userId),
    findPendingOfUser(database, userId),
    store.selectOnlyAdministered(database, userId),
    store.selectTeamsOfUser(database, userId),
  ]);
  if (!user) throw new Refusal('NotFound');
  const describe = await openPositionDescriber(database, [pending?.after], language);
  const named = (id: number | null, name: typeof user.company_name) =>
    id === null || name === null ? undefined : { id, name: localize(name, language) };
  return {
    id: user.id,
    username: user.username,
    fullName: localizePersonName(user, language),
    email: user.email,
    phoneNumber: user.phone_number,
    roles: [...rolesOf(user.roles)],
    company: named(user.company_id, user.company_name),
    partner: named(user.partner_id, user.partner_name),
    ...describeAgencies(user, language),
    createdAt: user.created_at.toISOString(),
    lastSignInAt: user.last_sign_in_at?.toISOString(),
    isSuspended: user.suspended_at !== null,
    hasSecondFactor: user.has_second_factor,
    version: user.version,
    hasPassword: user.password_hash !== null,
    hasUAEPass: user.uaepass_id !== null,
    isEmailVerified: user.email_verified_at !== null,
    isPhoneVerified: user.phone_verified_at !== null,
    isCompanyManager: user.is_company_manager,
    readsUrgently: user.reads_urgently,
    suspendedAt: user.suspended_at?.toISOString(),
    suspensionReason: user.suspension_reason ?? undefined,
    heldRequestsCount: user.held_requests_count,
    teams: teamsByAgency.flatMap(({ agency_id: agencyId, teams }) =>
      teams.map((team) => ({ ...team, agencyId })),
    ),
    limitedAgencyIds: teamsByAgency.flatMap(({ agency_id: agencyId, teams_only: isLimited }) =>
      isLimited ? [agencyId] : [],
    ),
    onlyAdministratorOf: onlyAdministered.map(({ id, name }) => ({
      id,
      name: localize(name, language),
    })),
    pendingRoles: pending && {
      ...describe(pending.after),
      askedBy: localizePersonName(
        { full_name: pending.asked_by_name, full_name_ar: pending.asked_by_name_ar },
        language,
      ),
      askedAt: pending.asked_at.toISOString(),
    },
    allowedActions: findAllowedActions(user, caller),
  };
}

/** The open sessions of a user. Throws NotFound. */
export async function listUserSessions(
  context: Pick<AccountContext, 'database' | 'config'>,
  caller: Caller,
  userId: string,
  language: Language,
): Promise<OwnSession[]> {
  const user = await store.findUser(context.database, userId);
  if (!user) throw new Refusal('NotFound');
  return readSessionsOf(context, {
    userId,
    roles: rolesOf(user.roles),
    isActing: false,
    currentSessionId: caller.sessionId,
    language,
  });
}

/** Locks an account for a change, after all other changes. It may differ from what the caller saw. */
async function lockTarget(
  transaction: Transaction,
  admin: Admin,
  { userId, version }: Target,
): Promise<{ user: store.UserRow; scope: AgencyScope }> {
  const scope = await lockStaffAs(transaction, admin);
  const user = await store.lockUser(transaction, userId);
  if (!user) throw new Refusal('NotFound');
  if (scope !== 'all') {
    // guard: staff whose agencies changed meanwhile (agency-staff)
    if (!(await areOfAgencies(transaction, 'staff', [userId], scope)))
      throw new Refusal('NotFound');
    // guard: own account of an agency administrator (agency-staff)
    if (userId === admin.caller.userId) throw new Refusal('NotOnOwnAccount');
    // guard: other administrators of the agency (agency-staff)
    if (!isEmployeeAlone(user)) throw new Refusal('YouAreUnauthorized');
  }
  if (user.version !== version) throw new Refusal('RecordHasChanged');
  return { user, scope };
}

/**
 * Suspends an account. Its sessions end, those in which it acts for others are refused from now on,
 * and its live connections close in all processes.
 */
export async function suspendUser(
  context: AccountContext,
  admin: Admin,
  target: Target & { reason: string },
): Promise<void> {
  const { userId, reason } = target;
  // guard: suspension of the own account (user-records)
  if (userId === admin.caller.userId) throw new Refusal('NotOnOwnAccount');
  await inTransaction(context.database, async (transaction) => {
    const { user } = await lockTarget(transaction, admin, target);
    if (user.suspended_at !== null) throw new Refusal('RecordHasChanged');
    // guard: suspension of one of the last two administrators (staff)
    await requireOtherAdmins(transaction, user);
    await store.setSuspension(transaction, userId, reason);
    await endOwnSessions(transaction, userId, {
      reason: 'accountSuspended',
      address: admin.address,
    });
    await recordChange(transaction, admin, {
      entity: 'user',
      entityId: userId,
      name: user.full_name,
      action: 'changed',
      before: { state: 'active', suspensionReason: null },
      after: { state: 'suspended', suspensionReason: reason },
    });
    await notifyOwner(context, transaction, {
      userId,
      event: 'accountSuspended',
      language: defaultLanguage,
    });
  });
  context.outbox.wake();
  await announceAccessChange(context.database, userId);
}

export async function restoreUser(
  context: AccountContext,
  admin: Admin,
  target: Target,
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const { user } = await lockTarget(transaction, admin, target);
    if (user.suspended_at === null) throw new Refusal('RecordHasChanged');
    await store.setSuspension(transaction, user.id, null);
    await recordChange(transaction, admin, {
      entity: 'user',
      entityId: user.id,
      name: user.full_name,
      action: 'changed',
      before: { state: 'suspended', suspensionReason: user.suspension_reason },
      after: { state: 'active', suspensionReason: null },
    });
    await notifyOwner(context, transaction, {
      userId: user.id,
      event: 'accountRestored',
      language: defaultLanguage,
    });
  });
  context.outbox.wake();
}

/** Ends one session of a user, or all. Returns their number. */
export async function endUserSessions(
  { database }: Pick<AccountContext, 'database'>,
  admin: Admin,
  userId: string,
  only: string | undefined,
): Promise<number> {
  const ended = await inTransaction(database, async (transaction) => {
    const user = await store.lockUser(transaction, userId);
    if (!user) throw new Refusal('NotFound');
    const count = await endOwnSessions(transaction, userId, {
      only,
      reason: 'endedByAdministrator',
      address: admin.address,
      by: admin.caller,
    });
    if (only !== undefined && count === 0) throw new Refusal('NotFound');
    return count;
  });
  await announceAccessChange(database, userId);
  return ended;
}

/** Sends a user the code for a new password. */
export async function sendPasswordCode(
  context: AccountContext,
  admin: Admin,
  userId: string,
): Promise<void> {
  const user = await store.findUser(context.database, userId);
  if (!user) throw new Refusal('NotFound');
  if (user.suspended_at !== null) throw new Refusal('PasswordCodeNotPossible');
  await sendPasswordCodeOf(context, user);
  await recordAudit(context.database, {
    kind: 'passwordCodeSent',
    userId,
    address: admin.address,
    by: admin.caller,
  });
}

/**
 * Sets the roles of an account, its partner and its agencies. The partners are locked before the account, as by
 * all changes of supervisors.
 */
export async function changeRoles(
  context: AccountContext,
  admin: Admin,
  target: Target & ChosenPosition,
): Promise<void> {
  const position = parsePosition(target);
  await inTransaction(context.database, async (transaction) => {
    const before = await store.findUser(transaction, target.userId);
    if (before) await lockPartners(transaction, before, position);
    const { user, scope } = await lockTarget(transaction, admin, target);
    requireOwnPosition(scope, position);
    if (user.partner_id !== before?.partner_id) throw new Refusal('RecordHasChanged');
    await changePosition(transaction, admin, user, position);
  });
  await announceAccessChange(context.database, target.userId);
}
