import { z } from 'zod';
import { auditReaders, defineCall } from '../wire/call.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** The kinds of event in the audit log. `sessionEnded` has a reason in `detail`. */
export const auditKinds = [
  'signedIn',
  'signedInByUAEPass',
  'signInFailed',
  'signInByUAEPassRefused',
  'passwordChanged',
  'passwordChangeFailed',
  'rolesChanged',
  'accountSuspended',
  'accountRestored',
  'accountCreated',
  'accountLinked',
  'accountUnlinked',
  'sessionEnded',
  'passwordReset',
  'passwordResetFailed',
  'passwordCodeSent',
  'contactChanged',
  'actingCodeSent',
  'actingRefused',
  'actingBegan',
  'actingEnded',
  'secondFactorSet',
  'secondFactorRemoved',
  'secondFactorReset',
  'recoveryCodeUsed',
  'recoveryCodesRenewed',
  'secondFactorPolicyChanged',
  'workflowPutInForce',
  'refundRecorded',
  'exported',
] as const;
export type AuditKind = (typeof auditKinds)[number];

/**
 * Why a session ended: the user signed out, changed the password, an old token was used again (it
 * may have been stolen), the second factor was set up or removed, or an administrator ended it or
 * suspended the account or its company.
 */
export const sessionEnds = [
  'signedOut',
  'passwordChanged',
  'tokenReused',
  'passwordReset',
  'endedByOwner',
  'secondFactorSet',
  'secondFactorReset',
  'endedByAdministrator',
  'accountSuspended',
  'companySuspended',
] as const;
export type SessionEnd = (typeof sessionEnds)[number];

/**
 * One event; events never change. `username` and `fullName` are those of the account concerned,
 * absent for an attempt with an unknown username; `address` is the caller's network address;
 * `reason`, `before` and `after` come with the kinds that have them; `by` is the name of
 * another person who caused it. `call` and `filter` are of an export: the name of the call and its
 * parameters.
 */
export const auditEvent = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  kind: z.enum(auditKinds),
  username: z.string().optional(),
  fullName: z.string().optional(),
  address: z.string().optional(),
  reason: z.string().optional(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  by: z.string().optional(),
  call: z.string().optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** Newest first. `Day` is a day in Asia/Dubai, `Username` a complete username in any case. */
export const getAuditEvents = defineCall({
  name: 'getAuditEvents',
  method: 'GET',
  path: '/api/User/GetAuditEvents',
  who: auditReaders,
  summary: 'The audit log of sign-ins, passwords, roles and sessions',
  query: z.object({
    Username: z.string().trim().max(200).optional(),
    Kind: z.enum(auditKinds).optional(),
    Day: z.iso.date().optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(auditEvent),
  refusals: [],
});
