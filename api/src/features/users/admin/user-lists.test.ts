import { beforeAll, describe, expect, it } from 'vitest';
import { containsPattern } from '#platform/database/keyword-search.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAllCompanies } from '@diwan/contract/people/companies';
import {
  getAllPartners,
  getAllServiceProviders,
  getOwnPartner,
} from '@diwan/contract/people/partners';
import { getAllAttachments } from '@diwan/contract/requests/attachments';
import {
  getAllUsers,
  getUserById,
  type UserOrder,
} from '@diwan/contract/staff/user-administration';
import type { Call, QueryInputOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import {
  findUsers,
  selectUsers,
  usersQuery,
  type PagePlan,
  type UserList,
} from './user-lists.store.ts';

const app = useTestApp();

const lists = {
  getAllUsers,
  getAllCompanies,
  getAllPartners,
  getAllServiceProviders,
  getAllAttachments,
};
const as = async (username: string) => ({ token: await app.signIn(username) });
const usernames = async (query: QueryInputOf<typeof getAllUsers>) =>
  (await app.call(getAllUsers, { ...(await as('admin')), query })).body.items.map(
    ({ username }) => username,
  );

describe.each(Object.entries(lists))('%s', (_, call: Call) => {
  const ask = async (query: object) =>
    (await app.call(call as never, { ...(await as('admin')), query } as never)) as {
      status: number;
      body: { items: unknown[]; pageNumber: number; totalCount: number };
    };

  it('has pages that contain each row once', async () => {
    const whole = (await ask({ Take: 100 })).body;
    expect(whole.items.length).toBe(Math.min(whole.totalCount, 100));
    expect(whole.totalCount).toBeGreaterThan(1);
    const pages = await Promise.all(
      [1, 2].map(async (PageNumber) => (await ask({ Take: 1, PageNumber })).body),
    );
    expect(pages.map(({ items }) => items[0])).toEqual(whole.items.slice(0, 2));
    expect((await ask({ PageNumber: 1_000_000 })).body.items).toEqual([]);
  });

  it('treats special characters in a keyword as text', async () => {
    for (const SearchKeyword of ['%', '_', '\\', "' or true --", '\u202E', 'no such thing at all'])
      expect((await ask({ SearchKeyword })).body, SearchKeyword).toMatchObject(
        SearchKeyword === '\u202E' ? {} : { totalCount: 0, items: [] },
      );
    expect((await ask({ SearchKeyword: '   ' })).body.totalCount).toBeGreaterThan(1);
    expect((await ask({ SearchKeyword: 'x'.repeat(201) })).status).toBe(400);
  });

  it('is for admins only', async () => {
    for (const username of ['employee', 'supervisor', 'company', 'individual'])
      expect(
        (await app.call(call as never, { ...(await as(username)), query: {} } as never)).status,
      ).toBe(403);
    expect((await app.call(call as never, { query: {} } as never)).status).toBe(401);
  });
});

describe('users', () => {
  it('are found by each of their details, in any spelling', async () => {
    await sql`update users set full_name = 'أَحْمَد العُويس' where username = 'company2'`.execute(
      app.database,
    );
    for (const SearchKeyword of [
      'company2@example.com',
      'COMPANY2',
      '0000007',
      '٥٠٠٠٠٠٠٠٧',
      'احمد',
      'العويس أحمد',
      'احمـد',
    ])
      expect(await usernames({ SearchKeyword }), SearchKeyword).toEqual(['company2']);
  });

  it('of one role', async () => {
    expect((await usernames({ Role: 'Client' })).toSorted()).toEqual(['individual', 'individual2']);
    expect(await usernames({ Role: 'ServiceProvider', SearchKeyword: 'fatima' })).toEqual([
      'supervisor2',
    ]);
    expect(
      (
        await app.call(getAllUsers, {
          ...(await as('admin')),
          query: { Role: 'Nobody' as never },
        })
      ).status,
    ).toBe(400);
  });

  it('include company, partner and last sign-in, and no password hash', async () => {
    await app.signIn('supervisor');
    const { body } = await app.call(getAllUsers, {
      ...(await as('admin')),
      query: { Take: 100 },
    });
    const of = (username: string) => body.items.find((user) => user.username === username);
    expect(of('supervisor')).toMatchObject({
      roles: ['ServiceProvider'],
      partner: { name: 'Demo Business and Vehicle Services Centre' },
    });
    expect(Date.parse(of('supervisor')?.lastSignInAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(of('employee2')?.lastSignInAt).toBeUndefined();
    expect(of('company')).toMatchObject({ company: { name: 'Demo Palm Trading LLC' } });
    expect(of('individual')?.roles).toEqual(['Client']);
    expect(JSON.stringify(body)).not.toMatch(/argon2|password|hash|784-\d{4}-\d{7}-\d/);
  });

  it('are marked as suspended', async () => {
    await sql`update users set suspended_at = now() where username = 'supervisor2'`.execute(
      app.database,
    );
    const { token } = await as('admin');
    expect(
      (await app.call(getAllUsers, { token, query: { Role: 'ServiceProvider' } })).body.items
        .map(({ username, isSuspended }) => [username, isSuspended])
        .sort(),
    ).toEqual([
      ['supervisor', false],
      ['supervisor2', true],
    ]);
    expect(
      (await app.call(getAllServiceProviders, { token, query: { SearchKeyword: 'supervisor2' } }))
        .body.items[0]?.isSuspended,
    ).toBe(true);
    await sql`update users set suspended_at = null where username = 'supervisor2'`.execute(
      app.database,
    );
  });
});

describe('a search of words that many names have', () => {
  beforeAll(async () => {
    await sql`
      insert into users (username, full_name, phone_number, email, roles)
      select
        'many-' || n,
        case when n % 2 = 0 then 'Zayed Mansoor ' else 'Mansoor Zayed ' end || n,
        '+97150' || 3000000 + n, 'many-' || n || '@example.com', '{}'
      from generate_series(1, 10_050) as n`.execute(app.database);
    await sql`analyze users`.execute(app.database);
  });

  const keywords = ['mansoor zayed', 'zayed mansoor 10'];
  const listOf = (keyword: string, order: UserOrder, pageNumber = 1): UserList => ({
    keyword,
    order,
    pageNumber,
    take: 20,
    role: undefined,
    isSuspended: undefined,
    partnerId: undefined,
    companyId: undefined,
    agencyId: undefined,
    agencies: undefined,
    hasSecondFactor: undefined,
    lastSignIn: undefined,
    staffOf: 'all' as const,
  });
  const explain = async (list: UserList, plan: PagePlan): Promise<string> => {
    const query = usersQuery(app.database, list, plan).compile();
    const { rows } = await app.database.executeQuery<{ 'QUERY PLAN': string }>({
      ...query,
      sql: `explain ${query.sql}`,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it('finds the same users in the same order by every plan', async () => {
    for (const keyword of keywords)
      for (const order of ['name', 'lastSignIn'] as const) {
        const list = listOf(keyword, order, 2);
        const idsBy = async (plan: PagePlan) =>
          (await selectUsers(app.database, list, plan)).map(({ id }) => id);
        const planned = await idsBy('planned');
        expect(planned).toHaveLength(20);
        expect(await idsBy('walked')).toEqual(planned);
        const { ids } = await findUsers(app.database, list, 20_000);
        expect([ids, await idsBy(ids)]).toEqual([planned, planned]);
      }
  });

  it('walks the index of the order, and sorts no more users than are listed', async () => {
    const walked = await explain(listOf('mansoor zayed', 'name'), 'walked');
    expect(walked).toContain('Index Scan using users_by_name');
    const { body } = await app.callAs('admin', getAllUsers, {
      query: { SearchKeyword: 'mansoor zayed', Order: 'name', Take: 20 },
    });
    expect([body.items.length, body.isTotalAtLeast]).toEqual([20, true]);
    expect(body.items[0]?.fullName).toBe('Mansoor Zayed 1');
  });

  it('finds names at the end of the order too', async () => {
    const { body } = await app.callAs('admin', getAllUsers, {
      query: { SearchKeyword: 'zayed mansoor', Order: 'name', Take: 20, PageNumber: 400 },
    });
    expect(body.items).toHaveLength(20);
    expect(body.items[0]?.fullName).toMatch(/^Zayed Mansoor/);
  });
});

it('shows a name in the script of the language, and in Latin letters without an Arabic name', async () => {
  const user = { full_name: 'Script Demo', phone_number: '+971569990090', roles: [] };
  await app.database
    .insertInto('users')
    .values([
      { ...user, username: 'script1', email: 'script1@example.com', full_name_ar: 'نص العرض' },
      { ...user, username: 'script2', email: 'script2@example.com' },
    ])
    .execute();
  const names = async (language: Language) =>
    Promise.all(
      ['script1', 'script2'].map(async (SearchKeyword) => {
        const query = { SearchKeyword };
        const { items } = (await app.callAs('admin', getAllUsers, { query, language })).body;
        const record = { query: { UserId: items[0]?.id ?? '' }, language };
        const { fullName } = (await app.callAs('admin', getUserById, record)).body;
        expect(fullName).toBe(items[0]?.fullName);
        expect(items[0]?.hasPassword).toBe(false);
        return fullName;
      }),
    );
  expect(await names('ar-EG')).toEqual(['نص العرض', 'Script Demo']);
  expect(await names('ur-PK')).toEqual(['نص العرض', 'Script Demo']);
  expect(await names('en-US')).toEqual(['Script Demo', 'Script Demo']);
});

describe('names and numbers in other spellings', () => {
  beforeAll(async () => {
    await sql`
      insert into users (username, full_name, phone_number, email, roles)
      select 'joined-' || n, name, '+97156999000' || n, 'joined-' || n || '@example.com', '{}'
      from unnest(array[
        'عبد الله بن راشد', 'عبدالله راشد', 'Saeed Al Mansoori', 'Saeed AlMansoori', 'Noor Al-Deen'
      ]) with ordinality as given (name, n)
    `.execute(app.database);
  });
  const found = async (SearchKeyword: string) =>
    (await usernames({ SearchKeyword, Take: 100 }))
      .filter((username) => username.startsWith('joined-'))
      .toSorted();

  it.each([
    ['عبدالله', [1, 2]],
    ['عبد الله', [1, 2]],
    ['عبداللهبنراشد', [1]],
    ['AlMansoori', [3, 4]],
    ['Al Mansoori', [3, 4]],
    ['al-mansoori', [3, 4]],
    ['saeedalmansoori', [3, 4]],
    ['NoorAlDeen', [5]],
    ['noor aldeen', [5]],
    ['0569990003', [3]],
    ['056 999 0003', [3]],
    ['٠٥٦٩٩٩٠٠٠٣', [3]],
    ['+971569990003', [3]],
    ['joined-4@example.com', [4]],
  ])('%s finds the users %j', async (keyword, numbers) => {
    expect(await found(keyword)).toEqual(numbers.map((number) => `joined-${number}`));
  });

  it.each(['0500000008', '00971500000008', '00971-500000008'])(
    '%s finds the user with +971500000008',
    async (SearchKeyword) => {
      expect(await usernames({ SearchKeyword })).toEqual(['individual']);
    },
  );

  it.each([
    ['users_search', 'almansoori'],
    ['users_search', '0569990003'],
    ['users_search_key', 'عبدالله'],
  ])('the index %s answers %s', async (index, keyword) => {
    const plan = await inTransaction(app.database, async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      const pattern = `%${keyword}%`;
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select id from users where ${containsPattern(sql`users.search_text`, pattern)}
      `.execute(transaction);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(new RegExp(`Index Scan on ${index}\\b(?!_)`));
  });
});

describe('companies, partners and supervisors', () => {
  it('have counts, and names that are found in every language', async () => {
    const { token } = await as('admin');
    const { body } = await app.call(getAllCompanies, {
      token,
      language: 'ar-EG',
      query: { SearchKeyword: 'palm' },
    });
    expect(body.items).toEqual([
      {
        id: expect.any(Number),
        name: 'شركة نخلة العرض للتجارة (تجريبية)',
        licenceNumber: 'CN-1000001',
        isSuspended: false,
        usersCount: 1,
        requestsCount: expect.any(Number),
      },
    ]);
    expect(body.items[0]?.requestsCount).toBeGreaterThan(2);
    const partners = (await app.call(getAllPartners, { token, query: {} })).body.items;
    for (const partner of partners) expect(partner).toMatchObject({ supervisorsCount: 1 });
    expect(
      partners.every(({ servicesCount, requestsCount }) => servicesCount > 10 && requestsCount > 3),
    ).toBe(true);
    expect(
      (await app.call(getAllServiceProviders, { token, query: { SearchKeyword: 'identity' } })).body
        .items,
    ).toMatchObject([
      { username: 'supervisor2', partner: { name: 'Demo Work and Identity Services Centre' } },
    ]);
  });
});

describe('attachments', () => {
  it('are found by file, request and person, without their content', async () => {
    const { token } = await as('admin');
    const list = async (query: object) =>
      (await app.call(getAllAttachments, { token, query })).body;
    const results = await list({ State: 'result', Take: 100 });
    expect(new Set(results.items.map(({ state }) => state))).toEqual(new Set(['result']));
    const [one] = results.items;
    expect(one).toMatchObject({
      mediaType: 'application/pdf',
      requestNumber: expect.stringMatching(/^DW\d\d-\d{5}-\d{5}$/),
    });
    expect(Object.keys(one ?? {}).sort()).toEqual([
      'attachmentId',
      'createdAt',
      'fileName',
      'mediaType',
      'ownerName',
      'requestNumber',
      'scanState',
      'size',
      'state',
    ]);
    for (const SearchKeyword of [
      one?.requestNumber,
      one?.fileName,
      `${one?.ownerName} ${one?.requestNumber}`,
    ])
      expect(
        (await list({ SearchKeyword, State: 'result' })).items.map(
          ({ attachmentId }) => attachmentId,
        ),
      ).toContain(one?.attachmentId);
    const byState = await Promise.all(
      (['announced', 'unused', 'attached', 'viewed', 'result'] as const).map(
        async (State) => (await list({ State })).totalCount,
      ),
    );
    expect(byState.reduce((total, count) => total + count, 0)).toBe((await list({})).totalCount);
  });
});

describe('the own partner', () => {
  it('shows its own services and agencies only', async () => {
    const [one, other] = await Promise.all(
      ['supervisor', 'supervisor2'].map(
        async (username) => (await app.call(getOwnPartner, await as(username))).body,
      ),
    );
    expect(one?.agencies.reduce((total, { servicesCount }) => total + servicesCount, 0)).toBe(
      one?.services.length,
    );
    expect(
      one?.services.some(({ id }) => other?.services.some((service) => service.id === id)),
    ).toBe(false);
    expect((await app.call(getOwnPartner, await as('admin'))).status).toBe(403);
    await sql`update users set partner_id = null where username = 'supervisor2'`.execute(
      app.database,
    );
    expect((await app.call(getOwnPartner, await as('supervisor2'))).refused.error).toBe('NotFound');
  });
});
