import { z } from 'zod';
import { administrators, auditReaders, defineCall } from '../wire/call.ts';
import { position } from './user-administration.ts';

/**
 * What waits for a second admin: new roles of an account, an invitation, or the end of the rule that
 * changes of roles wait.
 */
export const roleChangeKinds = ['roles', 'invitation', 'confirmationOff'] as const;
export type RoleChangeKind = (typeof roleChangeKinds)[number];

/** Roles, partner, agencies and the urgent right as they are stored; what is missing stays as it is. */
export interface RolePosition {
  roles?: string[];
  partnerId?: number | null;
  agencies?: 'all' | number[];
  readsUrgently?: boolean;
}

/**
 * A change that waits. `userId` is given for the roles of an account, `email` for an invitation.
 * `isOvertaken`: the account has changed since, so that the change can only be refused. The one who
 * asked can withdraw it and never confirm it.
 */
export const roleChange = z.object({
  changeId: z.uuid(),
  kind: z.enum(roleChangeKinds),
  userId: z.uuid().optional(),
  fullName: z.string().optional(),
  email: z.string().optional(),
  before: position,
  after: position,
  askedBy: z.string(),
  askedAt: z.string(),
  isMine: z.boolean(),
  isOvertaken: z.boolean(),
});
export type RoleChange = z.infer<typeof roleChange>;

/** The rule, the number of admins who can sign in, and the changes that wait, the oldest first. */
export const roleConfirmation = z.object({
  isRequired: z.boolean(),
  adminsCount: z.int(),
  pending: z.array(roleChange),
});
export type RoleConfirmation = z.infer<typeof roleConfirmation>;

export const getRoleConfirmation = defineCall({
  name: 'getRoleConfirmation',
  method: 'GET',
  path: '/api/User/RoleConfirmation',
  who: auditReaders,
  summary: 'Whether changes of roles wait for a second admin, and those that wait',
  reply: roleConfirmation,
  refusals: [],
});

/** The rule begins immediately; its end waits for another admin like a change of roles. */
export const changeRoleConfirmation = defineCall({
  name: 'changeRoleConfirmation',
  method: 'POST',
  path: '/api/User/RoleConfirmation',
  who: administrators,
  summary: 'Set whether changes of roles wait for a second admin',
  body: z.object({ isRequired: z.boolean() }),
  reply: roleConfirmation,
  refusals: ['TwoAdministratorsNeeded', 'ChangeIsPending'],
});

export const decideRoleChange = defineCall({
  name: 'decideRoleChange',
  method: 'POST',
  path: '/api/User/DecideRoleChange',
  who: administrators,
  summary:
    'Confirm or refuse a change of roles that another admin asked for, or withdraw an own one',
  body: z.object({ changeId: z.uuid(), decision: z.enum(['confirm', 'refuse', 'withdraw']) }),
  reply: roleConfirmation,
  refusals: [
    'NotFound',
    'NotOnOwnChange',
    'SecondPersonNotIndependent',
    'RecordHasChanged',
    'LastAdministrator',
    'TwoAdministratorsNeeded',
    'AccountCannotHaveRoles',
    'ProviderNeedsSupervisor',
    'MailUnreachable',
  ],
});
