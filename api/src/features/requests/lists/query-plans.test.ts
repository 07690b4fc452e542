// The short form of `npm run bench -- --plans`: with some thousand requests PostgreSQL already reads
// every list from the index that was made for it.

import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { openCatalogue } from '#features/services/services.actions.ts';
import { openWorkflows } from '#features/workflow/workflows.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { onePlanMark, openStatementNames } from '#platform/database/statement-names.ts';
import { type TestApp, useTestApp } from '#testing/test-app.ts';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { dayAfter, startOfDay, todayInDubai } from '@diwan/contract/wire/days';
import { lockOutdated } from '../due-day-moves/move-due-days.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { visibilityConditions } from '../model/visibility.actions.ts';
import { searchList, walkList, type Keyword } from './keyword-search.store.ts';
import { type ListFilter } from './list-filter.store.ts';
import { listRequests } from './list-requests.actions.ts';
import { countUpTo, noTotal, selectPage, type Page } from './request-lists.store.ts';
import { selectSortedPage } from './sorted-lists.store.ts';

const requestCount = 12_000;

const app = useTestApp();
let partnerId: number;
let companyId: number;
const userId = '00000000-0000-4000-8000-00000000000a';

beforeAll(async () => {
  const { id } = await app.database
    .insertInto('users')
    .values({
      id: userId,
      username: 'list-plans',
      full_name: 'Ali Plan',
      phone_number: '+971500000999',
      email: 'plans@example.com',
      roles: sql`'{}'::text[]`,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  // Each of many people has few requests, as in a real portal.
  await sql`
    insert into users (username, full_name, phone_number, email, roles)
    select 'plan-' || n, 'Ali Plan', '+97150' || 2000000 + n, 'plan-' || n || '@example.com', '{}'
    from generate_series(0, 299) as n
  `.execute(app.database);
  ({ company_id: companyId } = await app.database
    .selectFrom('users')
    .select(sql<number>`company_id`.as('company_id'))
    .where('username', '=', 'company')
    .executeTakeFirstOrThrow());
  ({ partner_id: partnerId } = await app.database
    .selectFrom('users')
    .select(sql<number>`partner_id`.as('partner_id'))
    .where('username', '=', 'supervisor')
    .executeTakeFirstOrThrow());
  await sql`
    insert into requests (
      number, service_id, agency_id, partner_id, user_id, company_id, workflow_id, status_id, version, form_id,
      answers, quote, total, applicant_name, phone_number, search_text,
      created_at, updated_at, came_to_provider, refundable, working_days,
      calendar_id, due_on
    )
    select
      'DW' || year || '-00000-' || lpad(n::text, 5, '0'),
      (select min(id) from services) + n % 40,
      1 + n % 30,
      case when n % 4 = 0 then ${partnerId}::int end,
      case
        when n % 60 = 7 then ${id}::uuid
        else (select id from users where username = 'plan-' || n % 300)
      end,
      case when n % 10 = 1 then ${companyId}::int end,
      (select min(id) from workflows),
      3 + n % 7,
      1, (select min(id) from forms), '{}', '{}', 0, 'Ali',
      '+9715' || lpad(n::text, 8, '0'),
      'dw' || year || ' 00000 ' || n
        || case
          when n % 3000 = 4 then ' quillfeather الغابرون گزشتگان'
          else ' ali ' || md5(n::text)
        end
        || ' khan',
      at,
      now(),
      n % 3 = 0 or n % 3000 = 4,
      case when n % 30 = 4 then 100 else 0 end,
      5,
      -- The current calendar: the job that moves due days would write a thousand requests meanwhile,
      -- and the plans would depend on how far it is.
      (select id from calendar_versions where agency_id is null and superseded_at is null),
      case when n > 11000 then (at + interval '9 days')::date end
    from (
      select n, at, to_char(at at time zone 'Asia/Dubai', 'YY') as year
      from generate_series(1, ${requestCount}::int) as n
      cross join lateral (
        select now() - (${requestCount} - n) * interval '1 hour' as at
      ) as sent
    ) as made
  `.execute(app.database);
  await sql`vacuum (analyze) requests`.execute(app.database);
});

// Employees of some agencies; the requests have thirty.
const scopes: Record<string, readonly number[]> = {
  'Employee of an agency': [3],
  'Employee of three agencies': [3, 7, 11],
  'Employee of a team': [3],
  'Employee of many agencies': Array.from({ length: 12 }, (_, index) => index + 1),
};
// Of the services of the third agency.
const teams = [{ agencyId: 3, isLimited: true, teamIds: [1], serviceIds: [3, 33] }];
const caller = (role: string): Caller =>
  ({
    userId,
    roles: [role.split(' ')[0]],
    scope: scopes[role] ?? 'all',
    teams: role === 'Employee of a team' ? teams : [],
    companyId,
    partnerId,
  }) as unknown as Caller;

type Asked = (database: TestApp['database']) => Promise<unknown>;

// The database of the test with `run` instead of the execution of each statement.
function interceptStatements(
  run: (query: CompiledQuery) => Promise<QueryResult<unknown>>,
): TestApp['database'] {
  class Driver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return { executeQuery: run as never, streamQuery: () => expect.unreachable() };
    }
  }
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

// Explains the statements instead of running them, and returns their plans. `generic`: the plan that
// PostgreSQL keeps for a prepared statement, without knowing its parameters.
async function planOf(ask: Asked, kind: 'own' | 'generic', costs = 'off'): Promise<string> {
  const plans: string[] = [];
  const options = `costs ${costs}${kind === 'generic' ? ', generic_plan' : ''}`;
  const explaining = interceptStatements(async ({ sql: text, parameters }) => {
    const explain = CompiledQuery.raw(
      `explain (${options}) ${text}`,
      kind === 'own' ? [...parameters] : [],
    );
    const { rows } = await app.database.executeQuery<Record<string, unknown>>(explain);
    plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'));
    return { rows: [] };
  });
  await ask(explaining);
  expect(plans).not.toEqual([]);
  return plans.join('\n');
}

const quill = 'quillfeather';
const first: Page = { pageNumber: 1, take: 20, order: 'desc' };
const dueFirst: Page = { ...first, order: 'asc', by: 'due' };
const far: Page = { pageNumber: 200, take: 20, order: 'asc' };

const lists: [string, string, Partial<ListFilter>, Page, string[]][] = [
  ['all', 'Employee', {}, first, ['requests_created']],
  ['a far page', 'Employee', {}, far, ['requests_created']],
  ['a status', 'Employee', { statusIds: [4] }, first, ['requests_status']],
  [
    'several statuses',
    'Employee',
    { statusIds: [3, 5, 9] },
    { ...far, pageNumber: 20 },
    ['requests_status'],
  ],
  ['some days', 'Employee', { from: startOfDay('2026-01-01') }, first, ['requests_created']],
  ['a number', 'Employee', { number: 'DW26-00000-00042' }, first, ['requests_number_key']],
  ['refundable', 'Employee', { hasRefundableFees: true }, first, ['requests_refundable']],
  ['refunded', 'Employee', { isRefunded: true }, first, ['requests_refunded']],
  ['a provider’s refunded', 'ServiceProvider', { isRefunded: true }, first, ['requests_refunded']],
  ['all of an agency', 'Employee of an agency', {}, first, ['requests_agency']],
  ['all of three agencies', 'Employee of three agencies', {}, first, ['requests_agency']],
  [
    'statuses of an agency',
    'Employee of an agency',
    { statusIds: [3, 4] },
    first,
    ['requests_agency_status'],
  ],
  [
    'a status of three agencies on some days',
    'Employee of three agencies',
    { statusIds: [4], from: startOfDay('2026-01-01') },
    first,
    ['requests_agency_status'],
  ],
  [
    'by due day of an agency',
    'Employee of an agency',
    { statusIds: [3, 4] },
    dueFirst,
    ['requests_due', 'requests_agency_status'],
  ],
  ['by due day of three agencies', 'Employee of three agencies', {}, dueFirst, ['requests_due']],
  ['all of many agencies', 'Employee of many agencies', {}, first, ['requests_agency']],
  [
    'a status of many agencies',
    'Employee of many agencies',
    { statusIds: [4] },
    first,
    ['requests_agency_status'],
  ],
  ['all of a team', 'Employee of a team', {}, first, ['requests_(?:agency|agency_status|service)']],
  [
    'statuses of a team',
    'Employee of a team',
    { statusIds: [3, 4] },
    first,
    ['requests_agency_status'],
  ],
  [
    'by due day of a team',
    'Employee of a team',
    {},
    dueFirst,
    ['requests_(?:due|agency_status|service)'],
  ],
  ['all of a provider', 'ServiceProvider', {}, first, ['requests_partner']],
  [
    'a provider’s status',
    'ServiceProvider',
    { statusIds: [9] },
    first,
    ['requests_partner_status'],
  ],
  [
    'a provider’s refundable',
    'ServiceProvider',
    { hasRefundableFees: true },
    first,
    ['requests_partner_refundable'],
  ],
  ['all of a company', 'CompanyUser', {}, first, ['requests_user', 'requests_company']],
  [
    'a company’s statuses',
    'CompanyUser',
    { statusIds: [3, 4] },
    first,
    ['requests_user', 'requests_company_status'],
  ],
  [
    'a company’s refundable',
    'CompanyUser',
    { hasRefundableFees: true },
    first,
    ['requests_user', 'requests_company_refundable'],
  ],
  ['all of a person', 'Client', {}, first, ['requests_user']],
  ['all by due day', 'Employee', {}, dueFirst, ['requests_due', 'requests_created']],
  [
    'statuses by due day',
    'Employee',
    { statusIds: [3, 4] },
    dueFirst,
    ['requests_due', 'requests_status'],
  ],
  [
    'an agency’s by due day',
    'Employee',
    { statusIds: [3, 4], agencyId: 3 },
    dueFirst,
    ['requests_due', 'requests_agency_status'],
  ],
  ['late ones', 'Employee', { dueTo: '2026-01-01' }, dueFirst, ['requests_due']],
  ['nobody’s by due day', 'Employee', { holderId: null }, dueFirst, ['requests_due']],
  ['a provider’s by due day', 'ServiceProvider', {}, dueFirst, ['requests_due']],
];

const expectIndexes = (plan: string, indexes: readonly string[]) => {
  for (const index of indexes)
    expect(plan, plan).toMatch(new RegExp(`(using|on) ${index}( |$)`, 'm'));
  expect(plan, plan).not.toMatch(/Seq Scan on requests/);
};

it.each(lists)('%s of %s', async (...[, role, filter, page, indexes]) => {
  const listFilter = { ...filter, visibility: visibilityConditions(caller(role)) };
  // PostgreSQL keeps no plan for a far page, whose number of rows is a parameter.
  for (const kind of page !== far ? (['own', 'generic'] as const) : (['own'] as const))
    expectIndexes(
      await planOf(
        (database) => selectPage(database, listFilter, page, { total: noTotal, readerId: userId }),
        kind,
      ),
      indexes,
    );
});

const searchOf = (
  role: string,
  texts: readonly string[],
  { filter = {}, services }: { filter?: Partial<ListFilter>; services?: Buffer } = {},
) => ({
  filter: { ...filter, visibility: visibilityConditions(caller(role)) },
  keywords: texts.map((text): Keyword => ({ text, ...(services ? { services } : {}) })),
  page: first,
  maximum: 201,
  readerId: userId,
});

const rareWords: [string, () => ReturnType<typeof searchOf>, string[]][] = [
  ['a word', () => searchOf('Employee', [quill]), ['requests_search']],
  [
    'a name typed as one word',
    () => searchOf('Employee', [`${quill}${'الغابرون'}`]),
    ['requests_search_key'],
  ],
  ['an Arabic word', () => searchOf('Employee', ['الغابرون']), ['requests_search_key']],
  [
    'an Urdu word in a status',
    () => searchOf('Employee', ['گزشتگان'], { filter: { statusIds: [7] } }),
    ['requests_search_key'],
  ],
  // A provider with few requests has its own index that holds the words too.
  [
    'a provider’s word',
    () => searchOf('ServiceProvider', [quill]),
    ['requests_(?:search|partner_status)'],
  ],
  [
    'a word of services',
    () => searchOf('Employee', [quill], { services: Buffer.from([255, 255]) }),
    ['requests_search', 'requests_service'],
  ],
];

it.each(rareWords)('%s that few requests have', async (_, searchFor, indexes) => {
  for (const kind of ['own', 'generic'] as const) {
    const plan = await planOf((database) => searchList(database, searchFor()), kind);
    expectIndexes(plan, indexes);
    if (indexes.includes('requests_search_key')) expect(plan).not.toContain('on requests_search ');
  }
});

it('expects as many matches of eight words as of one, so that both read the index of a long list', async () => {
  const expectedMatches = async (words: readonly string[]) => {
    const search = searchOf('Employee', words);
    const plan = await planOf((database) => searchList(database, search), 'own', 'on');
    return Number(/CTE matching\n.*Limit.*\n.*rows=(\d+)/.exec(plan)?.[1]);
  };
  const one = await expectedMatches(['a0']);
  expect(one).toBeGreaterThan(1000);
  expect(await expectedMatches(['a0', 'b1', 'c2', 'd3', 'e4', 'f5', 'g6', 'h7'])).toBe(one);
});

it.each(['Employee', 'ServiceProvider', 'CompanyUser'])(
  'keywords of %s are searched in the index of the list, without its rows',
  async (role) => {
    const search = searchOf(role, ['khan', 'ali'], { services: Buffer.from([6]) });
    search.filter.visibility = search.filter.visibility.slice(-1);
    const plan = await planOf((database) => walkList(database, search), 'own');
    expect(plan, plan).toMatch(
      /CTE matching[\s\S]*strpos\(.*search_text[\s\S]*Only Scan using requests_(created|partner|company)/,
    );
  },
);

it.each(['Employee', 'Employee of an agency'])(
  'a rare word on some days of an %s is found in the index of the list',
  async (role) => {
    const search = searchOf(role, [quill], {
      filter: {
        statusIds: [4, 5],
        from: startOfDay('2026-01-01'),
        before: startOfDay('2026-01-31'),
      },
    });
    const plan = await planOf(
      (database) => searchList(database, { ...search, isShort: true }),
      'generic',
    );
    expectIndexes(plan, ['requests_(?:agency_)?status']);
    expect(plan, plan).not.toContain('requests_search');
  },
);

it('the numbers of agencies, statuses and requests on a page make no other statement', async () => {
  const texts = new Set<string>();
  const noting = interceptStatements(async ({ sql: text }) => {
    texts.add(text);
    return { rows: [] };
  });
  for (const [role, statusIds] of [
    ['Employee of three agencies', [3, 4]],
    ['Employee of three agencies', [3, 4, 9]],
    ['Employee of many agencies', [3, 4, 5, 6, 7, 8]],
  ] as const)
    for (const [pageNumber, take] of [
      [1, 20],
      [2, 10],
      [1, 15],
    ] as const) {
      const filter = { visibility: visibilityConditions(caller(role)), statusIds };
      await selectPage(
        noting,
        filter,
        { ...first, pageNumber, take },
        { total: countUpTo(filter, 10_001), readerId: userId },
      );
    }
  expect([...texts]).toHaveLength(1);
});

it.each([
  ['Employee', [4], 'requests_status'],
  ['Employee', [4, 5], 'requests_status'],
  ['Employee of an agency', [4], 'requests_agency_status'],
  ['Employee of an agency', [4, 5], 'requests_agency_status'],
] as const)(
  'a page in the order of the numbers reads the list of %s with the statuses %s alone',
  async (role, statusIds, index) => {
    const filter = {
      visibility: visibilityConditions(caller(role)),
      statusIds,
      from: startOfDay('2026-01-01'),
      before: startOfDay('2026-01-31'),
    };
    const order = { column: 'number', language: 'ar-EG' } as const;
    const plan = await planOf(
      (database) =>
        selectSortedPage(database, filter, first, { order, total: noTotal, readerId: userId }),
      'generic',
    );
    expectIndexes(plan, [index]);
    expect(plan, plan).not.toContain('requests_number_key');
  },
);

it('first pages keep one plan, and those far in a list are planned for their place', async () => {
  const texts: string[] = [];
  const noting = interceptStatements(async ({ sql: text }) => {
    texts.push(text);
    return { rows: [] };
  });
  const filter = { visibility: visibilityConditions(caller('Employee')), statusIds: [4] };
  for (const page of [first, { ...first, pageNumber: 5 }, { ...first, pageNumber: 6 }])
    await selectPage(noting, filter, page, { total: noTotal, readerId: userId });
  expect(texts.map((text) => text.includes(onePlanMark))).toEqual([true, true, false]);
});

it.each([
  ['Employee of an agency', 1],
  ['Employee of three agencies', 2],
  ['Employee of many agencies', 2],
] as const)(
  'a page of an %s is read in its order, without a sort of the whole list',
  async (role, sorts) => {
    const filter = { visibility: visibilityConditions(caller(role)), statusIds: [4] };
    const plan = await planOf(
      (database) => selectPage(database, filter, first, { total: noTotal, readerId: userId }),
      'generic',
    );
    expect(plan, plan).toMatch(/Limit\n\s+->\s+Index Only Scan using requests_agency_status/);
    // The first of each agency are sorted, and the page once more, as all pages are.
    expect(plan.match(/Sort\n/g), plan).toHaveLength(sorts);
  },
);

it.each([
  ['Employee of an agency', 'requests_agency_status'],
  ['ServiceProvider', 'requests_partner_status'],
  ['CompanyUser', 'requests_company_status'],
])('the total of a status of %s is counted in the index', async (role, index) => {
  const filter = { visibility: visibilityConditions(caller(role)).slice(-1), statusIds: [9] };
  const total = countUpTo(filter, 10_001);
  const plan = await planOf(
    (database) => selectPage(database, filter, first, { total, readerId: null }),
    'generic',
  );
  expect(plan, plan).toContain(`Index Only Scan using ${index}`);
});

it('looks for requests with an old calendar in their index, not in all requests', async () => {
  const plan = await planOf((database) => lockOutdated(database as Transaction, 0, 100), 'generic');
  expectIndexes(plan, ['requests_(?:calendar|due)']);
});

it('the year in a number limits the search to the requests of that year', async () => {
  const {
    rows: [last],
  } = await sql<{ year: string; count: number }>`
    select substr(number, 3, 2) as year, count(*)::int as count
    from requests
    where number like 'DW__-00000-%'
    group by 1
    order by 1
    limit 1
  `.execute(app.database);
  const { body } = await app.callAs('employee', getRequestsByStatusId, {
    query: { SearchKeyword: `dw${last?.year} 00000`, Take: 1 },
  });
  expect(body.totalCount).toBe(Math.min(last?.count ?? 0, 200));
  expect(last?.count).toBeGreaterThan(0);
  const other = await app.callAs('employee', getRequestsByStatusId, {
    query: {
      SearchKeyword: `dw${last?.year}`,
      DateFrom: `20${Number(last?.year) + 1}-01-02`,
      Take: 1,
    },
  });
  expect(other.body.totalCount).toBe(0);
});

it.each(['quillfeather', 'الغابرون', 'گزشتگان'])(
  'finds %s in the rows in any script',
  async (word) => {
    const { body } = await app.callAs('employee', getRequestsByStatusId, {
      query: { SearchKeyword: word, Take: 1 },
    });
    expect(body.totalCount).toBe(requestCount / 3000);
  },
);

const lastDay = (ago: number) => dayAfter(todayInDubai(), -ago);

it.each([
  ['all, with a maintained count', {}, 1, first.take],
  ['of a status, with a maintained count', { statusIds: [9] }, 1, first.take],
  ['by due day', { statusIds: [3, 9], page: dueFirst }, 1, first.take],
  ['of some days, counted', { fromDay: '2026-01-01' }, 1, first.take],
  ['by name', { sortBy: 'applicant' }, 1, first.take],
  ['of a frequent word', { keyword: 'khan' }, 1, first.take],
  ['of a rare word', { keyword: quill }, 2, requestCount / 3000],
  [
    'of a rare word on some days',
    { keyword: quill, fromDay: lastDay(389), toDay: lastDay(360) },
    1,
    1,
  ],
] as const)(
  'a page with its total takes few prepared statements: %s',
  async (_, query, expected, rows) => {
    const statements: string[] = [];
    const counting = interceptStatements((query) => {
      statements.push(query.sql);
      return app.database.executeQuery(query);
    });
    const nameOf = openStatementNames();
    const context = {
      database: counting,
      catalogue: await openCatalogue(app.database),
      workflow: await openWorkflows(app.database, app.config),
      calendars: await openCalendars(app.database),
      fourEyes: true,
    } as unknown as RequestsContext;
    const list = () =>
      listRequests(context, caller('Employee'), { page: first, ...query }, 'ar-EG');
    await list();
    statements.length = 0;
    const { items } = await list();
    expect([items.length, statements.length]).toEqual([rows, expected]);
    for (const text of statements) {
      nameOf(text);
      expect(nameOf(text), text).toBeDefined();
    }
  },
);
