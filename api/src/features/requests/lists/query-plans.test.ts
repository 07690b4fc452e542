// The short form of `npm run bench -- --plans`: with some thousand requests PostgreSQL already reads
// every list from the index that was made for it.
import { ExplainNode, RawNode, sql, type KyselyPlugin } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { startOfDay } from '@diwan/contract/wire/days';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { Caller } from '../../../platform/auth/caller.ts';
import { type TestApp, useTestApp } from '../../../testing/test-app.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { openWorkflows } from '../workflow/workflows.actions.ts';
import { listRequests } from './list-requests.actions.ts';
import { countRequests, selectSummaries, type ListFilter } from './request-lists.store.ts';
import { visibilityConditions } from '../model/visibility.actions.ts';

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
      number, service_id, partner_id, user_id, company_id, workflow_id, status_id, version, form,
      attachment_rules, answers, quote, total, applicant_name, phone_number, search_text,
      created_at, updated_at, came_to_provider, refundable, working_days
    )
    select
      'DW' || year || '-00000-' || lpad(n::text, 5, '0'),
      (select min(id) from services) + n % 40,
      case when n % 4 = 0 then ${partnerId}::int end,
      case
        when n % 60 = 7 then ${id}::uuid
        else (select id from users where username = 'individual2')
      end,
      case when n % 10 = 1 then ${companyId}::int end,
      (select min(id) from workflows),
      3 + n % 7,
      1, '[]', '[]', '{}', '{}', 0, 'Ali',
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
      5
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

const caller = (role: string): Caller =>
  ({ userId, roles: [role], companyId, partnerId }) as unknown as Caller;

// Explains the queries instead of running them, and returns their plans.
async function plansOf(
  ask: (database: TestApp['database']) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = [];
  const explain = ExplainNode.create(undefined, RawNode.createWithSql('costs off'));
  const explaining: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'SelectQueryNode') return { ...node, explain };
      return node.kind === 'RawNode'
        ? RawNode.create(
            [`explain (costs off) ${node.sqlFragments[0] ?? ''}`, ...node.sqlFragments.slice(1)],
            node.parameters,
          )
        : node;
    },
    transformResult: async ({ result }) => {
      plans.push(result.rows.map((row) => String(row['QUERY PLAN'])).join('\n'));
      return { ...result, rows: [] };
    },
  };
  await ask(app.database.withPlugin(explaining));
  return plans;
}
const planOf = async (ask: Parameters<typeof plansOf>[0]) => (await plansOf(ask)).join('\n');

const quill: ListFilter['keywords'] = [{ text: 'quillfeather', serviceIds: [] }];
const first = { pageNumber: 1, take: 20, order: 'desc' as const };
const far = { pageNumber: 200, take: 20, order: 'asc' as const };

const lists: [string, string, Partial<ListFilter>, typeof first | typeof far, string[]][] = [
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
  [
    'a common word',
    'Employee',
    { keywords: [{ text: 'khan', serviceIds: [] }] },
    first,
    ['requests_created'],
  ],
  ['a rare word', 'Employee', { keywords: quill }, first, ['requests_search']],
  [
    'a rare Arabic word',
    'Employee',
    { keywords: [{ text: 'الغابرون', serviceIds: [] }] },
    first,
    ['requests_search_key'],
  ],
  [
    'a rare Urdu word',
    'Employee',
    { keywords: [{ text: 'گزشتگان', serviceIds: [] }], statusIds: [7] },
    first,
    ['requests_search_key'],
  ],
  ['a number', 'Employee', { number: 'DW26-00000-00042' }, first, ['requests_number_key']],
  ['refundable', 'Employee', { hasRefundableFees: true }, first, ['requests_refundable']],
  ['all of a provider', 'ServiceProvider', {}, first, ['requests_partner']],
  [
    'a provider’s status',
    'ServiceProvider',
    { statusIds: [9] },
    first,
    ['requests_partner_status'],
  ],
  [
    'a provider’s common word',
    'ServiceProvider',
    { keywords: [{ text: 'khan', serviceIds: [] }] },
    first,
    ['requests_partner'],
  ],
  ['a provider’s rare word', 'ServiceProvider', { keywords: quill }, first, ['requests_search']],
  [
    'a provider’s refundable',
    'ServiceProvider',
    { hasRefundableFees: true },
    first,
    ['requests_partner_refundable'],
  ],
  ['all of a company', 'CompanyUser', {}, first, ['requests_user_own', 'requests_company']],
  [
    'a company’s statuses',
    'CompanyUser',
    { statusIds: [3, 4] },
    first,
    ['requests_user_own_status', 'requests_company_status'],
  ],
  [
    'a company’s refundable',
    'CompanyUser',
    { hasRefundableFees: true },
    first,
    ['requests_user_own_refundable', 'requests_company_refundable'],
  ],
  ['all of a person', 'Client', {}, first, ['requests_user_own']],
];

it.each(lists)('%s of %s', async (...[, role, filter, page, indexes]) => {
  const listFilter = { ...filter, visibility: visibilityConditions(caller(role)) };
  // A keyword is searched in the first entries of the list, then everywhere. A frequent one is found
  // by the first plan, a rare one by the second.
  const plans = await plansOf((database) => selectSummaries(database, listFilter, page, null));
  const plan =
    (indexes.some((index) => index.startsWith('requests_search')) ? plans.at(-1) : plans[0]) ?? '';
  for (const index of indexes)
    expect(plan, plan).toMatch(new RegExp(`(using|on) ${index}( |$)`, 'm'));
  expect(plan, plan).not.toMatch(/Seq Scan on requests/);
});

it.each(['Employee', 'ServiceProvider', 'CompanyUser'])(
  'keywords of %s are searched in the index of the list, without its rows',
  async (role) => {
    const keywords = [
      { text: 'khan', serviceIds: [] },
      { text: 'ali', serviceIds: [1, 2] },
    ];
    const plan = await planOf((database) =>
      selectSummaries(
        database,
        { visibility: visibilityConditions(caller(role)).slice(-1), keywords },
        first,
        null,
      ),
    );
    expect(plan, plan).toMatch(
      /Index Only Scan using requests_(created|partner|company)[\s\S]*Filter: .*search_text/,
    );
  },
);

it.each([
  ['ServiceProvider', 'requests_partner_status'],
  ['CompanyUser', 'requests_company_status'],
])('the total of a status of %s is counted in the index', async (role, index) => {
  const plan = await planOf((database) =>
    countRequests(
      database,
      { visibility: visibilityConditions(caller(role)).slice(-1), statusIds: [9] },
      10_001,
    ),
  );
  expect(plan, plan).toContain(`Index Only Scan using ${index}`);
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

it.each([
  ['all, with a maintained count', {}],
  ['of a status, with a maintained count', { statusIds: [9] }],
  ['of some days, counted', { fromDay: '2026-01-01' }],
])('a page with its total takes two statements: %s', async (_, query) => {
  const workflow = await openWorkflows(app.database, app.config);
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      return result;
    },
  };
  const context = { database: app.database.withPlugin(counting), workflow, fourEyes: true };
  const { items } = await listRequests(
    context as unknown as RequestsContext,
    caller('Employee'),
    { ...query, page: first },
    'ar-EG',
  );
  expect([items.length, statements]).toEqual([first.take, 2]);
});
