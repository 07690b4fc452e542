import { Readable } from 'node:stream';
import { getAuditEvents, type AuditEvent } from '@diwan/contract/people/audit';
import { exportAuditLog, getChanges, type Change } from '@diwan/contract/people/changes';
import type { EveryField } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import type { AppContext } from '../../../platform/http/context.ts';
import { localize } from '../../../platform/core/localize.ts';
import { serve } from '../../../platform/http/serve.ts';
import { exportLog } from './export-audit-log.ts';
import {
  listAuditEvents,
  listChanges,
  selectChangesAfter,
  selectEventsAfter,
  type ChangeRow,
} from './audit.store.ts';

type EventRow = Awaited<ReturnType<typeof selectEventsAfter>>[number];

const describeEvent = (row: EventRow): EveryField<AuditEvent> => ({
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
});

function nameOf({ name }: ChangeRow, language: Language): string | undefined {
  if (name === null) return undefined;
  return typeof name === 'string' ? name : localize(name, language);
}

const describeChange = (row: ChangeRow, language: Language): EveryField<Change> => ({
  id: row.id,
  at: row.at.toISOString(),
  entity: row.entity,
  entityId: row.entity_id,
  name: nameOf(row, language),
  action: row.action,
  username: row.username ?? undefined,
  fullName: row.actor_name,
  address: row.address ?? undefined,
  fields: row.fields,
});

/** Routes of the audit log and of the changes of admins. */
export function serveAudit(context: AppContext): void {
  const { database } = context;

  serve(context, getAuditEvents, async ({ query }) => {
    const { rows, count } = await listAuditEvents(database, {
      username: query.Username,
      kind: query.Kind,
      day: query.Day,
      pageNumber: query.PageNumber,
      take: query.Take,
    });
    return { items: rows.map(describeEvent), pageNumber: query.PageNumber, totalCount: count };
  });

  serve(context, getChanges, async ({ query, language }) => {
    const filter = {
      entity: query.Entity,
      entityId: query.EntityId,
      username: query.Username,
      day: query.Day,
    };
    const { rows, count } = await listChanges(database, filter, {
      pageNumber: query.PageNumber,
      take: query.Take,
    });
    const items = rows.map((row) => describeChange(row, language));
    return { items, pageNumber: query.PageNumber, totalCount: count };
  });

  serve(context, exportAuditLog, async ({ query, language, reply }) => {
    const filter = {
      entity: query.Entity,
      entityId: query.EntityId,
      username: query.Username,
      day: query.Day,
    };
    const read =
      query.Log === 'events'
        ? async (afterId: number, take: number) =>
            (await selectEventsAfter(database, filter, { afterId, take })).map(describeEvent)
        : async (afterId: number, take: number) =>
            (await selectChangesAfter(database, filter, { afterId, take })).map((row) =>
              describeChange(row, language),
            );
    return reply
      .type(query.Format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8')
      .header('content-disposition', `attachment; filename="${query.Log}.${query.Format}"`)
      .send(Readable.from(exportLog({ format: query.Format, language }, read)));
  });
}
