import { getAuditEvents, type AuditEvent } from '@diwan/contract/people/audit';
import type { EveryField } from '@diwan/contract/wire/call';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import { listAuditEvents } from './audit.store.ts';

/** Routes of the audit log for admins. */
export function serveAudit(context: AppContext): void {
  serve(context, getAuditEvents, async ({ query }) => {
    const { rows, count } = await listAuditEvents(context.database, {
      username: query.Username,
      kind: query.Kind,
      day: query.Day,
      pageNumber: query.PageNumber,
      take: query.Take,
    });
    const items = rows.map((row): EveryField<AuditEvent> => ({
      id: row.id,
      at: row.at.toISOString(),
      kind: row.kind,
      username: row.username || undefined,
      fullName: row.full_name || undefined,
      address: row.address || undefined,
      reason: row.detail.reason,
      before: row.detail.before,
      after: row.detail.after,
      by: row.detail.by,
    }));
    return { items, pageNumber: query.PageNumber, totalCount: count };
  });
}
