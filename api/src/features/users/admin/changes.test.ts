import { beforeAll, describe, expect, it } from 'vitest';
import { findFieldChanges, recordChange, type ChangeEntry } from '#platform/auth/changes.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getChanges, type Change } from '@diwan/contract/people/changes';
import { exportAuditLog } from '@diwan/contract/portal/audit-log';
import {
  getAllRejectionReasons,
  saveRejectionReason,
} from '@diwan/contract/requests/rejection-reasons';
import { languages } from '@diwan/contract/wire/languages';

const app = useTestApp();

const names = { nameAr: 'صورة غير واضحة', nameEn: '=Blurred, "picture"', nameUr: 'دھندلی تصویر' };
let reasonId = 0;

beforeAll(async () => {
  const token = await app.signIn('admin');
  const save = async (body: object) =>
    (await app.call(saveRejectionReason, { token, body: body as never })).body.at(-1)!;
  const { id } = await save(names);
  reasonId = id;
  await save({ id, version: 1, ...names, nameUr: 'غیر واضح تصویر' });
  await save({ id, version: 2, ...names, nameUr: 'غیر واضح تصویر' });
  await save({ id, version: 3, ...names, nameUr: 'غیر واضح تصویر', isRetired: true });
});

const read = async (query: object = {}) =>
  (await app.callAs('admin', getChanges, { query: query as never, language: 'en-US' })).body;

describe('changes of admins', () => {
  it('are recorded field by field with who, from where and what; equal values are not', async () => {
    const { items, totalCount } = await read({
      Entity: 'rejectionReason',
      EntityId: String(reasonId),
    });
    expect(totalCount).toBe(3);
    expect(items.map(({ action, fields }) => [action, fields])).toEqual([
      ['retired', [{ field: 'isRetired', before: false, after: true }]],
      [
        'changed',
        [{ field: 'name', language: 'ur-PK', before: names.nameUr, after: 'غیر واضح تصویر' }],
      ],
      [
        'created',
        [
          { field: 'name', language: 'ar-EG', after: names.nameAr },
          { field: 'name', language: 'en-US', after: names.nameEn },
          { field: 'name', language: 'ur-PK', after: names.nameUr },
          { field: 'isRetired', after: false },
        ],
      ],
    ]);
    expect(items[0]).toMatchObject({ username: 'admin', address: '127.0.0.1', name: names.nameEn });
  });

  it('are filtered by kind, person and day', async () => {
    expect((await read({ Username: ' ADMIN ', Entity: 'rejectionReason' })).totalCount).toBe(3);
    expect((await read({ Username: 'employee' })).totalCount).toBe(0);
    expect((await read({ Entity: 'agency' })).totalCount).toBe(0);
    expect((await read({ Day: '2020-01-01' })).totalCount).toBe(0);
  });

  it('cannot be changed, shortened or emptied', async () => {
    for (const statement of [
      sql`update changes set actor_name = ''`,
      sql`delete from changes`,
      sql`truncate changes`,
    ])
      await expect(statement.execute(app.database)).rejects.toThrow(/append-only/);
  });

  it('are not recorded when the change itself fails', async () => {
    const refused = await app.callAs('admin', saveRejectionReason, {
      body: { id: reasonId, version: 1, ...names },
    });
    expect(refused.refused.error).toBe('RecordHasChanged');
    expect((await read({ Entity: 'rejectionReason' })).totalCount).toBe(3);
    expect((await app.callAs('admin', getAllRejectionReasons)).body.at(-1)?.version).toBe(4);
  });
});

describe('an id in a value', () => {
  const record = (entry: Pick<ChangeEntry, 'entity' | 'entityId'> & Partial<ChangeEntry>) =>
    inTransaction(app.database, (transaction) =>
      recordChange(transaction, { authorName: 'test' }, { action: 'changed', ...entry }),
    );
  const named = async (language: 'ar-EG' | 'en-US' | 'ur-PK', Entity: Change['entity']) => {
    const { body } = await app.callAs('admin', getChanges, { query: { Entity }, language });
    return body.items.map(({ fields }) =>
      fields.map(({ field, beforeNames, afterNames }) => [field, beforeNames, afterNames]),
    );
  };

  it('has the name of its record in the language of the reader; what is gone keeps its id', async () => {
    const agency = await app.database
      .selectFrom('agencies')
      .select(['id', 'name'])
      .orderBy('id')
      .executeTakeFirstOrThrow();
    await record({
      entity: 'paymentRule',
      entityId: 1,
      before: { agencyId: agency.id, serviceId: 2_000_000 },
      after: { agencyId: null, minimum: agency.id },
    });
    for (const language of languages)
      expect(await named(language, 'paymentRule')).toEqual([
        [
          ['agencyId', [agency.name[language]], undefined],
          ['serviceId', ['2000000'], undefined],
          ['minimum', undefined, undefined],
        ],
      ]);
  });

  it('is found in lists, in an order and in an audience', async () => {
    const types = await app.database
      .selectFrom('account_types')
      .select(['id', 'name'])
      .orderBy('id')
      .execute();
    const ids = types.map(({ id }) => id);
    const names = types.map(({ name }) => name['en-US']);
    await record({ entity: 'service', entityId: 1, before: {}, after: { accountTypes: ids } });
    expect((await named('en-US', 'service'))[0]).toEqual([['accountTypes', undefined, names]]);
    const categories = await app.database
      .selectFrom('categories')
      .select(['id', 'name'])
      .orderBy('id')
      .limit(2)
      .execute();
    const order = categories.map(({ id }) => id);
    await record({
      entity: 'catalogue',
      entityId: 'categories',
      before: { order },
      after: { order: order.toReversed() },
    });
    const titles = categories.map(({ name }) => name['ar-EG']);
    expect((await named('ar-EG', 'catalogue'))[0]).toEqual([
      ['order', titles, titles.toReversed()],
    ]);
    await record({
      entity: 'announcement',
      entityId: 1,
      before: { audience: { of: 'accountTypes', ids } },
      after: { audience: { of: 'everybody' } },
    });
    expect((await named('en-US', 'announcement'))[0]).toEqual([['audience', names, undefined]]);
  });

  it('is a name in the export', async () => {
    const { payload } = await app.server.inject({
      url: exportAuditLog.path,
      query: { Format: 'csv', Kind: 'change.announcement', ln: 'en-US' },
      headers: { authorization: `Bearer ${await app.signIn('admin')}` },
    });
    expect(payload).toMatch(/"For",,"Individuals, Companies, Investors",/);
  });
});

describe('the export', () => {
  const exported = async (query: Record<string, string>) => {
    const { payload } = await app.server.inject({
      url: exportAuditLog.path,
      query: { ...query, ln: 'en-US' },
      headers: { authorization: `Bearer ${await app.signIn('admin')}` },
    });
    return payload;
  };

  it('is CSV without formulas, one line a field, newest first', async () => {
    const file = await exported({ Format: 'csv', Kind: 'change.rejectionReason' });
    expect(file.startsWith('\uFEFF')).toBe(true);
    const lines = file.trim().split('\r\n');
    expect(lines[0]?.replaceAll('"', '')).toBe(
      'Entry,Time,Type,About,Name,Action,Username,Full name,Network address,Field,Language,Before,After,Reason,By',
    );
    expect(lines).toHaveLength(1 + 4 + 1 + 1);
    expect(lines[5]).toContain(`"'=Blurred, ""picture"""`);
    expect(lines[1]).toContain('"No longer offered","admin"');
  });

  it('is JSON lines, also of more events than one batch', async () => {
    await sql`
      insert into audit_events (kind)
      select 'signInFailed'
      from generate_series(1, 1100)`.execute(app.database);
    const lines = (await exported({ Format: 'jsonl', Kind: 'account' })).trim().split('\n');
    expect(lines.length).toBeGreaterThan(1100);
    const entries = lines.map((line) => JSON.parse(line) as { key: string; at: string });
    expect(new Set(entries.map(({ key }) => key)).size).toBe(lines.length);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('is for admins', async () => {
    const status = async (username: string) =>
      (await app.callAs(username, exportAuditLog, { query: { Format: 'csv' } })).status;
    expect(await status('employee')).toBe(403);
    expect(await status('supervisor')).toBe(403);
  });
});

it('findFieldChanges leaves out a field without a value', () => {
  expect(findFieldChanges({ partner: null }, {})).toEqual([]);
  expect(findFieldChanges(undefined, { partnerId: null, roles: [] })).toEqual([
    { field: 'roles', language: undefined, before: undefined, after: '[]' },
  ]);
});

it('findFieldChanges compares structures by their content', () => {
  expect(findFieldChanges({ fees: [{ a: 1, b: 2 }] }, { fees: [{ b: 2, a: 1 }] })).toEqual([]);
  expect(findFieldChanges({ fees: [1] }, { fees: [2] })).toEqual([
    { field: 'fees', language: undefined, before: '[1]', after: '[2]' },
  ]);
});
