import { Readable } from 'node:stream';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { checkDayOrder } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { announcementAudience } from '@diwan/contract/content/announcements';
import { getAuditEvents, type AuditEvent } from '@diwan/contract/people/audit';
import { getChanges, type Change, type FieldChange } from '@diwan/contract/people/changes';
import {
  exportAuditLog,
  getAuditLog,
  logSources,
  logThings,
  maximumListedEntries,
  type LogEntry,
} from '@diwan/contract/portal/audit-log';
import type { EveryField, QueryOf } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import {
  selectActs,
  selectLogAfter,
  selectLogPage,
  selectReads,
  type LogFilter,
  type LogKey,
} from './audit-log.store.ts';
import {
  listAuditEvents,
  listChanges,
  selectChanges,
  selectEvents,
  selectNames,
  type ChangeRow,
  type NamedTable,
} from './audit.store.ts';
import { exportLog } from './export-audit-log.ts';

type EventRow = Awaited<ReturnType<typeof selectEvents>>[number];

const describeEvent = (row: EventRow, language: Language): EveryField<AuditEvent> => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  username: row.username || undefined,
  fullName: row.full_name
    ? localizePersonName({ ...row, full_name: row.full_name }, language)
    : undefined,
  address: row.address || undefined,
  reason: row.detail.reason,
  before: row.detail.before,
  after: row.detail.after,
  by:
    row.detail.by === undefined
      ? undefined
      : localizePersonName(
          { full_name: row.detail.by, full_name_ar: row.detail.byAr ?? null },
          language,
        ),
  call: row.detail.call,
  filter: row.detail.filter,
});

/** Where the records are whose ids are in a field. */
const tablesOfFields: Readonly<Record<string, NamedTable>> = {
  accountTypes: 'account_types',
  agency: 'agencies',
  agencyId: 'agencies',
  agencyIds: 'agencies',
  category: 'categories',
  categoryIds: 'categories',
  copyOf: 'services',
  partner: 'partners',
  partnerId: 'partners',
  serviceId: 'services',
  serviceIds: 'services',
  wholeAgencyId: 'agencies',
};
/** The same for the field `order`, by what was put in order. */
const tablesOfOrders: Readonly<Record<string, NamedTable>> = {
  agencies: 'agencies',
  attachmentTypes: 'attachment_types',
  categories: 'categories',
};

interface Reference {
  table: NamedTable;
  ids: number[];
}

/** Whom an announcement concerns, where that is a matter of records. */
function findAudience(value: string): Reference | undefined {
  const { data: audience } = announcementAudience.safeParse(JSON.parse(value));
  if (audience?.of === 'accountTypes') return { table: 'account_types', ids: audience.ids };
  if (audience?.of === 'agency') return { table: 'agencies', ids: [audience.id] };
  return audience?.of === 'service' ? { table: 'services', ids: [audience.id] } : undefined;
}

/** The records whose ids are a value of the log. */
function findReference(
  { entityId, field, language, place }: FieldChange & { entityId: string },
  value: FieldChange['before'],
): Reference | undefined {
  if (language !== undefined || place) return undefined;
  if (field === 'audience' && typeof value === 'string') return findAudience(value);
  const table = field === 'order' ? tablesOfOrders[entityId] : tablesOfFields[field];
  if (!table) return undefined;
  if (typeof value === 'number') return { table, ids: [value] };
  const isList = typeof value === 'string' && /^\[[\d,]+\]$/.test(value);
  return isList ? { table, ids: JSON.parse(value) as number[] } : undefined;
}

/** Adds to the fields of changes what the ids in them are called; each table is read once. */
async function nameReferences(
  database: Database,
  rows: readonly ChangeRow[],
  language: Language,
): Promise<ChangeRow[]> {
  const referencesOf = ({ entity_id: entityId }: ChangeRow, field: FieldChange) =>
    [field.before, field.after].map((value) => findReference({ ...field, entityId }, value));
  const ids = new Map<NamedTable, Set<number>>();
  for (const row of rows)
    for (const reference of row.fields.flatMap((field) => referencesOf(row, field)))
      if (reference)
        ids.set(reference.table, new Set([...(ids.get(reference.table) ?? []), ...reference.ids]));
  if (ids.size === 0) return [...rows];
  const names = new Map<NamedTable, Map<number, LocalizedText>>();
  for (const [table, known] of ids)
    names.set(table, await selectNames(database, table, [...known]));
  const namesOf = (reference: Reference | undefined) =>
    reference?.ids.map((id) => {
      const name = names.get(reference.table)?.get(id);
      return name ? localize(name, language) : String(id);
    });
  return rows.map((row) => ({
    ...row,
    fields: row.fields.map((field) => {
      const [beforeNames, afterNames] = referencesOf(row, field).map(namesOf);
      return {
        ...field,
        ...(beforeNames ? { beforeNames } : {}),
        ...(afterNames ? { afterNames } : {}),
      };
    }),
  }));
}

function nameOf({ name }: ChangeRow, language: Language): string | undefined {
  if (name === null) return undefined;
  return typeof name === 'string' ? name : localize(name, language);
}

async function describeChanges(
  database: Database,
  rows: readonly ChangeRow[],
  language: Language,
): Promise<EveryField<Change>[]> {
  return (await nameReferences(database, rows, language)).map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    entity: row.entity,
    entityId: row.entity_id,
    name: nameOf(row, language),
    action: row.action,
    username: row.username ?? undefined,
    fullName: localizePersonName({ ...row, full_name: row.actor_name }, language),
    address: row.address ?? undefined,
    fields: row.fields,
  }));
}

/** Throws a `ValidationRefusal` of days that end before they begin. */
function toFilter(
  caller: Caller,
  {
    Username: username,
    Thing,
    Kind,
    From: from,
    Until: until,
  }: Omit<QueryOf<typeof exportAuditLog>, 'Format'>,
): LogFilter {
  checkDayOrder({ From: from, Until: until });
  const [of, name] = Thing?.split(/\/(.*)/s) ?? [];
  const thing = logThings.find((each) => each === of);
  const [kind, detail] = Kind?.split('.') ?? [];
  const source = logSources.find((each) => each === kind);
  return {
    scope: administeredAgencies(caller),
    username,
    thing: thing && name ? { of: thing, name } : undefined,
    kind: source && { source, detail },
    from,
    until,
  };
}

type EntryPart = Omit<LogEntry, 'key' | 'source'> & { id: number };

const describeLogEvents = async (database: Database, ids: readonly number[], language: Language) =>
  (await selectEvents(database, ids)).map((row): EntryPart => {
    const event = describeEvent(row, language);
    const { id, at, username, fullName, address } = event;
    return { id, at, username, fullName, address, event };
  });

/** How the rows of each source are read by id. */
const readers: Record<
  LogKey['source'],
  (database: Database, ids: readonly number[], language: Language) => Promise<EntryPart[]>
> = {
  account: describeLogEvents,
  export: describeLogEvents,
  change: async (database, ids, language) =>
    (await describeChanges(database, await selectChanges(database, ids), language)).map(
      (change) => {
        const { id, at, username, fullName, address } = change;
        return { id, at, username, fullName, address, change };
      },
    ),
  request: async (database, ids, language) =>
    (await selectActs(database, ids)).map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      username: row.username ?? undefined,
      fullName: localizePersonName(row, language),
      act: { requestNumber: row.number, action: row.action },
    })),
  read: async (database, ids, language) =>
    (await selectReads(database, ids)).map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      username: row.username ?? undefined,
      fullName: localizePersonName(row, language),
      read: {
        requestNumber: row.number,
        documentName: row.attachment_id === null ? undefined : (row.file_name ?? ''),
        reason: row.reason ?? undefined,
        reasonText: row.reason_text || undefined,
      },
    })),
};

/** Entries by their keys, in the order of these; each table is read once. */
async function describeEntries(
  database: Database,
  keys: readonly LogKey[],
  language: Language,
): Promise<LogEntry[]> {
  const found = new Map<string, LogEntry>();
  for (const source of logSources) {
    const ids = keys.filter((key) => key.source === source).map(({ id }) => id);
    const parts = ids.length > 0 ? await readers[source](database, ids, language) : [];
    for (const { id, ...part } of parts) {
      const key = `${source} ${id}`;
      found.set(key, { key, source, ...part });
    }
  }
  return keys.flatMap(({ source, id }) => found.get(`${source} ${id}`) ?? []);
}

/** Routes of the audit log, of the events of accounts and of the changes of admins. */
export function serveAudit(context: AppContext): void {
  const { database } = context;

  serve(context, getAuditEvents, async ({ query, language }) => {
    const { rows, count } = await listAuditEvents(database, {
      username: query.Username,
      kind: query.Kind,
      day: query.Day,
      pageNumber: query.PageNumber,
      take: query.Take,
    });
    const items = rows.map((row) => describeEvent(row, language));
    return { items, pageNumber: query.PageNumber, totalCount: count };
  });

  serve(context, getChanges, async ({ caller, query, language }) => {
    const filter = {
      scope: administeredAgencies(caller),
      entity: query.Entity,
      entityId: query.EntityId,
      username: query.Username,
      day: query.Day,
    };
    const { rows, count } = await listChanges(database, filter, {
      pageNumber: query.PageNumber,
      take: query.Take,
    });
    const items = await describeChanges(database, rows, language);
    return { items, pageNumber: query.PageNumber, totalCount: count };
  });

  serve(context, getAuditLog, async ({ caller, query, language }) => {
    const { items, totalCount } = await selectLogPage(database, toFilter(caller, query), query);
    return {
      items: await describeEntries(database, items, language),
      pageNumber: query.PageNumber,
      totalCount: Math.min(totalCount, maximumListedEntries),
      isTotalAtLeast: totalCount > maximumListedEntries || undefined,
    };
  });

  serve(context, exportAuditLog, async ({ caller, query, language, reply }) => {
    const filter = toFilter(caller, query);
    const read = async (after: LogKey | undefined, take: number) => {
      const keys = await selectLogAfter(database, filter, { after, take });
      return { entries: await describeEntries(database, keys, language), last: keys.at(-1) };
    };
    return reply
      .type(query.Format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-log.${query.Format}"`)
      .send(Readable.from(exportLog({ format: query.Format, language }, read)));
  });
}
