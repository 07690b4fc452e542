import { verify } from '@node-rs/argon2';
import { expect, inject, test } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { useTestApp } from '../testing/test-app.ts';
import { demoAccounts } from './demo-callers.ts';
import { readSeedFiles } from './seed-files.ts';
import { formFile } from './seed-shapes.ts';
import { demoPassword, seedDemo } from './seed.ts';

const app = useTestApp();

test('the files are valid and their services are in the database', async () => {
  const files = await readSeedFiles();
  const rows = await app.database
    .selectFrom('services')
    .select(['replaced_name', 'name', 'ours_in', 'partner_id'])
    .execute();
  expect(rows.map((row) => row.replaced_name).toSorted()).toEqual(
    files.services.map(({ service }) => service.replacedName).toSorted(),
  );
  expect(
    rows.every(
      (row) =>
        row.ours_in.includes('ur-PK') &&
        languages.every((language) => row.name[language].trim() === row.name[language]),
    ),
  ).toBe(true);
  expect(new Set(rows.map((row) => row.partner_id)).size).toBe(3);
});

test('one account for each role, all with the demo password, which is stored as a hash only', async () => {
  const { people } = await readSeedFiles();
  expect(people.password).toBe(demoPassword);
  const users = await app.database.selectFrom('users').selectAll().execute();
  expect(users.map((user) => user.username).toSorted()).toEqual(demoAccounts.toSorted());
  const hashes = inject('seededHashes');
  expect(new Set(hashes).size).toBe(users.length);
  for (const hash of hashes) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(hash ?? '', demoPassword)).toBe(true);
  }
  const partners = users
    .filter((user) => user.username.startsWith('supervisor'))
    .map((user) => user.partner_id);
  expect(new Set([...partners, null]).size).toBe(3);
});

test('a database with data is not changed', async () => {
  const lines: string[] = [];
  await app.database
    .updateTable('users')
    .set({ full_name: 'Changed By Hand' })
    .where('username', '=', 'admin')
    .execute();
  await Promise.all([
    seedDemo(app.database, app.config, (line) => lines.push(line)),
    seedDemo(app.database, app.config, (line) => lines.push(line)),
  ]);
  expect(lines).toEqual([]);
  expect(
    (
      await app.database
        .selectFrom('users')
        .select('full_name')
        .where('username', '=', 'admin')
        .executeTakeFirstOrThrow()
    ).full_name,
  ).toBe('Changed By Hand');
});

test('a form whose condition names a later or unknown field, or that uses a name twice, is refused', async () => {
  const form = (await readSeedFiles()).forms.get('trade-licence-renewal')!;
  const withFields = (change: (fields: (typeof form.form.steps)[0]['fields']) => unknown) => {
    const copy = structuredClone(form);
    change(copy.form.steps[0]!.fields);
    return formFile.safeParse(copy).success;
  };
  expect(withFields(() => undefined)).toBe(true);
  expect(withFields((fields) => fields.push({ ...fields[0]! }))).toBe(false);
  expect(withFields((fields) => (fields[0]!.showWhen = { field: 'nothing', in: [true] }))).toBe(
    false,
  );
  expect(
    withFields((fields) => (fields[0]!.showWhen = { field: fields[1]!.name, in: [true] })),
  ).toBe(false);
});
