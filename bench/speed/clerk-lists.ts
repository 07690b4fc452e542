// Lists as clerks filter them: random combinations of one status or several, 30 days, a keyword, an
// order and a page, for clerks of one agency, of three and of all.
import { endOfDay, startOfDay } from '@diwan/contract/wire/days';
import { languages } from '@diwan/contract/wire/languages';
import type { Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { HttpConnection } from '../load/http-connection.ts';
import type { LoadCall } from '../load/load-generator.ts';
import { ask } from './bare-server.ts';
import { bodyOf, compareLists, signIn, type Case, type Cases, type Stage } from './cases.ts';
import { clerkList, columns, wordsOf, type Question, type Word } from './clerk-sql.ts';
import { day } from './list-questions.ts';

const clerksOfScope = 16;
const questionsOfClerk = 8;

const clerkScopes = { 'one agency': 1, 'three agencies': 3, 'all agencies': undefined };
type ClerkScope = keyof typeof clerkScopes;

/** Numbers from 0 to 1 that follow from a seed. */
export function openRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  /** Some of the values, each once. */
  const some = <Value>(values: readonly Value[], count: number): Value[] => {
    const left = [...values];
    return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] as Value);
  };
  return { below, pick, some };
}
type Random = ReturnType<typeof openRandom>;

/** A clerk, with the agencies whose requests they see. */
interface Clerk {
  id: string;
  username: string;
  agencies?: readonly number[];
}

/** Adds clerks like `employee`, each with some agencies, or all without a number of them. */
async function addClerks(
  database: Database,
  random: Random,
  scope: ClerkScope,
): Promise<readonly Clerk[]> {
  const count = clerkScopes[scope];
  const { rows: known } = await sql<{ id: number }>`
    select id
    from agencies
    where exists (select from requests where agency_id = agencies.id)
    order by id
  `.execute(database);
  const { rows: clerks } = await sql<Clerk>`
    insert into users (
      username, password_hash, full_name, full_name_ar, phone_number, email, roles, all_agencies
    )
    select made, password_hash, full_name, full_name_ar, phone_number, made || '@example.ae', roles,
      ${count === undefined}
    from users, generate_series(1, ${clerksOfScope}::int) as number,
      lateral (select 'clerk-' || ${scope.replace(' ', '-')} || '-' || number as made) as named
    where username = 'employee'
    returning id, username
  `.execute(database);
  if (count === undefined) return clerks;
  const ids = known.map(({ id }) => id);
  return Promise.all(
    clerks.map(async ({ id, username }) => {
      const agencies = random.some(ids, Math.min(count, ids.length));
      await sql`
        insert into staff_agencies (user_id, agency_id)
        select ${id}::uuid, unnest(${agencies}::int[])
      `.execute(database);
      return { id, username, agencies };
    }),
  );
}

interface Named {
  id: number;
  /** The words of the names in all languages, between line breaks. */
  words: string;
}

/** What keywords are looked up in, as the product does it in memory. */
export async function readNames(database: Database): Promise<(text: string) => Word> {
  const namesOf = async (table: string): Promise<Named[]> => {
    const { rows } = await sql<{ id: number; name: Record<string, string> }>`
      select id, name from ${sql.id(table)}
    `.execute(database);
    return rows.map(({ id, name }) => ({
      id,
      words: wordsOf(languages.map((language) => name[language]).join(' ')).join('\n'),
    }));
  };
  const [services, agencies] = await Promise.all(['services', 'agencies'].map(namesOf));
  const idsIn = (named: readonly Named[] = [], text: string) =>
    named.flatMap(({ id, words }) => (words.includes(text) ? [id] : []));
  return (text) => ({ text, services: idsIn(services, text), agencies: idsIn(agencies, text) });
}

export async function storePlaces(database: Database): Promise<void> {
  await sql`
    create table bench.places as
    select 'service' as kind, id,
      dense_rank() over (order by name ->> 'ar-EG' collate "ar-x-icu")::int as place
    from services
    union all
    select 'agency', id, dense_rank() over (order by name ->> 'ar-EG' collate "ar-x-icu")::int
    from agencies
  `.execute(database);
  await sql`create unique index on bench.places (kind, id) include (place)`.execute(database);
  await sql`vacuum (analyze) bench.places`.execute(database);
}

/** A request as one that a clerk looks for. */
interface Sought {
  number: string;
  phone: string;
  name: string;
}

/** Some requests of a list. */
async function readSought(
  database: Database,
  { agencies, statusIds, from, before }: Question,
): Promise<readonly Sought[]> {
  const { rows } = await sql<Sought>`
    select number, phone_number as phone, applicant_name as name
    from requests
    where status_id = any(${[...statusIds]}::int[])
      and created_at >= ${from}
      and created_at < ${before}
      ${agencies ? sql`and agency_id = any(${[...agencies]}::int[])` : sql``}
    order by created_at desc
    limit 300
  `.execute(database);
  return rows;
}

// What of a request a clerk types: nothing, its number or the end of it, the name or a part of it, or the
// mobile number.
const typed = ['nothing', 'number', 'end of a number', 'one name', 'whole name', 'mobile'] as const;

/** A question with its query, and what the clerk typed or sorted by. */
interface Asked {
  question: Question;
  username: string;
  kind: string;
  query: string;
}

/** Random questions of clerks of a scope. */
async function askRandomly(
  database: Database,
  {
    random,
    scope,
    findWord,
  }: { random: Random; scope: ClerkScope; findWord: (text: string) => Word },
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const statusIds = [2, 3, 4, 5, 6, 7, 8, 9, 10];
  for (const { id, username, agencies } of await addClerks(database, random, scope))
    for (let count = 0; count < questionsOfClerk; count += 1) {
      // Half of them look at the last days, the others at a time of the last three years.
      const ago = random.pick([0, random.below(1060)]);
      const days = { from: day(ago + 29), to: day(ago) };
      const question: Question = {
        clerkId: id,
        ...(agencies ? { agencies } : {}),
        statusIds: random.some(statusIds, random.pick([1, 1, 2, 3, 4])),
        from: startOfDay(days.from),
        before: endOfDay(days.to),
        sortBy: random.pick(['sent', 'due', ...columns]),
        order: random.pick(['asc', 'desc']),
        pageNumber: random.pick([1, 1, 1, 2, 3, 5]),
        take: random.pick([10, 20]),
      };
      const wanted = random.pick([...typed, 'nothing', 'nothing'] as const);
      const found = await readSought(database, question);
      const sought = found.length > 0 ? random.pick(found) : undefined;
      const keyword = sought && keywordOf(wanted, sought, random);
      if (keyword && wanted !== 'number' && wanted !== 'mobile')
        question.keyword = { kind: 'words', words: wordsOf(keyword).map(findWord) };
      else if (keyword)
        question.keyword = {
          kind: wanted === 'number' ? 'number' : 'mobile',
          value: wanted === 'number' ? sought.number : sought.phone,
        };
      const query = new URLSearchParams({
        Take: String(question.take),
        PageNumber: String(question.pageNumber),
        StatusIds: question.statusIds.join(','),
        DateFrom: days.from,
        DateTo: days.to,
        SortBy: question.sortBy,
        sortOrder: question.order,
        ...(keyword ? { SearchKeyword: keyword } : {}),
      });
      const kind = keyword ? wanted : `by ${question.sortBy}`;
      asked.push({ question, username, kind, query: String(query) });
    }
  return asked;
}

function keywordOf(
  wanted: (typeof typed)[number],
  { number, phone, name }: Sought,
  random: Random,
): string | undefined {
  switch (wanted) {
    case 'nothing':
      return undefined;
    case 'number':
      return number;
    case 'end of a number':
      return number.slice(-5);
    case 'one name':
      return random.pick(name.split(' '));
    case 'whole name':
      return name;
    case 'mobile':
      return phone.replace('+971', '0');
  }
}

export const clerkNames = Object.keys(clerkScopes).map(
  (scope) => `staff lists of clerks, ${scope}`,
);

/** Lists as clerks filter them, a case for each scope. */
export async function clerkCases(
  { program, database }: Stage,
  { statements }: Cases,
): Promise<Case[]> {
  // A connection of its own: the server closes one without a call, as while clerks sign in.
  const askProduct = async (path: string, token: string) => {
    const connection = new HttpConnection(program.port);
    try {
      return await ask(connection, path, token);
    } finally {
      connection.close();
    }
  };
  const employee = await signIn(program, 'employee');
  const { body } = await askProduct('/api/Request/GetAllStatuses', employee);
  const statuses = JSON.parse(body) as { statusId: number }[];
  const names = JSON.stringify(Object.fromEntries(statuses.map((each) => [each.statusId, each])));
  const order = statuses.map(({ statusId }) => statusId);
  await storePlaces(database);
  const findWord = await readNames(database);
  const random = openRandom(33);
  const cases: Case[] = [];
  for (const scope of Object.keys(clerkScopes) as ClerkScope[]) {
    const name = `staff lists of clerks, ${scope}`;
    const [product, direct]: [LoadCall[], LoadCall[]] = [[], []];
    const tokens = new Map<string, string>();
    for (const asked of await askRandomly(database, { random, scope, findWord })) {
      const token = tokens.get(asked.username) ?? (await signIn(program, asked.username));
      tokens.set(asked.username, token);
      const path = `/api/Request/GetRequestsByStatusId?${asked.query}&clerk=${asked.username}`;
      const statement = clerkList(asked.question, names, order);
      const { body: expected } = await askProduct(path, token);
      const other = await bodyOf(database, statement);
      compareLists(path, expected, other);
      statements[path] = statement;
      product.push({ group: asked.kind, path, token, expected });
      direct.push({ group: asked.kind, path, expected: other });
    }
    cases.push({ name, callsOf: { product: () => product, sql: () => direct } });
  }
  return cases;
}
