import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/content/attachment-types';
import { getChanges } from '@diwan/contract/people/changes';

const app = useTestApp();
const text = (english: string) => ({
  'ar-EG': `نص ${english}`,
  'en-US': english,
  'ur-PK': `متن ${english}`,
});
const limits = { mediaTypes: ['image/png' as const], maximumBytes: 2_000_000, maximumCount: 2 };
const save = (body: object) =>
  app.callAs('admin', calls.saveAttachmentType, { body: body as never });
const list = async () => (await app.callAs('admin', calls.getAttachmentTypes)).body;

it('types are added, changed, ordered, retired and restored, and each change is recorded', async () => {
  const before = await list();
  const { body: added } = await save({ ...limits, name: text('Site plan') });
  const made = added.at(-1)!;
  expect(made).toMatchObject({ ...limits, name: text('Site plan'), isRetired: false, version: 1 });
  expect((await save({ ...limits, name: text(' site PLAN ') })).refused.errors).toHaveProperty([
    'name.en-US',
  ]);
  for (const wrong of [
    { mediaTypes: [] },
    { maximumCount: 11 },
    { maximumBytes: 0 },
    { name: { ...text('Half'), 'ur-PK': ' ' } },
  ])
    expect((await save({ ...limits, name: text('Half'), ...wrong })).status).toBe(400);
  const { id } = made;
  // Two admins read version 1 and save at the same time: one wins.
  const both = await Promise.all(
    [3, 4].map((maximumCount) =>
      save({ ...limits, id, version: 1, name: text('Site plan'), maximumCount }),
    ),
  );
  expect(both.map(({ refused }) => refused?.error ?? 'saved').sort()).toEqual([
    'RecordHasChanged',
    'saved',
  ]);
  const retired = await save({
    ...limits,
    id,
    version: 2,
    name: text('Site plan'),
    isRetired: true,
  });
  expect(retired.body.find((type) => type.id === id)?.isRetired).toBe(true);
  await save({ ...limits, id, version: 3, name: text('Site plan') });
  expect((await save({ ...limits, id: 99_999, version: 1, name: text('None') })).status).toBe(404);
  const ids = [id, ...before.map((type) => type.id)];
  const order = (next: number[]) =>
    app.callAs('admin', calls.orderAttachmentTypes, { body: { ids: next } });
  expect((await order(ids)).body.map((type) => type.id)).toEqual(ids);
  expect((await order(ids.slice(1))).refused.error).toBe('RecordHasChanged');
  const { body: changes } = await app.callAs('admin', getChanges, {
    query: { Entity: 'attachmentType', EntityId: String(id) },
  });
  expect(changes.items.map(({ action }) => action)).toEqual([
    'restored',
    'retired',
    'changed',
    'created',
  ]);
});
