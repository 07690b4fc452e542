import type { AuditKind } from '@diwan/contract/people/audit';
import type { Database, Transaction } from '../database/database.ts';
import type { AuditDetail } from '../database/database-types.ts';

/**
 * One event of the audit log: about whom, in which session, from which address. It never holds what
 * somebody typed.
 */
export interface AuditEntry extends AuditDetail {
  kind: AuditKind;
  userId?: string | undefined;
  sessionId?: string | undefined;
  address?: string | undefined;
}

/**
 * Appends to the audit log, in the transaction of what it tells of where there is one. Changes of
 * roles and suspensions write themselves (0006-identity.sql).
 */
export async function recordAudit(
  database: Database | Transaction,
  ...entries: AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return;
  await database
    .insertInto('audit_events')
    .values(
      entries.map(({ kind, userId, sessionId, address, ...detail }) => ({
        kind,
        user_id: userId ?? null,
        session_id: sessionId ?? null,
        address: address ?? null,
        detail: JSON.stringify(detail),
      })),
    )
    .execute();
}
