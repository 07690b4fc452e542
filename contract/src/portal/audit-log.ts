import { z } from 'zod';
import { auditEvent, auditKinds } from '../people/audit.ts';
import { agencyChangeEntities, change, changeEntities } from '../people/changes.ts';
import { historyActions } from '../requests/workflow.ts';
import { recordedReasons } from '../staff/access-log.ts';
import { agencyAuditors, defineCall } from '../wire/call.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/**
 * What the audit log is made of: events of accounts such as sign-ins, changes of administrators, lists
 * that left as files, personal data that staff read, and acts of staff on requests.
 */
export const logSources = ['account', 'change', 'export', 'read', 'request'] as const;
export type LogSource = (typeof logSources)[number];

/** The kinds by which the log is filtered: a source, or a part of one such as `change.refund`. */
export const logKinds = [
  ...logSources,
  ...auditKinds.filter((kind) => kind !== 'exported').map((kind) => `account.${kind}` as const),
  ...changeEntities.map((entity) => `change.${entity}` as const),
  ...historyActions.map((action) => `request.${action}` as const),
] as const;
export type LogKind = (typeof logKinds)[number];

/**
 * The kinds in the log of an administrator of agencies: changes of what is of these agencies, and the
 * accounts and exports of their staff. Decision 0150.
 */
export const agencyLogKinds: readonly LogKind[] = logKinds.filter((kind) => {
  const [source, detail] = kind.split('.');
  if (source === 'change')
    return detail === undefined || agencyChangeEntities.some((entity) => entity === detail);
  return source === 'account' || source === 'export';
});

/** The things by which the log is filtered. */
export const logThings = ['request', 'payment', 'service', 'user'] as const;
export type LogThing = (typeof logThings)[number];

/** The list ends after this number of entries; older ones are found by filters and in the export. */
export const maximumListedEntries = 5000;

/**
 * One entry; entries never change. `key` tells it from all others. `username` and `fullName` are of
 * who acted, of an event those of the account. One of the last four fields says what was done; `act`
 * and `read` are about a request, `documentName` of a document of it, empty for a deleted one.
 */
export const logEntry = z.object({
  key: z.string(),
  at: z.iso.datetime(),
  source: z.enum(logSources),
  username: z.string().optional(),
  fullName: z.string().optional(),
  address: z.string().optional(),
  change: change.optional(),
  event: auditEvent.optional(),
  act: z.object({ requestNumber: z.string(), action: z.enum(historyActions) }).optional(),
  read: z
    .object({
      requestNumber: z.string(),
      documentName: z.string().optional(),
      reason: z.enum(recordedReasons).optional(),
      reasonText: z.string().optional(),
    })
    .optional(),
});
export type LogEntry = z.infer<typeof logEntry>;

/**
 * `Username` is a complete username. `Thing` is its kind and what names it: `request/DW-2026-000001`,
 * `payment/` and its reference, `service/` and its id, `user/` and the username. `From` and `Until`
 * are days in Asia/Dubai, both included; `Until` before `From` is refused.
 */
const logFilter = {
  Username: z.string().trim().max(200).optional(),
  Thing: z
    .string()
    .trim()
    .max(200)
    .regex(new RegExp(`^(?:${logThings.join('|')})/.+$`))
    .optional(),
  Kind: z.enum(logKinds).optional(),
  From: z.iso.date().optional(),
  Until: z.iso.date().optional(),
};

/** Newest first; entries of the same time by their source, then the newest. Our own call. */
export const getAuditLog = defineCall({
  name: 'getAuditLog',
  method: 'GET',
  path: '/api/User/GetAuditLog',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'Who did what, to which thing, when and from where',
  query: z.object({ ...logFilter, PageNumber: pageNumber, Take: take }),
  reply: pageOf(logEntry).extend({ isTotalAtLeast: z.boolean().optional() }),
  refusals: [],
});

/** The forms of the exported log. */
export const auditFormats = ['csv', 'jsonl'] as const;

/**
 * The whole log that fits the filters as a file, in the order of the list: CSV in UTF-8 with a byte
 * order mark and with kinds and actions in words of the language, or one entry as JSON a line. Our own
 * call.
 */
export const exportAuditLog = defineCall({
  name: 'exportAuditLog',
  method: 'GET',
  mayLag: true,
  path: '/api/User/ExportAuditLog',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'The audit log as a CSV file or JSON lines',
  query: z.object({ Format: z.enum(auditFormats), ...logFilter }),
  reply: 'file',
  isExport: true,
  refusals: [],
});
