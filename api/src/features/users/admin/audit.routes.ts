import { getAuditEvents } from '@diwan/contract/people/audit';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import { listAuditEvents } from './audit.store.ts';

/** The audit log, for those who look after the portal. */
export function serveAudit(context: AppContext): void {
  serve(context, getAuditEvents, async ({ query }) => {
    const { rows, count } = await listAuditEvents(context.database, {
      username: query.Username,
      kind: query.Kind,
      day: query.Day,
      pageNumber: query.PageNumber,
      take: query.Take,
    });
    const items = rows.map(({ id, at, kind, address, detail, username, full_name }) => ({
      id,
      at: at.toISOString(),
      kind,
      ...(username ? { username } : {}),
      ...(full_name ? { fullName: full_name } : {}),
      ...(address ? { address } : {}),
      ...detail,
    }));
    return { items, pageNumber: query.PageNumber, totalCount: count };
  });
}
