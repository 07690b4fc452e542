// A keyword is searched in the first entries of a list, then by the index of the keywords. The order
// is the same, without gaps and duplicates.

import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { sql } from '#platform/database/sql.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { applicantColumns } from '../model/applicant-columns.ts';
import { makeRequestNumber } from '../model/request-number.ts';
import { selectAgencyNames, selectServiceNames } from './request-lists.store.ts';

const requestCount = 6000;
const app = useTestApp();
beforeAll(async () => {
  // Words of new requests, of all, and of the oldest only. Every seventh request has another status,
  // so that lists of several statuses are merged.
  await sql`
    insert into requests (
      number, service_id, agency_id, user_id, workflow_id, status_id, version, form_id,
      answers, quote, total, applicant_name, phone_number, search_text, created_at, updated_at,
      working_days, calendar_id
    )
    select
      'DW20-00001-' || lpad(n::text, 5, '0'),
      (select min(id) from services), (select agency_id from services order by id limit 1),
      (select id from users where username = 'individual2'),
      (select min(id) from workflows),
      case when n % 7 = 0 then 9 else 3 end,
      1, (select min(id) from forms), '{}', '{}', 0, 'Ali', '+971500000000',
      'dw20 ' || n
        || case when n % 2 = 0 then ' everyother سواه' else '' end
        || case
          when n < 90 then ' longago الغابرون'
          when n % 50 = 0 then ' longago'
          else ''
        end,
      timestamptz '2020-01-01' + n * interval '1 hour',
      now(),
      5, 1
    from generate_series(1, ${requestCount}::int) as n
  `.execute(app.database);
});

async function findIds(word: string, statuses: string, sortOrder: string): Promise<number[]> {
  const order = sql.raw(sortOrder);
  const { rows } = await sql<{ id: number }>`
    select id
    from requests
    where replace(search_text, ' ', '') like ${`%${word}%`} and status_id = any(${`{${statuses}}`}::int[])
    order by created_at ${order}, id ${order}
  `.execute(app.database);
  return rows.map(({ id }) => id);
}

it.each(
  ['longago', 'الغابرون', 'everyother', 'سواه'].flatMap((word) =>
    ['3', '3,9'].flatMap((statuses) =>
      ['asc', 'desc'].map((order) => [word, statuses, order] as const),
    ),
  ),
)('%s in statuses %s, %s: every request is on one page', async (word, statuses, sortOrder) => {
  const all = await findIds(word, statuses, sortOrder);
  const token = await app.signIn('employee');
  const pages = [1, 2, 3, Math.ceil(all.length / 20), Math.ceil(all.length / 20) + 1];
  for (const PageNumber of pages) {
    const { body } = await app.call(getRequestsByStatusId, {
      token,
      query: {
        SearchKeyword: word,
        StatusIds: statuses,
        sortOrder: sortOrder as 'asc',
        PageNumber,
        Take: 20,
      },
    });
    expect([PageNumber, body.items.map(({ requestId }) => requestId)]).toEqual([
      PageNumber,
      all.slice((PageNumber - 1) * 20, PageNumber * 20),
    ]);
    expect(body.totalCount).toBe(Math.min(all.length, Math.max(200, PageNumber * 20)));
  }
});

// Few letters of each script, so that parts of one name are in others too.
const nameWord = fc.oneof(
  ...['aekhn', 'ابمحدة', 'گچٹیںہ'].map((letters) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 7 }),
  ),
);
const names = fc.array(nameWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

async function insertPeople(): Promise<void> {
  // The last ones of a hundred names have many requests, the others one or a few old ones.
  const people = fc.sample(names, { numRuns: 1500, seed: 7 });
  const texts = Array.from({ length: 4000 }, (_, index) =>
    normalizeText(people[index < 1400 ? index : 1400 + (index % 100)] ?? ''),
  );
  await sql`
    insert into requests (
      number, service_id, agency_id, user_id, workflow_id, status_id, version, form_id,
      answers, quote, total, applicant_name, phone_number, search_text, created_at, updated_at,
      working_days, calendar_id
    )
    select
      'DW21-00002-' || lpad(n::text, 5, '0'),
      (select min(id) from services) + case when n % 3 = 0 then 0 else n % 40 end,
      (select agency_id from services order by id limit 1),
      (select id from users where username = case when n % 2 = 0 then 'individual' else 'company' end),
      (select min(id) from workflows),
      3 + n::int % 5,
      1, (select min(id) from forms), '{}', '{}', 0, 'Ali', '+971500000000', text,
      timestamptz '2021-01-01' + n * interval '1 minute',
      now(),
      5, 1
    from unnest(${texts}::text[]) with ordinality as person(text, n)
  `.execute(app.database);
}

const readServiceIds = async () =>
  (await app.database.selectFrom('services').select('id').execute()).map(({ id }) => id);

it('finds what a comparison of every request finds, for words in three scripts', async () => {
  await insertPeople();
  const textsOf = (named: { id: number; name: Record<string, string> }[]) =>
    new Map(named.map(({ id, name }) => [id, normalizeText(Object.values(name).join(' '))]));
  const services = textsOf(await selectServiceNames(app.database, await readServiceIds()));
  const agencies = textsOf(await selectAgencyNames(app.database));
  const all = await app.database
    .selectFrom('requests')
    .innerJoin('users', 'users.id', 'requests.user_id')
    .select([
      'requests.id',
      'status_id',
      'service_id',
      'agency_id',
      'requests.search_text',
      'username',
    ])
    .select('requests.company_id as company')
    .orderBy('requests.created_at')
    .orderBy('requests.id')
    .execute();
  const known = [
    ...all.map(({ search_text }) => search_text),
    ...services.values(),
    ...agencies.values(),
  ];
  const part = fc
    .tuple(fc.constantFrom(...known), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 6 }))
    .map(([text, word, start, length]) => {
      const words = text.split(' ');
      const chosen = words[word % words.length] ?? '';
      return chosen.slice(start % chosen.length).slice(0, length);
    })
    // Digits may be a phone number, or the year of a request number.
    .filter((text) => !/\d/.test(text));
  const search = fc.record({
    words: fc.array(fc.oneof({ weight: 5, arbitrary: part }, nameWord), {
      minLength: 1,
      maxLength: 3,
    }),
    statusIds: fc.option(fc.subarray([3, 4, 5, 6, 7, 9], { minLength: 1 })),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    PageNumber: fc.integer({ min: 1, max: 4 }),
    Take: fc.constantFrom(7, 20, 90),
    username: fc.constantFrom('employee', 'employee', 'individual'),
  });
  const tokens = {
    employee: await app.signIn('employee'),
    individual: await app.signIn('individual'),
  };
  let [found, foundByIndex] = [0, 0];
  await fc.assert(
    fc.asyncProperty(search, async ({ words, statusIds, username, ...page }) => {
      const texts = words.map(normalizeText);
      const isFound = ({ service_id, agency_id, search_text }: (typeof all)[number]) =>
        texts.every(
          (t) =>
            search_text.replaceAll(' ', '').includes(t) ||
            services.get(service_id)?.includes(t) ||
            agencies.get(agency_id)?.includes(t),
        );
      const visible = all.filter(
        (row) =>
          (username === 'employee' || (row.username === username && row.company === null)) &&
          (!statusIds || statusIds.includes(row.status_id)),
      );
      const list = page.sortOrder === 'asc' ? visible : visible.toReversed();
      const ids = list.filter(isFound).map(({ id }) => id);
      const { status, body } = await app.call(getRequestsByStatusId, {
        token: tokens[username as keyof typeof tokens],
        query: {
          ...page,
          SearchKeyword: words.join(' '),
          ...(statusIds ? { StatusIds: statusIds.join(',') } : {}),
        },
      });
      expect(status).toBe(200);
      const end = page.PageNumber * page.Take;
      const maximum = Math.max(200, end);
      expect(body.items.map(({ requestId }) => requestId)).toEqual(ids.slice(end - page.Take, end));
      expect([body.totalCount, body.isTotalAtLeast]).toEqual(
        ids.length > maximum ? [maximum, true] : [ids.length, undefined],
      );
      if (ids.length > 0) found += 1;
      if (ids.length > 0 && list.slice(0, 1000).filter(isFound).length < 2) foundByIndex += 1;
    }),
    { numRuns: 150 },
  );
  // The search takes all its ways.
  expect(found).toBeGreaterThan(40);
  expect(foundByIndex).toBeGreaterThan(2);
});

it.each([
  ['عبد الله المنصوري', ['عبدالله', 'عبد الله', 'عبدالله المنصوري', 'عبداللهالمنصوري']],
  ['أبو بكر', ['ابوبكر', 'أبو بكر']],
  ['نورالدين آل مكتوم', ['نور الدين', 'نورالدين', 'آلمكتوم']],
  ['Saeed Al Mansoori', ['AlMansoori', 'al-mansoori', 'Al Mansoori', 'saeed almansoori']],
  ['Noura AlKaabi', ['Al Kaabi', 'al-kaabi', 'AlKaabi']],
])('the request of %s is found with and without spaces', async (name, typed) => {
  const number = makeRequestNumber(new Date('2022-01-01'));
  await sql`
    insert into requests (
      number, service_id, agency_id, user_id, workflow_id, status_id, version, form_id,
      answers, quote, total, applicant_name, phone_number, search_text, created_at, updated_at,
      working_days, calendar_id
    )
    select
      ${number}, (select min(id) from services),
      (select agency_id from services order by id limit 1),
      (select id from users where username = 'individual2'), (select min(id) from workflows),
      3, 1, (select min(id) from forms), '{}', '{}', 0, ${name}, '+971500000000',
      ${applicantColumns(number, {}, { fullName: name, phoneNumber: '+971500000000' }).search_text},
      timestamptz '2022-01-01', now(), 5, 1
  `.execute(app.database);
  const token = await app.signIn('employee');
  // The list is walked in one direction, and the index of words is asked in the other.
  for (const sortOrder of ['asc', 'desc'] as const)
    for (const SearchKeyword of typed) {
      const { body } = await app.call(getRequestsByStatusId, {
        token,
        query: { SearchKeyword, sortOrder, Take: 100 },
      });
      const numbers = body.items.map(({ requestNumber }) => requestNumber);
      expect([SearchKeyword, sortOrder, numbers]).toEqual([
        SearchKeyword,
        sortOrder,
        expect.arrayContaining([number]),
      ]);
    }
});
