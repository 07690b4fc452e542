// A keyword is searched in the first entries of a list, then by the index of the keywords. The order
// is the same, without gaps and duplicates.
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { useTestApp } from '../../../testing/test-app.ts';

const requestCount = 6000;
const app = useTestApp();
beforeAll(async () => {
  // Words of new requests, of all, and of the oldest only. Every seventh request has another status,
  // so that lists of several statuses are merged.
  await sql`
    insert into requests (
      number, service_id, user_id, workflow_id, status_id, version, form, attachment_rules,
      answers, quote, total, applicant_name, phone_number, search_text, created_at, updated_at,
      working_days
    )
    select
      'DW20-00001-' || lpad(n::text, 5, '0'),
      (select min(id) from services),
      (select id from users where username = 'individual2'),
      (select min(id) from workflows),
      case when n % 7 = 0 then 9 else 3 end,
      1, '[]', '[]', '{}', '{}', 0, 'Ali', '+971500000000',
      'dw20 ' || n
        || case when n % 2 = 0 then ' everyother سواه' else '' end
        || case
          when n < 90 then ' longago الغابرون'
          when n % 50 = 0 then ' longago'
          else ''
        end,
      timestamptz '2020-01-01' + n * interval '1 hour',
      now(),
      5
    from generate_series(1, ${requestCount}::int) as n
  `.execute(app.database);
});

async function findIds(word: string, statuses: string, sortOrder: string): Promise<number[]> {
  const order = sql.raw(sortOrder);
  const { rows } = await sql<{ id: number }>`
    select id
    from requests
    where search_text like ${`%${word}%`} and status_id = any(${`{${statuses}}`}::int[])
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
