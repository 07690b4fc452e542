// The list of users over USERS (a million) accounts: npm run trial -- users. Asks for each filter, order
// and kind of search over HTTP and shows which indexes PostgreSQL uses. Fails above 200 ms. A DATA_DIR
// is filled once and used again.
import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { login } from '@diwan/contract/people/users';
import { getAllUsers } from '@diwan/contract/staff/user-administration';
import type { QueryInputOf } from '@diwan/contract/wire/call';
import { listUsers } from '../../api/src/features/users/admin/user-lists.routes.ts';
import { withoutTimeLimits, type Database } from '../../api/src/platform/database/database.ts';
import type { Tables } from '../../api/src/platform/database/schema.generated.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  endPrograms,
  findPostgres,
  newDataDir,
  openDataDir,
  startProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { arabicNames, latinNames, rareName, urduNames } from '../speed/people-names.ts';
import { machine, milliseconds, percentile } from '../speed/report.ts';

const size = Number(process.env.USERS ?? 1_000_000);
const rounds = Number(process.env.ROUNDS ?? 15);
const mostMilliseconds = 200;
const companies = 20_000;

/** Adds accounts: most are clients, a fifth belongs to companies, a few thousand are staff. */
async function fillUsers(database: Database): Promise<void> {
  const scripts = [arabicNames, latinNames, urduNames].map(({ given, family }) => ({
    given,
    family,
  }));
  await sql`
    insert into companies (name)
    select jsonb_build_object(
      'ar-EG', 'شركة ' || n, 'en-US', 'Company ' || n || ' LLC', 'ur-PK', 'کمپنی ' || n
    )
    from generate_series(1, ${companies}::int) as n`.execute(database);
  // To make an index in one step is ten times faster than to add each row to it.
  const { rows: indexes } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef
    from pg_indexes
    where tablename = 'users'
      and indexname like 'users_search%'`.execute(database);
  for (const { indexname } of indexes) await sql`drop index ${sql.id(indexname)}`.execute(database);
  // The first names of a list are the most frequent.
  await sql`
    insert into users (
      username, full_name, phone_number, email, roles, company_id, partner_id, created_at,
      suspended_at, last_sign_in_at
    )
    select 'person-' || n,
      case when n % 25000 = 7 then 'Amal ' || ${rareName}::text else concat_ws(' ',
        given ->> floor(random() ^ 2 * jsonb_array_length(given))::int,
        given ->> floor(random() ^ 2 * jsonb_array_length(given))::int,
        family ->> floor(random() ^ 2 * jsonb_array_length(family))::int
      ) end,
      '+9715' || lpad((n * 37 % 100000000)::text, 8, '0'), 'person-' || n || '@example.com',
      case when n % 500 = 3 then '{Employee}'::text[] when n % 1000 = 1 then '{ServiceProvider}'
        when n % 5 = 2 then '{CompanyUser}' else '{}' end,
      case when n % 5 = 2 then first_company + (n * 7 % ${companies}) end,
      case when n % 1000 = 1 then first_partner end,
      now() - random() * interval '1500 days',
      case when n % 200 = 3 then now() - random() * interval '300 days' end,
      case when n % 4 > 0 then now() - random() ^ 2 * interval '700 days' end
    from generate_series(1, ${size}::int) as n
    cross join (select min(id) as first_company from companies where name ->> 'en-US' like 'Company %') as c
    cross join (select min(id) as first_partner from partners) as p
    cross join lateral (
      select ${JSON.stringify(scripts)}::jsonb -> (n * 13 % 100 / 45) as script
    ) as s
    cross join lateral (select script -> 'given' as given, script -> 'family' as family) as names
  `.execute(database);
  await sql`
    insert into second_factors (user_id, secret, confirmed_at)
    select id, 'x', now()
    from users
    where username like 'person-%7'
      and not exists (select from second_factors where user_id = users.id)
    limit ${Math.round(size / 20)}`.execute(database);
  for (const { indexdef } of indexes) await sql.raw(indexdef).execute(database);
  await sql`vacuum (analyze) users`.execute(database);
  await sql`vacuum (analyze) second_factors`.execute(database);
}

async function countAll(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from users`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

type Query = QueryInputOf<typeof getAllUsers>;
const [often = '', second = ''] = arabicNames.given;
const questions: Record<string, Query> = {
  'first page, newest': {},
  'page 500, newest': { PageNumber: 500 },
  'by name': { Order: 'name' },
  'by last sign-in': { Order: 'lastSignIn' },
  'longest absent first': { Order: 'longestAbsent' },
  clients: { Role: 'Client' },
  clerks: { Role: 'Employee' },
  'clerks by name': { Role: 'Employee', Order: 'name' },
  'company users by last sign-in': { Role: 'CompanyUser', Order: 'lastSignIn' },
  admins: { Role: 'Admin' },
  suspended: { State: 'suspended' },
  'suspended by name': { State: 'suspended', Order: 'name' },
  'suspended clerks': { State: 'suspended', Role: 'Employee' },
  active: { State: 'active' },
  'of a company': { CompanyId: 100 },
  'of a provider by name': { PartnerId: 1, Order: 'name' },
  'with a second factor': { SecondFactor: 'set' },
  'without a second factor by name': { SecondFactor: 'notSet', Order: 'name' },
  'clerks without a second factor': { SecondFactor: 'notSet', Role: 'Employee' },
  'admins with a second factor': { SecondFactor: 'set', Role: 'Admin' },
  'never signed in': { LastSignIn: 'never' },
  'never signed in, by name': { LastSignIn: 'never', Order: 'name' },
  'signed in within 7 days': { LastSignIn: 'last7Days' },
  'not in 90 days, by name': { LastSignIn: 'notIn90Days', Order: 'name' },
  'a username': { SearchKeyword: 'person-777777' },
  'a telephone number': { SearchKeyword: '+97150' },
  'an e-mail address': { SearchKeyword: 'person-4711@example.com' },
  'a rare name': { SearchKeyword: rareName },
  'a common name': { SearchKeyword: often },
  'a common name, page 20': { SearchKeyword: often, PageNumber: 20 },
  'two common names, by name': { SearchKeyword: `${often} ${second}`, Order: 'name' },
  'two common names, by last sign-in': { SearchKeyword: 'Ali Khan', Order: 'lastSignIn' },
  'a common name of suspended users': { SearchKeyword: often, State: 'suspended' },
  'a common name of clerks': { SearchKeyword: 'Ahmed', Role: 'Employee' },
  'two letters': { SearchKeyword: 'so' },
  'one letter, by name': { SearchKeyword: 'z', Order: 'name' },
  'nothing found': { SearchKeyword: 'qqqqxyz' },
  'nothing found, two letters': { SearchKeyword: 'qz' },
};

/** Opens the list of the server, and tells which indexes PostgreSQL uses for its statements. */
function openPlans(dataDir: string) {
  const asked: CompiledQuery[] = [];
  const password = readFileSync(`${dataDir}/postgres.password`, 'utf8');
  const pool = new pg.Pool({
    connectionString: `postgres://diwan:${password}@127.0.0.1:${findPostgres(dataDir)?.port}/diwan`,
  });
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  });
  return {
    async indexesOf(query: Query): Promise<string> {
      asked.length = 0;
      const { State, SecondFactor } = query;
      await listUsers(
        database,
        {
          keyword: query.SearchKeyword,
          role: query.Role,
          isSuspended: State && State === 'suspended',
          partnerId: query.PartnerId as number | undefined,
          companyId: query.CompanyId as number | undefined,
          agencyId: query.AgencyId as number | undefined,
          agencies: query.Agencies,
          hasSecondFactor: SecondFactor && SecondFactor === 'set',
          lastSignIn: query.LastSignIn,
          staffOf: 'all',
          order: query.Order ?? 'newest',
          pageNumber: Number(query.PageNumber ?? 1),
          take: 20,
        },
        'en-US',
      );
      const used = new Set<string>();
      for (const { sql: text, parameters } of asked) {
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [
          ...parameters,
        ]);
        for (const { 'QUERY PLAN': line } of rows) {
          const [, scan, index] =
            /(Seq Scan) on users|(?:Index (?:Only )?Scan(?: Backward)? using|Bitmap Index Scan on) (\w+)/.exec(
              line,
            ) ?? [];
          if (scan) used.add('all rows in turn');
          if (index && !index.endsWith('_pkey')) used.add(index);
        }
      }
      return [...used].join(', ');
    },
    close: () => database.destroy(),
  };
}

async function askAll(port: number, token: string, dataDir: string): Promise<boolean> {
  let isInTime = true;
  const plans = openPlans(dataDir);
  console.log(
    '| list | median ms | longest ms | found | indexes |\n| --- | --: | --: | --: | --- |',
  );
  for (const [name, query] of Object.entries(questions)) {
    const search = new URLSearchParams({ Take: '20', ...(query as Record<string, string>) });
    const times: number[] = [];
    let found = { totalCount: 0, isTotalAtLeast: false };
    for (let round = 0; round <= rounds; round += 1) {
      const start = performance.now();
      const reply = await fetch(`http://127.0.0.1:${port}${getAllUsers.path}?${search}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      found = (await reply.json()) as typeof found;
      if (reply.status !== 200) throw new Error(`${name}: ${reply.status}`);
      // The first answer reads pages of the database that nobody has read since the start.
      if (round > 0) times.push(performance.now() - start);
    }
    const [median, longest] = [percentile(times, 0.5), Math.max(...times)];
    if (median > mostMilliseconds) isInTime = false;
    const count = `${found.totalCount}${found.isTotalAtLeast ? '+' : ''}`;
    const indexes = await plans.indexesOf(query);
    console.log(
      `| ${name} | ${milliseconds(median)} | ${milliseconds(longest)} | ${count} | ${indexes} |`,
    );
  }
  await plans.close();
  return isInTime;
}

const dataDir = process.env.DATA_DIR ?? (await newDataDir());
try {
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  await program.waitUntilReady();
  const database = withoutTimeLimits(openDataDir(dataDir));
  if ((await countAll(database)) < size) await fillUsers(database);
  console.log(`${size} users, ${machine()}`);
  const body = { username: 'admin', password: demoPassword };
  const { token } = (await program.call(login, { body })).body;
  if (!(await askAll(program.port, token, dataDir))) process.exitCode = 1;
  await database.destroy();
  program.signal('SIGINT');
  await program.ended;
} finally {
  await endPrograms();
}
