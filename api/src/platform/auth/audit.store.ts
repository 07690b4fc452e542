import type { AuditKind, AuditEvent } from '@diwan/contract/people/audit';
import type { Database, Transaction } from '../database/database.ts';
import type { CallerNames } from './caller.ts';

/** What an audit event holds beside who and when. */
type AuditDetail = Pick<AuditEvent, 'reason' | 'before' | 'after' | 'by' | 'call' | 'filter'> & {
  /** The Arabic name of `by`, where one was known. */
  byAr?: string | undefined;
};

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'audit_events.detail': AuditDetail;
    'audit_events.kind': AuditKind;
  }
}

/**
 * An event of the audit log: its user, session and address. It contains
 * what a user typed only in the filter of an export.
 */
interface AuditEntry extends Omit<AuditDetail, 'by' | 'byAr'> {
  kind: AuditKind;
  userId?: string | undefined;
  sessionId?: string | undefined;
  address?: string | undefined;
  /** Another person who caused it. */
  by?: CallerNames | undefined;
}

/**
 * Appends events to the audit log, in the transaction of the change where there is one. Triggers
 * record changes of roles and suspensions (0006-identity.sql).
 */
export async function recordAudit(
  database: Database | Transaction,
  ...entries: AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return;
  await database
    .insertInto('audit_events')
    .values(
      entries.map(({ kind, userId, sessionId, address, by, ...detail }) => ({
        kind,
        user_id: userId ?? null,
        session_id: sessionId ?? null,
        address: address ?? null,
        detail: JSON.stringify({
          ...detail,
          ...(by ? { by: by.fullName, byAr: by.fullNameAr ?? undefined } : {}),
        }),
      })),
    )
    .execute();
}
