// Requests of three years, with realistic statuses, 100 000 people and 2000 companies in three
// scripts; a quarter belongs to the partner of `supervisor`, 2 % to `company`, some to `individual`,
// with histories and payments.
import { quoteFees } from '@diwan/contract/catalogue/fees';
import { startOfDay } from '@diwan/contract/wire/days';
import { openCalendars } from '../../api/src/features/calendars/calendars.actions.ts';
import { rebuildFigures } from '../../api/src/features/reports/fold-figures.actions.ts';
import { storeServiceForm } from '../../api/src/features/requests/actions/create-request.store.ts';
import {
  readCatalogueVersion,
  readServiceDetails,
} from '../../api/src/features/services/services.store.ts';
import { normalizeText } from '../../api/src/platform/core/normalize-text.ts';
import type { Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { makeAnswers } from '../../api/src/testing/requests/demo-request.ts';
import { arabicNames, latinNames, oldWords, rareName, urduNames } from './people-names.ts';
import { ledgerRows, storyLengths, storyRows } from './request-stories.ts';

const people = 100_000;
const companies = 2000;

/** Prints how long a part of the work takes. */
export async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  console.log(
    `${name.padEnd(28)} ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`,
  );
}

// Squares the random number, so that the first names of a list are the most frequent.
function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() ** 2 * list.length)] as T;
}

function makeName(index: number): string {
  if (index % 25_000 === 7) return `${pick(latinNames.given)} ${rareName}`;
  const chance = Math.random();
  const names = chance < 0.55 ? arabicNames : chance < 0.88 ? latinNames : urduNames;
  return `${pick(names.given)} ${pick(names.given)} ${pick(names.family)}`;
}

// jsonb_to_recordset takes a whole batch in one statement.
async function makePeople(database: Database): Promise<void> {
  await sql`
    create unlogged table bench_people (
      n int primary key, user_id uuid, company_id int, name text, folded text, phone text
    )
  `.execute(database);
  for (let from = 0; from < people; from += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, offset) => {
      const name = makeName(from + offset);
      return {
        n: from + offset,
        name,
        folded: normalizeText(name),
        phone: `+97150${String(1_000_000 + from + offset)}`,
      };
    });
    await sql`
      insert into bench_people (n, user_id, name, folded, phone)
      select n, gen_random_uuid(), name, folded, phone
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row(n int, name text, folded text, phone text)
    `.execute(database);
  }
  await sql`
    insert into companies (name)
    select jsonb_build_object(
      'ar-EG', 'شركة ' || n, 'en-US', 'Company ' || n || ' LLC', 'ur-PK', 'کمپنی ' || n
    )
    from generate_series(1, ${companies}::int) as n
  `.execute(database);
  await sql`
    update bench_people
    set company_id = (select max(id) from companies) - n % ${companies}
    where n % 4 = 0
  `.execute(database);
  await sql`
    insert into users (id, username, full_name, phone_number, email, roles, company_id)
    select user_id, 'person-' || n, name, phone, 'person-' || n || '@example.com',
      case when company_id is null then '{}'::text[] else '{CompanyUser}' end, company_id
    from bench_people
  `.execute(database);
}

async function makeServices(database: Database): Promise<void> {
  await sql`
    create unlogged table bench_services (
      n serial primary key, service_id int, partner_id int, is_ours boolean,
      form_id int, answers jsonb, quote jsonb, total bigint
    )
  `.execute(database);
  const services = await database
    .selectFrom('services')
    .select(['id', 'fees'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const version = await readCatalogueVersion(database);
  for (const { id, fees } of services) {
    const quote = quoteFees(fees);
    const details = await readServiceDetails(database, id, version);
    if (!details) throw new Error(`The catalogue lacks service ${id}`);
    const { form, formHash } = details;
    const formId = await storeServiceForm(database, { serviceId: id, version, formHash });
    await sql`
      insert into bench_services (
        service_id, partner_id, is_ours, form_id, answers, quote, total
      )
      select id, partner_id,
        coalesce(
          partner_id = (select partner_id from users where username = 'supervisor'), false
        ),
        ${formId}::int, ${JSON.stringify(makeAnswers(form))}::jsonb,
        ${JSON.stringify(quote)}::jsonb, ${quote.total}::bigint
      from services
      where id = ${id}
    `.execute(database);
  }
}

/**
 * The plan: time, applicant, service and random number of each request; everything else is derived
 * from it.
 */
async function makePlan(database: Database, size: number): Promise<void> {
  await sql`
    create unlogged table bench_plan as
    select n,
      case
        when n % 100 < 24 then ours[1 + floor(random() ^ 2 * cardinality(ours))::int]
        else others[1 + floor(random() ^ 2 * cardinality(others))::int]
      end as service,
      case
        when n % 50 = 1 then -1
        when n % 2000 = 2 then -2
        else floor(random() * ${people})::int
      end as person,
      at, chance, now() - at < interval '30 days' as is_young
    from (
      select n, random() as chance,
        now() - (${size}::int - n) * (interval '1096 days' / ${size}::int)
          - random() * interval '6 hours' as at
      from generate_series(1, ${size}::int) as n
    ) as raw, (
      select array_agg(n order by n) filter (where is_ours) as ours,
        array_agg(n order by n) filter (where not is_ours) as others
      from bench_services
    ) as services
  `.execute(database);
}

const statusOf = sql`
  case
    when is_young then
      case
        when chance < .08 then 2
        when chance < .28 then 3
        when chance < .42 then 4
        when chance < .47 then 5
        when chance < .53 then 6
        when chance < .63 then 7
        when chance < .65 then 8
        when chance < .94 then 9
        else 10
      end
    else
      case
        when chance < .05 then 2
        when chance < .0505 then 3
        when chance < .051 then 4
        when chance < .07 then 5
        when chance < .071 then 6
        when chance < .073 then 7
        when chance < .078 then 8
        when chance < .93 then 9
        else 10
      end
  end`;

/** The due days of all services, from each day on which a request is sent. */
async function makeDueDays(database: Database): Promise<void> {
  await sql`
    create unlogged table bench_due_days (
      begun_on date, working_days int, due_on date, primary key (begun_on, working_days)
    )
  `.execute(database);
  const { rows } = await sql<{ day: string; days: number[] }>`
    select day_in_dubai(at)::text as day, (
      select array_agg(distinct working_days)
      from services
      where working_days > 0
    ) as days
    from bench_plan
    group by 1
  `.execute(database);
  const { time } = (await openCalendars(database)).current(null);
  for (const { day, days } of rows) {
    const due = days.map((each) => time.dueDay(startOfDay(day), each));
    await sql`
      insert into bench_due_days
      select ${day}::date, * from unnest(${days}::int[], ${due}::date[])
    `.execute(database);
  }
}

async function makeRequests(database: Database): Promise<void> {
  const { id: workflowId } = await database
    .selectFrom('workflows')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into requests (
      number, service_id, agency_id, partner_id, user_id, company_id, workflow_id, status_id, version,
      form_id, answers, quote, total, applicant_name, phone_number, search_text,
      holder_id, language, created_at, updated_at, came_to_provider, refundable, working_days,
      calendar_id, due_on
    )
    select number, service_id,
      (select agency_id from services catalogue where catalogue.id = service_id),
      partner_id, user_id, company_id, ${workflowId},
      case when status = 2 and total = 0 then 3 else status end,
      (${JSON.stringify(storyLengths)}::jsonb ->> status::text)::int
        - case when total = 0 and status <> 2 then 1 else 0 end,
      form_id, answers, quote, total, name, phone,
      lower(replace(number, '-', ' ') || ' ' || replace(number, '-', '')) || ' ' || folded
        || ' ' || substr(phone, 2) || ' 0' || substr(phone, 5),
      case when status = 4 then (select id from users where username = 'employee') end,
      'ar-EG', at, least(now(), at + interval '3 days'),
      status in (6, 7, 9) or (status = 10 and n % 3 = 0),
      case when status = 10 and total > 0 and n % 2 = 0 then least(total, 1000) else 0 end,
      working_days,
      (select id from calendar_versions where agency_id is null and superseded_at is null),
      case
        when status in (3, 4, 6, 7) or (status = 2 and total = 0)
        then (
          select due_on
          from bench_due_days
          where bench_due_days.begun_on = day_in_dubai(at)
            and bench_due_days.working_days = made.working_days
        )
      end
    from (
      select plan.*, ${statusOf} as status,
        to_char(at, '"DW"YY') || '-' || substr(digits, 1, 5) || '-' || substr(digits, 6)
          as number,
        services.service_id, services.partner_id, services.form_id,
        services.answers, services.quote, services.total,
        (select working_days from services catalogue where catalogue.id = services.service_id),
        coalesce(own.id, people.user_id) as user_id,
        coalesce(case when plan.person < 0 then own.company_id end, people.company_id)
          as company_id,
        coalesce(own.full_name, people.name) as name,
        coalesce(lower(own.full_name), people.folded)
          || case
            when at > now() - interval '900 days' then ''
            when plan.n % 40 = 6 then ' ' || ${oldWords.many}
            when plan.n % 4000 = 7 then ' ' || ${oldWords.some}
            else ''
          end as folded,
        coalesce(own.phone_number, people.phone) as phone
      from bench_plan plan
      cross join lateral (
        select lpad((plan.n * 6180339887 % 10000000000)::text, 10, '0') as digits
      ) as made
      join bench_services services on services.n = plan.service
      left join bench_people people on people.n = plan.person
      left join users own
        on plan.person < 0
        and own.username = case plan.person when -1 then 'company' else 'individual' end
      order by plan.n
    ) as made
  `.execute(database);
}

// The jobs of the program that runs beside ask the other indexes every few seconds.
const setAside = [
  'requests_status',
  'requests_agency',
  'requests_agency_status',
  'requests_number_plain',
  'requests_created',
  'requests_user',
  'requests_company',
  'requests_company_status',
  'requests_partner',
  'requests_partner_status',
  'requests_service',
  'requests_phone',
  'requests_search',
  'requests_search_key',
  'requests_holder',
  'requests_due',
  'requests_workflow',
  'request_history_request',
  'request_history_status_at',
  'request_history_paid',
  'payments_request',
  'payment_events_payment',
  'payment_events_paid_at',
];

/** Fills a database that has no requests but those of the demo data. */
export async function fillRequests(database: Database, size: number): Promise<void> {
  // A pool's first connection runs all statements, so that its settings stay.
  await database.connection().execute(async (one) => {
    for (const setting of [
      'session_replication_role = replica',
      'synchronous_commit = off',
      `maintenance_work_mem = '1GB'`,
      `work_mem = '256MB'`,
    ])
      await sql.raw(`set ${setting}`).execute(one);
    const { rows: indexes } = await sql<{
      indexdef: string;
      indexname: string;
    }>`select indexname, indexdef from pg_indexes where schemaname = 'public' and indexname = any(${setAside})`.execute(
      one,
    );
    await step('people and companies', () => makePeople(one));
    await step('services', () => makeServices(one));
    await step('plan', () => makePlan(one, size));
    await step('due days', () => makeDueDays(one));
    for (const { indexname } of indexes) await sql.raw(`drop index ${indexname}`).execute(one);
    await step(`${size} requests`, () => makeRequests(one));
    await step('histories and payments', async () => {
      for (const row of storyRows) await row.execute(one);
    });
    await step('ledger', async () => {
      for (const row of ledgerRows) await row.execute(one);
    });
    await step('counts', () =>
      sql`truncate request_counts`.execute(one).then(() =>
        sql`
            insert into request_counts (status_id, partner_id, agency_id, count)
            select status_id, coalesce(partner_id, 0), agency_id, count(*)
            from requests
            group by 1, 2, 3
          `.execute(one),
      ),
    );
    for (const { indexname, indexdef } of indexes)
      await step(indexname, () => sql.raw(indexdef).execute(one));
    // They need the indexes, and statistics of the new rows.
    await step('analyze', () => sql`analyze`.execute(one));
    await step('figures', () => rebuildFigures(one));
    for (const table of ['bench_due_days', 'bench_plan', 'bench_people', 'bench_services'])
      await sql.raw(`drop table ${table}`).execute(one);
    await step('vacuum, analyze', async () => {
      for (const table of [
        'requests',
        'request_history',
        'payments',
        'payment_events',
        'ledger_entries',
        'ledger_lines',
        'users',
        'request_facts',
        'request_figures',
      ])
        await sql.raw(`vacuum (analyze) ${table}`).execute(one);
    });
  });
}
