import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { getSnippets, saveSnippet } from '@diwan/contract/people/snippets';
import { callKeyHeader } from '@diwan/contract/wire/call';
import { afterCall } from '../database/calls/call-connection.ts';
import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { inCallTransaction, inSnapshot, inTransaction } from '../database/unit-of-work.ts';
import { deleteOldAnswers, insertAnswer, nobody } from './call-keys.store.ts';

const app = useTestApp();
const texts = { messageAr: '', messageEn: 'Bring the card', messageUr: '' };

async function save(as: string, key: string | undefined, name: string, language = 'en-US') {
  const reply = await app.server.inject({
    method: 'POST',
    url: saveSnippet.path,
    query: { ln: language },
    headers: {
      authorization: `Bearer ${await app.signIn(as)}`,
      ...(key === undefined ? {} : { [callKeyHeader]: key }),
    },
    payload: { name, ...texts },
  });
  return {
    status: reply.statusCode,
    body: reply.body,
    error: reply.json<{ error?: string }>().error,
  };
}
const namesOf = async (as: string) =>
  (await app.callAs(as, getSnippets)).body.map(({ name }) => name);

it('answers a repeat as the first call, in any language, and does it once', async () => {
  const key = randomUUID();
  const first = await save('employee', key, 'Once');
  expect([first.status, await namesOf('employee')]).toEqual([200, ['Once']]);
  await save('employee', undefined, 'Between');
  expect(await save('employee', key, 'Once')).toEqual(first);
  expect(await save('employee', key, 'Once', 'ur-PK')).toEqual(first);
  expect(await namesOf('employee')).toEqual(['Between', 'Once']);
  // Without the key it is another act, which is refused here.
  expect((await save('employee', undefined, 'Once')).error).toBe('SnippetNameTaken');
});

it('refuses a key of something else, and knows no key of another user', async () => {
  const key = randomUUID();
  await save('employee', key, 'Mine');
  expect(await save('employee', key, 'Changed')).toMatchObject({
    status: 400,
    error: 'KeyOfAnotherCall',
  });
  expect(await namesOf('employee2')).not.toContain('Mine');
  expect((await save('employee2', key, 'Theirs')).status).toBe(200);
  expect(await namesOf('employee2')).toContain('Theirs');
  expect(await namesOf('employee')).not.toContain('Theirs');
});

it('refuses a key that is no UUID, and stores nothing of a refused call', async () => {
  for (const key of ['', '1', `${randomUUID()}x`])
    expect((await save('employee', key, 'Bad')).status, key).toBe(400);
  const key = randomUUID();
  expect((await save('employee', key, ' ')).status).toBe(400);
  expect((await save('employee', key, 'Later')).status).toBe(200);
});

it('does two calls with one key at the same time once', async () => {
  const key = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => save('supervisor', key, 'Together')));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await namesOf('supervisor')).toEqual(['Together']);
});

it('deletes answers after some hours', async () => {
  const key = randomUUID();
  await save('employee', key, 'Old');
  const count = async () =>
    (await app.database.selectFrom('call_answers').where('key', '=', key).select('call').execute())
      .length;
  await deleteOldAnswers(app.serverDatabase, 24);
  expect(await count()).toBe(1);
  await sql`
    update call_answers set created_at = now() - interval '25 hours' where key = ${key}`.execute(
    app.database,
  );
  await deleteOldAnswers(app.serverDatabase, 24);
  expect(await count()).toBe(0);
});

const add = (code: string) => (part: Transaction) =>
  sql`insert into referral_codes (code, name) values (${code}, '{}')`.execute(part);
const codes = async () =>
  (
    await app.database
      .selectFrom('referral_codes')
      .select('code')
      .where('code', 'like', 'CALL%')
      .orderBy('code')
      .execute()
  ).map(({ code }) => code);
const answered = (answer: string) =>
  insertAnswer({ key: randomUUID(), userId: nobody, call: 'test', inputHash: '' }, answer);

it('makes one transaction of all that a call asks of the database', async () => {
  const database = app.serverDatabase;
  const seen: string[][] = [];
  const see = async () => void seen.push(await codes());
  await inCallTransaction(
    database,
    async () => {
      await inTransaction(database, async (unit) => unit.add(add('CALL1')));
      await sql`insert into referral_codes (code, name) values ('CALL2', '{}')`.execute(database);
      // A part that fails is undone alone, before and after it has sent something.
      for (const isSent of [false, true])
        await inTransaction(database, async (unit) => {
          unit.add(add(`CALL3${isSent}`));
          if (isSent) await unit.send({});
          throw new Error('undone');
        }).catch(() => undefined);
      await inTransaction(database, async (unit) => {
        await add('CALL4')(unit);
        await inTransaction(database, async (inner) => {
          await add('CALL5')(inner);
          throw new Error('undone');
        }).catch(() => undefined);
      });
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from referral_codes where code like 'CALL%'`.execute(database);
      expect(rows[0]?.count).toBe(3);
      expect(
        await inSnapshot(
          database,
          async (unit) =>
            (
              await unit
                .selectFrom('referral_codes')
                .where('code', 'like', 'CALL%')
                .selectAll()
                .execute()
            ).length,
        ),
      ).toBe(0);
      await afterCall(see);
      await see();
      return 'x';
    },
    answered,
  );
  expect(seen).toEqual([[], ['CALL1', 'CALL2', 'CALL4']]);
});

it('undoes all of a call that fails at its end, and runs nothing after it', async () => {
  const database = app.serverDatabase;
  const before = await codes();
  let isRun = false;
  await expect(
    inCallTransaction(
      database,
      async () => {
        await inTransaction(database, async (unit) => {
          await add('CALL9')(unit);
          unit.afterCommit(() => (isRun = true));
        });
        throw new Error('refused');
      },
      answered,
    ),
  ).rejects.toThrow('refused');
  expect([await codes(), isRun]).toEqual([before, false]);
  // Work that outlives its call uses the pool.
  let later: Promise<unknown> | undefined;
  await inCallTransaction(
    database,
    async () => {
      later = new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
        sql`select 1`.execute(database),
      );
      return 'x';
    },
    answered,
  );
  await expect(later).resolves.toBeDefined();
});
