import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import {
  getAllAnnouncements,
  getAnnouncements,
  saveAnnouncement,
} from '@diwan/contract/content/announcements';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { timeInDubai } from '@diwan/contract/wire/days';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-announcements-'));
  await buildPortal(folder);
  app = await openTestApp({ PORTAL_DIR: folder });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

type Body = BodyInputOf<typeof saveAnnouncement>;
const hours = (count: number) => timeInDubai(new Date(Date.now() + count * 3_600_000));
const inLanguages = (text: string) => ({
  'ar-EG': `${text} ع`,
  'en-US': text,
  'ur-PK': `${text} ا`,
});
const banner = (changes: Partial<Body> = {}): Body => ({
  kind: 'maintenance',
  severity: 'warning',
  title: inLanguages('Maintenance'),
  text: inLanguages('From 8 to 10'),
  audience: { of: 'everybody' },
  isDismissible: true,
  from: hours(-1),
  until: hours(2),
  ...changes,
});
const save = (changes: Partial<Body> = {}) =>
  app.callAs('admin', saveAnnouncement, { body: banner(changes), language: 'en-US' });
const shown = async (language: 'en-US' | 'ar-EG' | 'ur-PK' = 'en-US') =>
  (await app.call(getAnnouncements, { language })).body;
const pageState = async () => {
  const { body } = await app.server.inject({
    url: '/announcements?ln=en-US',
    headers: { accept: 'text/html' },
  });
  return JSON.parse(/id="announcements">(.*?)<\/script>/.exec(body)?.[1] ?? 'null') as {
    language: string;
    items: { title: string }[];
  };
};

it('shows an announcement immediately, in each language, in the page too, until it is withdrawn', async () => {
  expect(await shown()).toEqual([]);
  expect(await pageState()).toEqual({ language: 'en-US', items: [] });
  const { body } = await save({ text: inLanguages('</script><script>alert(1)</script>') });
  expect(body).toMatchObject({ state: 'shown', version: 1 });
  expect(await shown('ur-PK')).toMatchObject([
    { id: body.id, mark: `${body.id}.1`, title: 'Maintenance ا', isCurrent: true },
  ]);
  // A text cannot leave the data block.
  expect((await pageState()).items).toMatchObject([
    { title: 'Maintenance', text: '</script><script>alert(1)</script>' },
  ]);
  const changed = await save({ id: body.id, version: 1, title: inLanguages('Later') });
  expect(changed.body.version).toBe(2);
  expect(await shown()).toMatchObject([{ mark: `${body.id}.2`, title: 'Later' }]);
  const withdrawn = await save({ id: body.id, version: 2, isWithdrawn: true });
  expect(withdrawn.body.state).toBe('withdrawn');
  expect(await shown()).toEqual([]);
  const { body: changes } = await app.callAs('admin', getChanges, {
    query: { Entity: 'announcement', EntityId: String(body.id) },
  });
  expect(changes.items.map(({ action }) => action)).toEqual(['retired', 'changed', 'created']);
});

it('begins and ends by the clock, without a change in the database', async () => {
  const { body } = await save({ from: hours(1), until: hours(3), severity: 'urgent' });
  expect(body.state).toBe('planned');
  const state = async () => (await shown()).map(({ isCurrent }) => isCurrent);
  expect(await state()).toEqual([false]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  try {
    expect(await state()).toEqual([true]);
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    expect(await state()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
  await save({ id: body.id, version: 1, isWithdrawn: true });
});

it('reaches a process by the notification of PostgreSQL', async () => {
  const { body } = await save();
  await app.database
    .updateTable('announcements')
    .set({ title: JSON.stringify(inLanguages('By hand')), version: 9 })
    .where('id', '=', body.id)
    .execute();
  await expect
    .poll(async () => (await shown()).map(({ title }) => title), { timeout: 1000 })
    .toEqual(['By hand']);
  await save({ id: body.id, version: 9, isWithdrawn: true });
});

it('names the agency or the service that it concerns, and puts what matters most first', async () => {
  const [first, second] = [
    await save({ audience: { of: 'agency', id: 1 }, severity: 'information' }),
    await save({ audience: { of: 'service', id: 1 }, severity: 'urgent' }),
  ];
  const found = await shown();
  expect(found.map(({ id }) => id)).toEqual([second.body.id, first.body.id]);
  expect(found.every(({ concerns }) => (concerns ?? '').length > 3)).toBe(true);
  for (const { body } of [first, second])
    await save({ id: body.id, version: 1, isWithdrawn: true });
});

it('of two people who change one announcement one wins', async () => {
  const { body } = await save();
  const both = await Promise.all(
    ['One', 'Two'].map((title) => save({ id: body.id, version: 1, title: inLanguages(title) })),
  );
  expect(both.map(({ refused }) => refused.error ?? 'saved').toSorted()).toEqual([
    'RecordHasChanged',
    'saved',
  ]);
  await save({ id: body.id, version: 2, isWithdrawn: true });
});

it.each([
  [{ until: hours(-2) }, 'until'],
  [{ from: hours(-3), until: hours(-2) }, 'until'],
  [{ from: '2026-02-30T10:00' }, 'from'],
  [{ audience: { of: 'service' as const, id: 99_999 } }, 'audience'],
  [{ audience: { of: 'roles' as const, names: [] } }, 'audience.names'],
  [{ title: { ...inLanguages('A'), 'ur-PK': ' ' } }, 'title.ur-PK'],
  [{ text: inLanguages('x'.repeat(601)) }, 'text.en-US'],
])('refuses %j', async (changes, field) => {
  const { status, refused } = await save(changes as Partial<Body>);
  expect([status, Object.keys(refused.errors ?? {})]).toEqual([
    400,
    expect.arrayContaining([field]),
  ]);
});

it('refuses one that does not exist, and lists the earlier ones', async () => {
  expect((await save({ id: 99_999, version: 1 })).refused.error).toBe('AnnouncementNotFound');
  const { body } = await app.callAs('admin', getAllAnnouncements, {});
  expect(new Set(body.map(({ state }) => state))).toEqual(new Set(['withdrawn']));
});
