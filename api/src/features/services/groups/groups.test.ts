import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import {
  getAccountTypeRecords,
  getAllAccountTypes,
  saveAccountType,
} from '@diwan/contract/catalogue/account-types';
import {
  getAgencyRecords,
  governmentAgencyCollection,
  orderAgencies,
  saveAgency,
} from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory, saveCategory } from '@diwan/contract/catalogue/categories';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();

const text = (name: string) => ({
  'ar-EG': `${name} بالعربية`,
  'en-US': name,
  'ur-PK': `${name} اردو میں`,
});
const save = (body: BodyInputOf<typeof saveAgency>) => app.callAs('admin', saveAgency, { body });
const records = async () => (await app.callAs('admin', getAgencyRecords)).body;
const shown = async () => (await app.call(governmentAgencyCollection)).body.map(({ name }) => name);
const changesOf = async (Entity: 'agency' | 'accountType' | 'catalogue', EntityId: string) =>
  (await app.callAs('admin', getChanges, { query: { Entity, EntityId } })).body.items;

it('adds an agency at the end, changes it, retires it and restores it, with a history', async () => {
  const added = (await save({ name: text('  Office of Étude & Water  ') })).body.at(-1)!;
  expect(added).toMatchObject({
    slug: 'office-of-etude-water',
    name: text('Office of Étude & Water') && { 'en-US': 'Office of Étude & Water' },
    logo: '/logos/neutral.svg',
    isRetired: false,
    servicesCount: 0,
    version: 1,
  });
  expect((await shown()).at(-1)).toBe('Office of Étude & Water');

  const { id } = added;
  const renamed = await save({ id, version: 1, name: text('Water Office') });
  expect(renamed.body.find((each) => each.id === id)).toMatchObject({ version: 2 });
  expect((await shown()).at(-1)).toBe('Water Office');
  await save({ id, version: 2, name: text('Water Office'), isRetired: true });
  expect(await shown()).not.toContain('Water Office');
  expect((await records()).find((each) => each.id === id)?.isRetired).toBe(true);
  // The name of a retired agency is free, and cannot be taken back twice.
  await save({ name: text('Water Office') });
  const back = await save({ id, version: 3, name: text('Water Office'), isRetired: false });
  expect([back.status, Object.keys(back.refused.errors ?? {})]).toEqual([
    400,
    ['name.ar-EG', 'name.en-US', 'name.ur-PK'],
  ]);
  await save({ id, version: 3, name: text('Old Water Office'), isRetired: false });
  expect(await shown()).toContain('Old Water Office');
  const history = await changesOf('agency', String(id));
  expect(history.map(({ action }) => action)).toEqual([
    'restored',
    'retired',
    'changed',
    'created',
  ]);
  expect(history[2]).toMatchObject({ fullName: expect.any(String), address: '127.0.0.1' });
  expect(history[2]?.fields).toContainEqual({
    field: 'name',
    language: 'en-US',
    before: 'Office of Étude & Water',
    after: 'Water Office',
  });
});

it('refuses to retire what services use, a stale version, a blank text and an unknown id', async () => {
  const used = (await records()).find(({ servicesCount }) => servicesCount > 0)!;
  const { id, version, name } = used;
  const refusal = async (body: BodyInputOf<typeof saveAgency>) => (await save(body)).refused.error;
  expect(await refusal({ id, version, name, isRetired: true })).toBe('GroupInUse');
  expect(await refusal({ id, version: version + 1, name })).toBe('RecordHasChanged');
  expect(await refusal({ id, name })).toBe('RecordHasChanged');
  expect(await refusal({ id: 99_999, version: 1, name })).toBe('NotFound');
  expect(await refusal({ name: text('X'), logo: `/logos/uploaded/${'0'.repeat(32)}.svg` })).toBe(
    'LogoNotFound',
  );
  const blank = await save({ name: { ...text('Y'), 'ur-PK': ' \n ' } });
  expect(Object.keys(blank.refused.errors ?? {})).toEqual(['name.ur-PK']);
  const strange = await save({ name: text('Z'), logo: 'https://evil.example/x.svg' });
  expect(Object.keys(strange.refused.errors ?? {})).toEqual(['logo']);
  expect((await records()).find((each) => each.id === id)).toEqual(used);
});

it('lets one of two admins save, and one of two of the same name', async () => {
  const { id, version } = (await save({ name: text('Contested') })).body.at(-1)!;
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => save({ id, version, name: text(name) })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const twins = await Promise.all([1, 2].map(() => save({ name: text('Twin') })));
  expect(twins.map(({ status }) => status).sort()).toEqual([200, 400]);
});

it('puts agencies in a new order, and refuses a list that is not the present one', async () => {
  const ids = (await records()).map(({ id }) => id);
  const reversed = ids.toReversed();
  const before = await shown();
  const { body } = await app.callAs('admin', orderAgencies, { body: { ids: reversed } });
  expect(body.map(({ id }) => id)).toEqual(reversed);
  expect(await shown()).toEqual(before.toReversed());
  for (const wrong of [ids.slice(1), [...ids.slice(1), ids[1]!], [...ids, 99_999]])
    expect((await app.callAs('admin', orderAgencies, { body: { ids: wrong } })).refused.error).toBe(
      'RecordHasChanged',
    );
  expect((await changesOf('catalogue', 'agencies'))[0]?.action).toBe('reordered');
});

it('keeps descriptions of categories and texts of account types in three languages', async () => {
  await app.callAs('admin', saveCategory, {
    body: { name: text('Sports'), description: text('Clubs\n\nand events') },
  });
  expect((await app.call(getAllServiceCategory)).body.at(-1)).toMatchObject({
    name: 'Sports',
    description: 'Clubs\n\nand events',
  });
  const type = (await app.callAs('admin', getAccountTypeRecords)).body[1]!;
  const body = {
    id: type.id,
    version: type.version,
    name: text('Firms'),
    alt: type.alt,
    description: type.description,
  };
  const changed = await app.callAs('admin', saveAccountType, { body });
  expect(changed.body[1]).toMatchObject({ id: 2, slug: 'companies', version: type.version + 1 });
  expect((await app.call(getAllAccountTypes)).body[1]?.accountTypeName).toBe('Firms');
  expect((await app.callAs('admin', saveAccountType, { body })).refused.error).toBe(
    'RecordHasChanged',
  );
  const history = await changesOf('accountType', '2');
  expect(history[0]?.fields.map(({ field }) => field)).toEqual(['name', 'name', 'name']);
});

it('shows the centres of an agency with its services, keeps them, and takes them away', async () => {
  const { id, version, name } = (await records()).find((each) => each.servicesCount > 0)!;
  const found = await app.call(getServices, { query: { GovernmentAgencyId: id, PageNumber: 1 } });
  const centresIn = async (language: 'en-US' | 'ar-EG') =>
    (await app.call(getService, { query: { serviceId: found.body.items[0]!.id }, language })).body
      .centres;
  expect(await centresIn('en-US')).toBeUndefined();
  const centres = text('Main centre, 1 Palm Street\nMonday to Friday, 8:00–14:00');
  await save({ id, version, name, centres });
  expect(await centresIn('en-US')).toBe(centres['en-US']);
  expect(await centresIn('ar-EG')).toBe(centres['ar-EG']);
  await save({ id, version: version + 1, name });
  expect(await centresIn('en-US')).toBe(centres['en-US']);
  const blank = await save({
    id,
    version: version + 2,
    name,
    centres: { ...centres, 'ur-PK': ' ' },
  });
  expect(Object.keys(blank.refused.errors ?? {})).toEqual(['centres.ur-PK']);
  await save({ id, version: version + 2, name, centres: null });
  expect(await centresIn('en-US')).toBeUndefined();
  const history = await changesOf('agency', String(id));
  expect(history[0]?.fields.map(({ field }) => field)).toContain('centres');
});
