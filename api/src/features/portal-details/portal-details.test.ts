import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { mailHtml } from '#platform/messages/mail-html.ts';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { uploadLogo } from '@diwan/contract/catalogue/logos';
import { getPortalDetails, savePortalDetails } from '@diwan/contract/content/portal-details';
import { getText, saveText } from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { timeInDubai } from '@diwan/contract/wire/days';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-details-'));
  await buildPortal(folder);
  await writeFile(
    join(folder, 'configuration.json'),
    JSON.stringify({
      environments: {
        live: { hosts: ['portal.example'], apiBaseUrl: '' },
        dev: { hosts: ['dev.example'], apiBaseUrl: 'https://api.dev.example' },
      },
      cards: [],
    }),
  );
  app = await openTestApp({ PORTAL_DIR: folder });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

type Saved = BodyInputOf<typeof savePortalDetails>;
const current = async () => (await app.callAs('admin', getPortalDetails, {})).body;
async function save(changed: Partial<Saved>) {
  const { bannerFrom: _from, bannerUntil: _until, ...known } = await current();
  return app.callAs('admin', savePortalDetails, {
    body: { ...known, ...changed },
    language: 'en-US',
  });
}
const textOf = (name: string) => ({ 'ar-EG': `${name} ع`, 'en-US': name, 'ur-PK': `${name} ا` });
const configuration = async (host = 'portal.example') =>
  (await app.server.inject({ url: '/configuration.json', headers: { host } })).json();
const page = async (path: string) =>
  (await app.server.inject({ url: path, headers: { accept: 'text/html' } })).body;

it('the name is in pages, the manifest, OpenAPI, mails and texts immediately', async () => {
  expect((await current()).name['en-US']).toBe('Diwan');
  const { status } = await save({ name: textOf('Sharjah Services'), shortName: textOf('SRV') });
  expect(status).toBe(200);
  for (const [language, name] of Object.entries(textOf('Sharjah Services')))
    expect(await page(`/services?ln=${language}`)).toMatch(
      new RegExp(`<title>[^<]* \\| ${name}</title>`),
    );
  const manifest = await app.server.inject({ url: '/manifest.webmanifest?ln=en-US' });
  expect(manifest.json()).toMatchObject({ name: 'Sharjah Services', short_name: 'SRV' });
  expect((await app.server.inject({ url: '/openapi.json' })).json().info.title).toBe(
    'Sharjah Services',
  );
  expect(mailHtml({ language: 'en-US', subject: 's', text: 't' })).toContain('Sharjah Services');
  const messages = createTranslator('account-messages');
  expect(messages('passwordCode.short', 'en-US')).toMatch(/^SRV: /);
  const texts = await app.server.inject({ url: '/locales/en-US/shell.json' });
  expect(texts.json()).toMatchObject({ wordmark: 'Sharjah Services', shortName: 'SRV' });
});

it('support, links, cards and the logo are in the configuration, which names no other host', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const content = Buffer.from(svg).toString('base64');
  const { logo } = (await app.callAs('admin', uploadLogo, { body: { content } })).body;
  await save({
    supportPhone: '800 1234',
    supportEmail: 'help@sharjah.example',
    supportHours: textOf('Always'),
    social: [{ name: 'X', url: 'https://x.example/sharjah' }],
    cards: [{ name: 'Card', logo }],
    logo,
  });
  expect(await configuration()).toMatchObject({
    environments: { live: { hosts: ['portal.example'] } },
    support: { phone: '800 1234', email: 'help@sharjah.example', hours: textOf('Always') },
    social: [{ name: 'X', url: 'https://x.example/sharjah' }],
    cards: [{ name: 'Card', logo }],
    logo,
    darkLogo: logo,
  });
  expect(JSON.stringify(await configuration())).not.toContain('dev.example');
  expect((await configuration('elsewhere.example')).environments).toBeUndefined();
  const body = await page('/services?ln=en-US');
  expect(body).toContain(`<link rel="icon" href="${logo}" type="image/svg+xml"/>`);
  expect(body).not.toMatch(/favicon|app-icon|og-image/);
});

it('a banner is shown in its period only', async () => {
  const at = (minutes: number) => timeInDubai(new Date(Date.now() + minutes * 60_000));
  await save({ banner: textOf('Closed on Friday') });
  expect((await configuration()).banner).toEqual(textOf('Closed on Friday'));
  await save({ bannerFrom: at(60) });
  expect((await configuration()).banner).toBeUndefined();
  await save({ bannerFrom: at(-60), bannerUntil: at(60) });
  expect((await configuration()).banner).toEqual(textOf('Closed on Friday'));
  const refused = await save({ bannerFrom: at(60), bannerUntil: at(30) });
  expect(Object.keys(refused.refused.errors ?? {})).toEqual(['bannerUntil']);
});

it.each<[string, Partial<Saved>]>([
  ['name.ar-EG', { name: { ...textOf('A'), 'ar-EG': ' ' } }],
  ['name.en-US', { name: { ...textOf('A'), 'en-US': '<b>A</b>' } }],
  ['name.en-US', { name: { ...textOf('A'), 'en-US': '{{name}}' } }],
  ['name.en-US', { name: { ...textOf('A'), 'en-US': '$t(shell:wordmark)' } }],
  ['banner.ur-PK', { banner: { ...textOf('A'), 'ur-PK': '' } }],
  ['supportPhone', { supportPhone: 'call us' }],
  ['supportEmail', { supportEmail: 'nobody' }],
  ['social.0.url', { social: [{ name: 'X', url: 'javascript:alert(1)' }] }],
  ['cards.0.logo', { cards: [{ name: 'X', logo: '//elsewhere.example/a.svg' }] }],
])('refuses a wrong %s', async (field, changed) => {
  const { version } = await current();
  const { status, refused } = await save(changed);
  expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, [field]]);
  expect((await current()).version).toBe(version);
});

it('of two people at the same time one wins, and the history says who changed what', async () => {
  const { bannerFrom: _from, bannerUntil: _until, ...known } = await current();
  const replies = await Promise.all(
    ['One', 'Two'].map((name) =>
      app.callAs('admin', savePortalDetails, { body: { ...known, name: textOf(name) } }),
    ),
  );
  expect(replies.map(({ refused }) => refused.error ?? 'saved').toSorted()).toEqual([
    'RecordHasChanged',
    'saved',
  ]);
  const { body } = await app.callAs('admin', getChanges, { query: { Entity: 'portal' } });
  expect(body.items[0]).toMatchObject({
    username: 'admin',
    fields: expect.arrayContaining([
      expect.objectContaining({ field: 'name', language: 'en-US', before: 'Sharjah Services' }),
    ]),
  });
});

it('reaches a process by the notification of PostgreSQL', async () => {
  await app.database
    .updateTable('portal_details')
    .set({ content: JSON.stringify({ name: textOf('Elsewhere') }), version: 90 })
    .execute();
  await expect
    .poll(() => page('/services?ln=en-US'), { timeout: 4000 })
    .toContain('| Elsewhere</title>');
});

it('the name is no text of the desk, and every text may quote it', async () => {
  const find = (Key: string) =>
    app.callAs('admin', getText, { query: { Noun: 'shell', Key }, language: 'en-US' });
  expect((await find('wordmark')).refused.error).toBe('TextNotFound');
  const { version } = (await find('offline')).body;
  const { body } = await app.callAs('admin', saveText, {
    body: {
      noun: 'shell',
      key: 'offline',
      version,
      texts: [{ language: 'en-US', form: '', text: '$t(shell:wordmark) cannot be reached.' }],
    },
  });
  expect(body.entry.texts['en-US'][0]?.isOverridden).toBe(true);
  expect(createTranslator('shell')('offline', 'en-US')).toBe('Elsewhere cannot be reached.');
});
