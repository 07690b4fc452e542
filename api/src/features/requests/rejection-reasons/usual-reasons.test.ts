import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import {
  addUsualAttachmentTypes,
  getUsualAttachmentTypes,
} from '@diwan/contract/content/attachment-types';
import { getChanges } from '@diwan/contract/people/changes';
import { addUsualReasons, getUsualReasons } from '@diwan/contract/requests/rejection-reasons';

const app = useTestApp();

it('offers the usual reasons of an empty portal, and adds the chosen ones once', async () => {
  await app.database.deleteFrom('rejection_reasons').execute();
  const usual = async () => (await app.callAs('admin', getUsualReasons, {})).body;
  const offered = await usual();
  expect(offered.length).toBeGreaterThan(5);
  expect(offered.every(({ isThere }) => !isThere)).toBe(true);
  const add = () => app.callAs('admin', addUsualReasons, { body: { keys: [0, 2, 2, 900] } });
  expect((await add()).body.map(({ names }) => names)).toEqual([
    offered[0]?.name,
    offered[2]?.name,
  ]);
  expect((await usual()).flatMap(({ isThere, key }) => (isThere ? [key] : []))).toEqual([0, 2]);
  const both = await Promise.all([add(), add()]);
  expect(both.map(({ body }) => body.length)).toEqual([2, 2]);
  const { body } = await app.callAs('admin', getChanges, { query: { Entity: 'rejectionReason' } });
  expect(body.items.map(({ action }) => action)).toEqual(['created', 'created']);
});

it('does not offer a type of document that is there in any language', async () => {
  const usual = async () => (await app.callAs('admin', getUsualAttachmentTypes, {})).body;
  const [first] = await usual();
  expect(first?.isThere).toBe(true);
  await app.database
    .updateTable('attachment_types')
    .set({ name: JSON.stringify({ 'ar-EG': 'أ', 'en-US': 'A', 'ur-PK': 'ا' }) })
    .where('position', '=', 1)
    .execute();
  expect((await usual())[0]?.isThere).toBe(false);
  const { body } = await app.callAs('admin', addUsualAttachmentTypes, { body: { keys: [0, 1] } });
  expect(body.map(({ name }) => name['en-US'])).toContain(first?.name['en-US']);
  expect((await usual()).every(({ isThere }) => isThere)).toBe(true);
});
