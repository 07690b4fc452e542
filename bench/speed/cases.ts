// What the benchmark measures: calls of the product, and what bare servers answer to them.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery } from 'kysely';
import type { Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { demoPassword } from '../../api/src/seed/seed.ts';
import type { RunningProgram } from '../../api/src/testing/programs/running-program.ts';
import { makeAnswers } from '../../api/src/testing/requests/demo-request.ts';
import { HttpConnection } from '../load/http-connection.ts';
import type { LoadCall } from '../load/load-generator.ts';
import { ask, type BareStatement, type CachedReply } from './bare-server.ts';
import * as bare from './bare-sql.ts';
import { arabicNames, latinNames } from './people-names.ts';
import { addSenders } from './prepare-data.ts';

/** A server that answers the calls of a case. */
export type Target = 'product' | 'memory' | 'body' | 'sql' | 'oneRow' | 'fastify';

export interface Case {
  name: string;
  /** `distinct`: no address was asked for before. */
  addresses?: 'distinct' | 'repeated';
  /** Makes the calls of one run; it may have to prepare rows for them. */
  callsOf: Partial<Record<Target, (seconds: number) => Promise<LoadCall[]> | LoadCall[]>>;
  /** Each call is sent once. */
  isOnce?: boolean;
}

/** The cases, and what the bare servers must know for them. */
export interface Cases {
  cases: Case[];
  replies: Record<string, CachedReply>;
  statements: Record<string, BareStatement>;
}

/** The product that is measured. */
export interface Stage {
  program: RunningProgram;
  database: Database;
  /** The number of services. */
  services: number;
}

const addresses = 60;
const pageSize = 20;
/** The people who send requests. */
const senders = 1000;
const wordsOfServices = 'تجديد رخصة الإقامة شهادة تصريح بطاقة مركبة إصدار دبي'.split(' ');
const hardTexts = [
  'e',
  'ا',
  'e a i o r s t n l d u c',
  'issue new work permit for domestic worker in dubai ajman sharjah with contract card',
  'visa renewl',
  'x'.repeat(10_000),
];

const listOf = (pageNumber: number, keyword = '') =>
  `/api/Service/GetServices?PageSize=${pageSize}&PageNumber=${pageNumber}${keyword}`;
const recordOf = (id: number) => `/api/Service/GetService?serviceId=${id}`;
const staffListOf = (filter: string) =>
  `/api/Request/GetRequestsByStatusId?Take=${pageSize}${filter}`;

/** The token of a demo account. */
export async function signIn(program: RunningProgram, username: string): Promise<string> {
  return (
    await post<{ token: string }>(program, '/api/User/Login', {
      username,
      password: demoPassword,
    })
  ).token;
}

async function post<Reply>(
  program: RunningProgram,
  path: string,
  body: unknown,
  token?: string,
): Promise<Reply> {
  const answer = await fetch(`http://127.0.0.1:${program.port}${path}`, {
    method: 'POST',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // A server that has just started, or passwords that are checked at the same time.
  if (answer.status === 503) {
    await sleep(500);
    return post(program, path, body, token);
  }
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Reply;
}

async function publish(
  { database, services }: Stage,
  connection: HttpConnection,
): Promise<number[]> {
  const published: bare.PublishedService[] = [];
  for (let page = 1; published.length < services; page += 1) {
    const { body } = await ask(connection, listOf(page));
    const { items } = JSON.parse(body) as {
      items: { id: number }[];
    };
    for (const item of items)
      published.push({
        id: item.id,
        item: JSON.stringify(item),
        record: (await ask(connection, recordOf(item.id))).body,
      });
  }
  await bare.publishCatalogue(database, published);
  return published.map(({ id }) => id);
}

export const catalogueNames = [
  'list of services',
  'search of services, two words',
  'search of services, hard texts',
  'one service',
] as const;

/** Public calls: their bytes are the same for everybody. */
export async function catalogueCases(
  stage: Stage,
  connection: HttpConnection,
  { replies, statements }: Cases,
): Promise<Case[]> {
  const ids = await publish(stage, connection);
  const pages = Math.min(addresses, Math.floor(stage.services / pageSize));
  const [list, twoWords, hard, one] = catalogueNames;
  const groups: [name: string, [path: string, statement?: BareStatement][]][] = [
    [
      list,
      Array.from({ length: pages }, (_, index) => [
        listOf(index + 1),
        bare.servicesPage(index + 1, pageSize),
      ]),
    ],
    [
      twoWords,
      wordsOfServices.flatMap((word, index) =>
        [1, 2, 4].map((step): [string, BareStatement] => {
          const other = wordsOfServices[(index + step) % wordsOfServices.length] as string;
          const keyword = encodeURIComponent(`${word} ${other}`);
          return [listOf(1, `&SearchKeyword=${keyword}`), bare.servicesByWords([word, other])];
        }),
      ),
    ],
    [hard, hardTexts.map((text) => [listOf(1, `&SearchKeyword=${encodeURIComponent(text)}`)])],
    [
      one,
      Array.from({ length: addresses }, (_, index) => {
        const id = ids[Math.floor((index * ids.length) / addresses)] as number;
        return [recordOf(id), bare.oneService(id)];
      }),
    ],
  ];
  const cases: Case[] = [];
  for (const [name, known] of groups) {
    const calls: LoadCall[] = [];
    for (const [path, statement] of known) {
      const reply = await ask(connection, path);
      replies[path] = reply;
      if (statement) statements[path] = statement;
      calls.push({ group: name, path, expected: reply.body });
    }
    const isRanked = name.startsWith('search');
    for (const kind of known[0]?.[1]
      ? (['distinct', 'repeated'] as const)
      : (['distinct'] as const)) {
      const own = calls.map((call) => ({ ...call, isDistinct: kind === 'distinct' }));
      const found = own.map(({ group, path, isDistinct }) => ({
        group,
        path,
        isDistinct,
        pattern: '^."items":',
      }));
      cases.push({
        name,
        addresses: kind,
        callsOf: {
          product: () => own,
          memory: () => own,
          ...(kind === 'repeated' ? { body: () => own } : {}),
          ...(known[0]?.[1] ? { sql: () => (isRanked ? found : own) } : {}),
        },
      });
    }
  }
  return cases;
}

// The workflow of the product decides these; the bare statements leave them out.
const leftOut = new Set([
  'allowedActions',
  'promisedBy',
  'workingDaysLeft',
  'isOwnCounterRequest',
  'needsAnotherApprover',
]);

interface List {
  items: unknown[];
}

const withoutWorkflow = (list: string) =>
  JSON.parse(list, (key: string, value: unknown) => (leftOut.has(key) ? undefined : value)) as List;

/** Refuses a bare list that is another one than that of the product. */
export function compareLists(path: string, product: string, other: string): void {
  const [one, two] = [withoutWorkflow(product), withoutWorkflow(other)];
  if (isDeepStrictEqual(one, two)) return;
  const place = one.items.findIndex((item, index) => !isDeepStrictEqual(item, two.items[index]));
  const [own, bare] = [one, two].map(({ items, ...rest }) =>
    JSON.stringify(place < 0 ? { ...rest, items: items.length } : items[place], undefined, 1),
  );
  throw new Error(`${path} differs${place < 0 ? '' : ` in line ${place + 1}`}:\n${own}\n${bare}`);
}

const rowsOf = async (database: Database, { text, values }: BareStatement) =>
  (await database.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Record<
    string,
    unknown
  >[];

/** The body that a bare statement answers with. */
export const bodyOf = async (database: Database, statement: BareStatement): Promise<string> =>
  String(Object.values((await rowsOf(database, statement))[0] ?? {})[0]);

export const staffNames = [
  'call without work, signed in',
  'staff list, first page',
  'staff list of a status',
  'staff list by a word',
] as const;

/** Calls of a clerk that read requests. */
export async function staffCases(
  { program, database }: Stage,
  connection: HttpConnection,
  { replies, statements }: Cases,
): Promise<Case[]> {
  const token = await signIn(program, 'employee');
  const statusPath = '/api/Request/GetAllStatuses';
  const statusReply = await ask(connection, statusPath, token);
  const statuses = JSON.stringify(
    Object.fromEntries(
      (JSON.parse(statusReply.body) as { statusId: number }[]).map((each) => [each.statusId, each]),
    ),
  );
  const words = [...arabicNames.family.slice(0, 6), ...latinNames.family.slice(0, 6)];
  const [withoutWork, first, ofStatus, byWord] = staffNames;
  const groups: [name: string, [path: string, statement: BareStatement][]][] = [
    [first, [[staffListOf(''), bare.staffList(statuses)]]],
    [
      ofStatus,
      [3, 4, 9, 10].map((statusId) => [
        staffListOf(`&StatusId=${statusId}`),
        bare.staffList(statuses, { statusId }),
      ]),
    ],
    [
      byWord,
      words.map((word) => [
        staffListOf(`&SearchKeyword=${encodeURIComponent(word)}`),
        bare.staffList(statuses, { word }),
      ]),
    ],
  ];
  const empty: LoadCall = { group: 'empty', path: statusPath, token, expected: statusReply.body };
  replies[statusPath] = statusReply;
  const cases: Case[] = [
    {
      name: withoutWork,
      callsOf: { product: () => [empty], memory: () => [empty], fastify: () => [empty] },
    },
  ];
  for (const [name, known] of groups) {
    const [product, direct]: [LoadCall[], LoadCall[]] = [[], []];
    for (const [path, statement] of known) {
      const reply = await ask(connection, path, token);
      const expected = reply.body;
      const other = await bodyOf(database, statement);
      compareLists(path, expected, other);
      replies[path] = reply;
      statements[path] = statement;
      product.push({ group: name, path, token, expected });
      direct.push({ group: name, path, expected: other });
    }
    cases.push({
      name,
      callsOf: { product: () => product, memory: () => product, sql: () => direct },
    });
  }
  return cases;
}

/** Finds a free service that needs no documents: its requests are new immediately. */
async function findFreeService(
  database: Database,
): Promise<{ id: number; form: Parameters<typeof makeAnswers>[0] }> {
  return database
    .selectFrom('services')
    .select(['id', 'form'])
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`
        eligibility = '[]'
        and not jsonb_path_exists(attachments, '$[*] ? (@.required == true)')
        and not jsonb_path_exists(fees, '$[*] ? (@.amount > 0)')
      `,
    )
    .orderBy('id')
    .executeTakeFirstOrThrow();
}

export const writeNames = ['send a request', 'receive a request'] as const;

/** Sending and receiving requests, with the check that the bare statements write the same rows. */
export async function writeCases(
  { program, database }: Stage,
  { statements }: Cases,
): Promise<Case[]> {
  const usernames = await addSenders(database, senders);
  const tokens: string[] = [];
  for (const username of usernames) tokens.push(await signIn(program, username));
  const employee = await signIn(program, 'employee');
  const { id: serviceId, form } = await findFreeService(database);
  const answers = makeAnswers(form);
  const body = { serviceId, answers, attachmentIds: [], agreeToTermsAndConditions: true };
  const path = '/api/Request/CreateRequest';
  const receive = '/api/Request/ReceiveRequest';
  const stopCopying = await bare.copyHubEvents(database);
  const { requestId } = await post<{ requestId: number }>(program, path, body, tokens[0]);
  const created = await bare.readSample(database, requestId);
  await post(program, `${receive}${requestId}`, undefined, employee);
  const received = await bare.readSample(database, requestId);
  await stopCopying();
  const { rows: steps } = await sql<{ id: number }>`
    select id::int as id from request_history where request_id = ${requestId} order by id
  `.execute(database);
  const samples = {
    // Of its own: each call of the product reads the requests of its sender's last day.
    senders: await addSenders(database, senders, 'other'),
    requestId,
    createdStepId: steps[0]?.id ?? 0,
    createdEvents: created.events,
    receivedStepId: steps.at(-1)?.id ?? 0,
    receivedEvents: received.events,
  };
  const writes = await bare.writeStatements(database, samples);
  const copy = async (count: number): Promise<number[]> =>
    database.connection().execute(async (one) => {
      await sql`set session_replication_role = replica`.execute(one);
      const rows = await rowsOf(one, {
        text: writes.copies,
        values: [samples.requestId, samples.createdStepId, count],
      });
      await sql`set session_replication_role = origin`.execute(one);
      return rows.map(({ id }) => Number(id));
    });
  await checkRows(database, 'create', created.rows, {
    ...writes.create,
    values: [...writes.create.values, JSON.stringify(answers)],
  });
  await checkRows(database, 'receive', received.rows, {
    ...writes.receive,
    values: [...writes.receive.values, ...(await copy(1))],
  });
  statements[path] = writes.create;
  statements['/one-row'] = writes.oneRow;
  statements[receive] = writes.receive;
  const create: LoadCall = {
    group: 'create',
    path,
    method: 'POST',
    body: JSON.stringify(body),
    pattern: '^."requestId":\\d+,"requestNumber":"DW|^."requestId" : \\d+, "requestNumber" : "DW',
  };
  const receiving = (perSecond: number) => async (seconds: number) =>
    (await copy(Math.ceil(perSecond * seconds))).map((id): LoadCall => ({
      group: 'receive',
      path: `${receive}${id}`,
      method: 'POST',
      token: employee,
      pattern: '"statusId" ?: ?4,',
    }));
  const [send, take] = writeNames;
  return [
    {
      name: send,
      callsOf: {
        product: () => tokens.map((token) => ({ ...create, token })),
        sql: () => [create],
        oneRow: () => [{ ...create, path: '/one-row' }],
      },
    },
    {
      name: take,
      isOnce: true,
      callsOf: { product: receiving(800), sql: receiving(2500) },
    },
  ];
}

/** Refuses a bare statement that writes other rows than the product does. */
async function checkRows(
  database: Database,
  name: string,
  expected: Record<string, number>,
  { text, values }: BareStatement,
): Promise<void> {
  const { requestId } = JSON.parse(await bodyOf(database, { text, values })) as {
    requestId: number;
  };
  const written = await bare.rowsWritten(database, requestId);
  if (!isDeepStrictEqual(written, expected))
    throw new Error(
      `to ${name} the product writes ${JSON.stringify(expected)}, ` +
        `the bare statement ${JSON.stringify(written)}`,
    );
}
