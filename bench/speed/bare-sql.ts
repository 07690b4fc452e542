// The best statements that we know for the answers of the product, one for each reply. The texts of
// the catalogue are in separate tables, as an application without a catalogue in memory would
// keep them; requests are read from and written to the tables of the product.
import { normalizeText } from '../../api/src/platform/core/normalize-text.ts';
import type { Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import type { BareStatement } from './bare-server.ts';

/** A text in a statement. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A service as a list shows it; `record` is the whole reply for one service. */
export interface PublishedService {
  id: number;
  item: string;
  record: string;
}

/** Writes the services in the order of the list into tables for the bare statements. */
export async function publishCatalogue(
  database: Database,
  services: readonly PublishedService[],
): Promise<void> {
  await sql`
    create table bench.services (
      position int primary key, id int unique, key text, item text, record text
    )
  `.execute(database);
  for (let from = 0; from < services.length; from += 500) {
    const rows = services.slice(from, from + 500).map((service, index) => ({
      ...service,
      position: from + index + 1,
      words: normalizeText(service.item),
    }));
    await sql`
      insert into bench.services (position, id, key, item, record)
      select position, id, search_key(words), item, record
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row(position int, id int, words text, item text, record text)
    `.execute(database);
  }
  await sql`
    create index on bench.services using gin (key gin_trgm_ops)
  `.execute(database);
  await sql`create table bench.total as select count(*) from bench.services`.execute(database);
  await sql`vacuum (analyze) bench.services`.execute(database);
}

/** A page of the list of services. */
export const servicesPage = (pageNumber: number, size: number): BareStatement => ({
  text: `
    select '{"items":[' || string_agg(item, ',' order by position) || '],"pageNumber":' || $3::int
      || ',"totalCount":' || (select count from bench.total) || '}'
    from bench.services
    where position between $1 and $2`,
  values: [(pageNumber - 1) * size + 1, pageNumber * size, pageNumber],
});

/** The services that contain two words, in the order of the list. The product ranks them. */
export const servicesByWords = (words: readonly [string, string]): BareStatement => ({
  text: `
    select '{"items":[' || coalesce(string_agg(item, ',' order by position), '')
      || '],"pageNumber":1,"totalCount":' || coalesce(max(total), 0) || '}'
    from (
      select item, position, count(*) over () as total
      from bench.services
      where key like search_key($1) and key like search_key($2)
      order by position
      limit 20
    ) as page`,
  values: words.map((word) => `%${normalizeText(word)}%`),
});

/** One service with all details. */
export const oneService = (id: number): BareStatement => ({
  text: 'select record from bench.services where id = $1',
  values: [id],
});

const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * A row of a list as JSON: `row`, with its `services`, `agencies` and `holder`. `statuses` is the reply of
 * GetAllStatuses by id, `isYou` whether the reader holds the request.
 */
export const describeRow = (statuses: string, isYou: string) => `
  json_build_object(
    'requestId', row.id, 'requestNumber', row.number,
    'serviceId', row.service_id, 'serviceName', services.name ->> 'ar-EG',
    'governmentAgency', json_build_object(
      'id', agencies.id, 'name', agencies.name ->> 'ar-EG', 'logo', agencies.logo
    ),
    'statusId', row.status_id,
    'statusName', ${statuses} -> row.status_id::text ->> 'statusName',
    'statusTone', ${statuses} -> row.status_id::text ->> 'statusTone',
    'applicantName', row.applicant_name,
    'createdAt', ${time('row.created_at')}, 'updatedAt', ${time('row.updated_at')},
    'total', row.total, 'version', row.version,
    'due', greatest(0, row.total - (
      select coalesce(sum(amount), 0)
      from payments
      where request_id = row.id and status = 'paid'
    )),
    'holder', case when row.holder_id is not null then json_build_object(
      'name', coalesce(holder.full_name_ar, holder.full_name),
      'isYou', ${isYou}
    ) end,
    'onHold', case when row.hold_until is not null then json_build_object(
      'until', row.hold_until, 'reason', row.hold_reason ->> 'ar-EG'
    ) end,
    'sentBy', case when row.sent_by is not null then json_build_object(
      'name', coalesce((
        select sender.full_name_ar
        from request_history sent
        join users sender on sender.id = sent.actor_id
        where sent.request_id = row.id
        order by sent.id
        limit 1
      ), row.sent_by),
      'actedFor', json_build_object(
        'by', row.acted_for ->> 'by', 'name', row.acted_for -> 'name' ->> 'ar-EG', 'isYou', false
      )
    ) end
  )`;

const reader = `holder.username = 'employee'`;

const pageOf = (statuses: string, rows: string, total: string) => `
  select json_strip_nulls(json_build_object(
    'items', coalesce(json_agg(${describeRow(statuses, reader)} order by row.created_at desc, row.id desc), '[]'),
    'pageNumber', 1, ${total}
  ))::text
  from (${rows}) as row
  join services on services.id = row.service_id
  join agencies on agencies.id = row.agency_id
  left join users holder on holder.id = row.holder_id`;

const newest = 'order by created_at desc, id desc';

/** The first page of a staff list; `statuses` as JSON by id. */
export function staffList(
  statuses: string,
  { statusId, word }: { statusId?: number; word?: string } = {},
): BareStatement {
  const names = `${literal(statuses)}::jsonb`;
  // The words of the benchmark are frequent: reading the newest entries of an index finds them soonest.
  // `strpos` needs no statistics, which take longer to read for `like` than the page itself.
  if (word !== undefined) {
    const found = `
      select id
      from requests
      where strpos(search_text, $1) > 0
      ${newest}`;
    return {
      text: `
        with found as materialized (${found} limit 201),
          counted as (select count(*) from found)
        ${pageOf(
          names,
          `select * from requests where id in (select id from found limit 20) ${newest}`,
          `'totalCount', (select least(count, 200) from counted),
           'isTotalAtLeast', (select case when count > 200 then true end from counted)`,
        )}`,
      values: [normalizeText(word)],
    };
  }
  const where = statusId === undefined ? '' : 'where status_id = $1';
  return {
    text: pageOf(
      names,
      `select * from requests ${where} ${newest} limit 20`,
      `'totalCount', (select sum(count)::bigint from request_counts ${where})`,
    ),
    values: statusId === undefined ? [] : [statusId],
  };
}

/** An event of the hubs as it is stored; `audiences` as an array in PostgreSQL's notation. */
interface StoredEvent {
  hub: string;
  event: string;
  audiences: string;
}

/** Rows of the product that the bare statements copy, and the usernames of who sends requests. */
export interface Samples {
  senders: readonly string[];
  requestId: number;
  createdStepId: number;
  createdEvents: readonly StoredEvent[];
  receivedStepId: number;
  receivedEvents: readonly StoredEvent[];
}

async function columnsOf(database: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name
    from information_schema.columns
    where table_schema = 'public'
      and table_name = ${table}
      and is_identity = 'NO' and is_generated = 'NEVER'
  `.execute(database);
  return rows.map(({ name }) => name);
}

const counted = (rows: string) => `
  insert into request_counts (status_id, partner_id, agency_id, count)
  ${rows}`;

// Into a separate table: the product would publish events of its own one.
const announced = (events: readonly StoredEvent[]) => {
  const rows = events.map(
    ({ hub, event, audiences }) => `(${[hub, event, audiences].map(literal).join(', ')}::text[])`,
  );
  return `insert into bench.hub_news (hub, event, audiences) values ${rows.join(', ')}`;
};

/**
 * Statements that write what the product writes for a new request, and for one that a clerk
 * receives; `oneRow` writes one row of a table without further indexes.
 */
export async function writeStatements(
  database: Database,
  { senders, requestId, createdStepId, createdEvents, receivedStepId, receivedEvents }: Samples,
): Promise<{
  create: BareStatement;
  receive: BareStatement;
  oneRow: BareStatement;
  copies: string;
}> {
  await sql`create sequence bench.numbers`.execute(database);
  await sql`create table bench.senders (position int primary key, id uuid)`.execute(database);
  await sql`
    insert into bench.senders (position, id)
    select row_number() over (), id from users where username = any(${[...senders]})
  `.execute(database);
  await sql`create table bench.one_row (id int primary key, answers jsonb)`.execute(database);
  const columns = await columnsOf(database, 'requests');
  const stepColumns = (await columnsOf(database, 'request_history')).filter(
    (name) => name !== 'request_id',
  );
  const copied = (changed: Readonly<Record<string, string>>) =>
    columns.map((name) => changed[name] ?? `sample.${name}`).join(', ');
  // In no order, as those of the product: one after the other would meet the same pages of the
  // indexes. The factor has no divisor in common with 10 ^ 10, so no number comes twice.
  const number = `
    select 'DW99-' || substr(digits, 1, 5) || '-' || substr(digits, 6) as number,
      1 + trunc(random() * ${senders.length})::int as sender
    from (select lpad((nextval('bench.numbers') * 7393139777 % 1e10)::bigint::text, 10, '0') as digits)`;
  const stepOf = (of: string, position: number, changed: Readonly<Record<string, string>> = {}) => {
    const values = stepColumns.map((name) =>
      name === 'at' ? 'now()' : (changed[name] ?? `sample.${name}`),
    );
    return `
      insert into request_history (request_id, ${stepColumns.join(', ')})
      select ${of}.id, ${values.join(', ')}
      from ${of}, request_history sample
      where sample.id = $${position}`;
  };
  return {
    create: {
      text: `
        with fresh as (${number}),
          row as (
            insert into requests (${columns.join(', ')})
            select ${copied({
              number: 'fresh.number',
              user_id: '(select id from bench.senders where position = fresh.sender)',
              answers: '$3::jsonb',
              search_text: `lower(
                replace(fresh.number, '-', ' ') || ' ' || replace(fresh.number, '-', '')
              ) || substr(sample.search_text, 32)`,
              created_at: 'now()',
              updated_at: 'now()',
            })}
            from requests sample, fresh
            where sample.id = $1
            returning id, number, status_id, partner_id, agency_id, user_id
          ),
          step as (${stepOf('row', 2, { actor_id: 'row.user_id' })}),
          counted as (${counted('select status_id, coalesce(partner_id, 0), agency_id, 1 from row')}),
          announced as (${announced(createdEvents)})
        select json_build_object('requestId', id, 'requestNumber', number)::text
        from row`,
      values: [requestId, createdStepId],
      hasAnswers: true,
    },
    receive: {
      text: `
        with row as (
            update requests
            set status_id = sample.to_status_id, holder_id = sample.actor_id,
              version = version + 1, updated_at = now()
            from request_history sample
            where sample.id = $1
              and requests.id = $2
              and requests.status_id = sample.from_status_id
            returning requests.*
          ),
          step as (${stepOf('row', 1)}),
          access as (
            insert into request_reads (request_id, reader_id, reader_name, reader_kind)
            select row.id, sample.actor_id, sample.actor_name, sample.actor_kind
            from row, request_history sample
            where sample.id = $1
          ),
          counted as (${counted(`
            select moved.status_id, coalesce(row.partner_id, 0), row.agency_id, moved.count
            from row,
              request_history sample,
              lateral (values (sample.from_status_id, -1), (sample.to_status_id, 1)) as moved(status_id, count)
            where sample.id = $1`)}),
          announced as (${announced(receivedEvents)})
        select json_build_object(
          'requestId', row.id, 'requestNumber', number, 'statusId', status_id, 'version', version,
          'form', content, 'attachments', attachment_rules || coalesce(evidence_rules, '[]'),
          'answers', answers, 'fees', quote
        )::text
        from row join forms on forms.id = row.form_id`,
      values: [receivedStepId],
      hasId: true,
    },
    oneRow: {
      text: `
        insert into bench.one_row (id, answers)
        values (nextval('bench.numbers'), $1)
        returning json_build_object('requestId', id, 'requestNumber', 'DW' || id)::text`,
      values: [],
      hasAnswers: true,
    },
    // Requests that a clerk may receive: copies of the sample as it was created.
    copies: `
      with row as (
        insert into requests (${columns.join(', ')})
        select ${copied({
          number: `(select number from (${number}) as fresh where copy > 0)`,
          status_id: 'step.to_status_id',
          version: '1',
          holder_id: 'null',
        })}
        from requests sample, request_history step, generate_series(1, $3::int) as copy
        where sample.id = $1 and step.id = $2
        returning id, status_id, partner_id, agency_id
      ),
      step as (${stepOf('row', 2)}),
      counted as (${counted(`
        select status_id, coalesce(partner_id, 0), agency_id, count(*)
        from row
        group by 1, 2, 3`)})
      select id from row`,
  };
}

/**
 * Keeps a copy of each event of the hubs, which is a row until it is published only; the returned
 * function ends that.
 */
export async function copyHubEvents(database: Database): Promise<() => Promise<void>> {
  await sql`create table bench.hub_news (like hub_news including all)`.execute(database);
  await sql`
    create function bench.copy_event() returns trigger language plpgsql security definer as $$
    begin
      insert into bench.hub_news (hub, event, audiences)
      values (new.hub, new.event, new.audiences);
      return null;
    end $$`.execute(database);
  await sql`
    create trigger copy_event after insert on hub_news
    for each row execute function bench.copy_event()`.execute(database);
  return async () => {
    await sql`drop trigger copy_event on hub_news`.execute(database);
  };
}

/**
 * How many rows of each table the last transaction that changed a request has written. Events of the
 * hubs count by their copies.
 */
export async function rowsWritten(
  database: Database,
  requestId: number,
): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name
    from pg_class
    where relkind = 'r'
      and relname <> 'hub_news'
      and relnamespace = 'public'::regnamespace
    union all
    select 'bench.hub_news'
    order by name
  `.execute(database);
  const written: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
      from ${sql.raw(name)}
      where xmin = (select xmin from requests where id = ${requestId})
    `.execute(database);
    if (rows[0]?.count) written[name] = rows[0].count;
  }
  return written;
}

/** What the last transaction that changed a request has written, while events of the hubs are copied. */
export async function readSample(
  database: Database,
  requestId: number,
): Promise<{ rows: Record<string, number>; events: StoredEvent[] }> {
  const { rows: events } = await sql<StoredEvent>`
    select hub, event, audiences::text as audiences
    from bench.hub_news
    where xmin = (select xmin from requests where id = ${requestId})
    order by id
  `.execute(database);
  return { rows: await rowsWritten(database, requestId), events };
}
