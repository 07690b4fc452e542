import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { overridesVersion, textNouns } from '#platform/core/locale-texts.ts';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { getService } from '@diwan/contract/catalogue/services';
import { exportTexts, getText, getTexts, saveText } from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { languages } from '@diwan/contract/wire/languages';
import { openMessageTemplates } from '../messages/message-templates.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-texts-'));
  await mkdir(join(folder, 'locales', 'en-US'), { recursive: true });
  await buildPortal(folder);
  await writeFile(join(folder, 'locales', 'en-US', 'home.json'), '{"as":"built"}');
  app = await openTestApp({ PORTAL_DIR: folder });
  // Nothing is overridden, not even the name.
  await app.database.deleteFrom('portal_details').execute();
  await vi.waitFor(() => expect(overridesVersion()).toBe(''), { timeout: 20_000 });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

type Edit = BodyInputOf<typeof saveText>['texts'][number];
const english = (text: string, form: Edit['form'] = ''): Edit => ({
  language: 'en-US',
  form,
  text,
});

const read = async (noun: string, key: string) =>
  (await app.callAs('admin', getText, { query: { Noun: noun, Key: key } })).body;
/** Saves over the current version. */
async function save(noun: string, key: string, ...texts: Edit[]) {
  const { version } = await read(noun, key);
  return app.callAs('admin', saveText, {
    body: { noun, key, version, texts },
    language: 'en-US',
  });
}
const file = (address: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url: `/locales/${address}`, headers });
const page = async () =>
  (
    await app.server.inject({
      url: '/terms-and-conditions?ln=en-US',
      headers: { accept: 'text/html' },
    })
  ).body;

describe('an override', () => {
  it('is in files of texts, pages, error replies and templates of messages immediately', async () => {
    const before = await file('en-US/home.json?v=abc');
    expect([before.body, before.headers['cache-control']]).toEqual([
      '{"as":"built"}',
      'public, max-age=86400',
    ]);
    expect(await page()).not.toContain('data-texts');
    const templates = await openMessageTemplates({ MESSAGES_FILE: undefined });
    expect(templates().greeting['en-US']).toBe('Dear {{name}},');

    const { body } = await save('home', 'question', english('What do you need?'));
    expect(body.entry.texts['en-US']).toEqual([
      {
        form: '',
        shipped: 'How can we help you?',
        text: 'What do you need?',
        isOverridden: true,
      },
    ]);
    await save('pages', 'titles.terms', english('Rules of use'));
    await save('errors', 'refusals.ServiceNotFound', english('No such service here'));
    const last = await save('request-messages', 'greeting', english('Good day {{name}},'));
    const version = last.body.textsVersion;

    const current = await file(`en-US/home.json?v=abc-${version}`, { 'accept-encoding': 'br' });
    expect(current.headers).toMatchObject({
      'cache-control': 'public, max-age=86400',
      'content-type': 'application/json; charset=utf-8',
      vary: expect.stringContaining('accept-encoding'),
    });
    const { headers } = await file(`en-US/home.json?v=abc-${version}`);
    const again = await file(`en-US/home.json?v=abc-${version}`, {
      'if-none-match': String(headers['etag']),
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    // By it a page that is open knows that its texts are older.
    expect([before, again].map((reply) => reply.headers['texts-version'])).toEqual([
      'none',
      version,
    ]);
    // A page of the older version gets the newer text, and nobody keeps it at that address.
    const older = await file('en-US/home.json?v=abc');
    expect(older.json()).toMatchObject({ question: 'What do you need?' });
    expect(older.headers['cache-control']).toBe('no-cache');

    expect(await page()).toContain(`data-texts="${version}"`);
    expect(await page()).toMatch(/<title>Rules of use \|/);
    const query = { serviceId: 999_999 };
    expect((await app.call(getService, { query, language: 'en-US' })).refused.message).toBe(
      'No such service here',
    );
    expect(templates().greeting['en-US']).toBe('Good day {{name}},');
  });

  it('reaches a process by the notification of PostgreSQL', async () => {
    await app.database
      .updateTable('text_overrides')
      .set({
        texts: JSON.stringify({
          'en-US': { '': { text: 'Said elsewhere', shipped: 'How can we help you?' } },
        }),
        version: 90,
      })
      .where('key', '=', 'question')
      .execute();
    await expect
      .poll(async () => (await file('en-US/home.json')).json(), { timeout: 1000 })
      .toMatchObject({ question: 'Said elsewhere' });
  });

  it('ends when the shipped text is saved, and its version never goes back', async () => {
    const { body } = await save('home', 'question', english(' How can we help you?\n'));
    expect(body.entry.texts['en-US'][0]).toMatchObject({ isOverridden: false });
    expect(body.entry.version).toBe(91);
    expect((await file('en-US/home.json')).body).toBe('{"as":"built"}');
  });

  it('of a text that the product no longer has changes nothing', async () => {
    await app.database
      .insertInto('text_overrides')
      .values({
        noun: 'home',
        key: 'gone.away',
        texts: JSON.stringify({ 'en-US': { '': { text: 'Old', shipped: 'Older' } } }),
        version: 5000,
      })
      .execute();
    await save('home', 'lead', english('A lead'));
    expect((await file('en-US/home.json')).json()).not.toHaveProperty('gone');
    expect((await file('en-US/home.json')).json()).toMatchObject({ lead: 'A lead' });
  });
});

it('two people at the same time: one wins, the other one hears of it, also for the first change', async () => {
  const body = (text: string) => ({
    body: { noun: 'home', key: 'failed', version: 0, texts: [english(text)] },
  });
  const replies = await Promise.all(
    ['One', 'Two', 'Three'].map((text) => app.callAs('admin', saveText, body(text))),
  );
  expect(replies.map(({ refused }) => refused.error ?? 'saved').toSorted()).toEqual([
    'RecordHasChanged',
    'RecordHasChanged',
    'saved',
  ]);
  expect((await read('home', 'failed')).version).toBe(1);
});

it.each([
  ['', 'Fill in'],
  ['  \u200F ', 'Fill in'],
  ['<b>Bold</b>', 'plain text'],
  ['A&nbsp;B', 'plain text'],
  ['No placeholder', 'Keep {{count}}'],
  ['{{count}} and {{name}}', 'does not fill in {{name}}'],
  ['{{count}} {{', 'double braces'],
  ['{{count}} $t(users:login.title)', 'cannot quote'],
  ['{{count}}\nlines', 'one line'],
  ['{{count}} \u202Esdrawkcab', 'cannot be read'],
  ['{{count}} \u0000', 'cannot be read'],
])('refuses %j instead of a text with a count', async (text, message) => {
  const { status, refused } = await save(
    'shell',
    'requestsCount',
    english(text, 'other'),
    english('One request', 'one'),
  );
  expect(status).toBe(400);
  // NUL is refused for every call, before this one.
  const field = text.includes('\u0000') ? 'texts.0.text' : 'texts.en-US.other';
  expect(refused.errors?.[field]?.join()).toContain(message);
  expect((await read('shell', 'requestsCount')).version).toBe(0);
});

it('has every plural form of Arabic, and a form may leave out the figure', async () => {
  const { texts } = await read('shell', 'requestsCount');
  expect(texts['ar-EG'].map(({ form }) => form)).toEqual([
    'zero',
    'one',
    'two',
    'few',
    'many',
    'other',
  ]);
  const saved = await save('shell', 'requestsCount', english('A single request', 'one'));
  expect(saved.status).toBe(200);
  const unknown = await save('shell', 'requestsCount', english('Few', 'few'));
  expect(Object.keys(unknown.refused.errors ?? {})).toEqual(['texts.en-US.few']);
});

it('keeps a quoted label, and refuses a text that the product does not have', async () => {
  const all = await app.callAs('admin', getTexts, { query: { Keyword: '$t(', Take: 100 } });
  const entry = all.body.items[0]!;
  const quoting = entry.texts['en-US'][0]!;
  const saved = await save(entry.noun, entry.key, {
    language: 'en-US',
    form: quoting.form,
    text: `${quoting.shipped} Now.`,
  });
  expect(saved.status).toBe(200);
  for (const [noun, key] of [
    ['home', 'no.such'],
    ['../home', 'question'],
    ['home', 'constructor'],
  ] as const)
    expect(
      (await app.callAs('admin', getText, { query: { Noun: noun, Key: key } })).refused.error,
    ).toBe('TextNotFound');
});

it('shows both texts when the shipped one has changed since, until ours is confirmed', async () => {
  await save('home', 'banners.title', english('Who are you?'));
  await app.database
    .updateTable('text_overrides')
    .set({
      version: 2,
      texts: JSON.stringify({ 'en-US': { '': { text: 'Who are you?', shipped: 'Of last year' } } }),
    })
    .where('key', '=', 'banners.title')
    .execute();
  const list = async () =>
    (await app.callAs('admin', getTexts, { query: { Only: 'shippedChanged' } })).body;
  const { items, counts } = await list();
  expect(items.map(({ key }) => key)).toEqual(['banners.title']);
  expect(items[0]!.texts['en-US'][0]).toMatchObject({
    text: 'Who are you?',
    shippedThen: 'Of last year',
  });
  expect(counts.shippedChanged).toBe(1);
  await save('home', 'banners.title', english('Who are you?'));
  expect((await list()).items).toEqual([]);
});

it('finds by any spelling in any language, by key, by file and by what is changed', async () => {
  const keysOf = async (query: Parameters<typeof find>[0]) =>
    (await find(query)).items.map(({ noun, key }) => `${noun}:${key}`);
  const find = async (query: { Noun?: string; Keyword?: string; Only?: 'overridden' | 'warned' }) =>
    (await app.callAs('admin', getTexts, { query: { ...query, Take: 100 } })).body;
  const { texts } = await read('home', 'question');
  const arabic = texts['ar-EG'][0]!.text;
  expect(await keysOf({ Keyword: arabic.replace('ك', 'ک') })).toContain('home:question');
  expect(await keysOf({ Keyword: 'how can we HELP' })).toContain('home:question');
  expect(await keysOf({ Keyword: 'refusals.ServiceNotFound' })).toContain(
    'errors:refusals.ServiceNotFound',
  );
  const changed = await keysOf({ Only: 'overridden', Noun: 'home' });
  expect(changed).toEqual(expect.arrayContaining(['home:lead', 'home:failed']));
  expect(changed).not.toContain('home:question');
  expect((await find({ Noun: 'home' })).nouns).toEqual([...textNouns]);
});

/** The files of a ZIP archive with their contents. */
function readArchive(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50;) {
    const size = archive.readUInt32LE(at + 18);
    const nameEnd = at + 30 + archive.readUInt16LE(at + 26);
    const packed = archive.subarray(nameEnd, nameEnd + size);
    files.set(archive.toString('utf8', at + 30, nameEnd), inflateRawSync(packed).toString());
    at = nameEnd + size;
  }
  return files;
}

it('exports the changed files as they are in the repository, apart from the changed lines', async () => {
  const token = await app.signIn('admin');
  const { rawPayload, headers } = await app.server.inject({
    url: exportTexts.path,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(headers['content-type']).toBe('application/zip');
  const files = readArchive(rawPayload);
  expect([...files.keys()]).toContain('web/public/locales/en-US/home.json');
  expect([...files.keys()].filter((path) => path.includes('ar-EG'))).toEqual([]);
  const [ours, theirs] = [
    files.get('web/public/locales/en-US/home.json')!.split('\n'),
    (await readFile('web/public/locales/en-US/home.json', 'utf8')).split('\n'),
  ];
  const differing = ours.filter((line, at) => line !== theirs[at]);
  expect(ours).toHaveLength(theirs.length);
  expect(differing.map((line) => line.trim().split('"')[1])).toEqual(
    expect.arrayContaining(['lead', 'failed']),
  );
});

it('every file of texts is written as the export writes it', async () => {
  for (const language of languages)
    for (const noun of textNouns) {
      const text = await readFile(`web/public/locales/${language}/${noun}.json`, 'utf8');
      expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, `${language}/${noun}`).toBe(text);
    }
});

it('records who changed which text, before and after', async () => {
  const { body } = await app.callAs('admin', getChanges, {
    query: { Entity: 'text', EntityId: 'home:lead' },
  });
  expect(body.items).toMatchObject([
    {
      action: 'changed',
      username: 'admin',
      fields: [{ field: 'texts.en-US', after: 'A lead' }],
    },
  ]);
});
