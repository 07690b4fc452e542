import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/catalogue/searches';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { openCatalogue, type Catalogue } from '../services/services.actions.ts';
import { mayBePersonal } from './personal-text.ts';
import { openSearchLog, type SearchLog } from './search-log.ts';
import { deleteBefore } from './searches.store.ts';

const app = useTestApp();
let catalogue: Catalogue;
let log: SearchLog;
beforeAll(async () => {
  catalogue = await openCatalogue(app.database);
  log = openSearchLog(app.database, catalogue);
});

const terms = async (query: { Only?: 'nothing' | 'unopened'; Keyword?: string } = {}) =>
  (
    await app.callAs('admin', calls.getSearchTerms, {
      query: { Take: 100, ...query },
      language: 'en-US',
    })
  ).body.items;
const countAll = (text: string, times: number, language: Language = 'en-US') => {
  for (let each = 0; each < times; each += 1) log.record(text, language);
};

it('counts searches in one spelling, what they find, and what was opened from them', async () => {
  countAll('Passport', 3);
  countAll(' PASSPORT ', 2);
  countAll('zzqq unknown', 1);
  countAll('visa', 2);
  log.record('passport', 'en-US', 1);
  log.record('passport', 'en-US', 2);
  log.record('passport', 'en-US', 2);
  log.record('passport', 'en-US', 999_999);
  await log.flush();
  countAll('passport', 1);
  await log.flush();
  expect(await terms()).toMatchObject([
    {
      text: 'passport',
      searches: 6,
      openings: 3,
      opened: [{ serviceId: 2, openings: 2 }, { serviceId: 1 }],
    },
    { text: 'visa', searches: 2, openings: 0 },
    { text: 'zzqq unknown', searches: 1, results: 0 },
  ]);
  expect((await terms({ Only: 'nothing' })).map(({ text }) => text)).toEqual(['zzqq unknown']);
  expect((await terms({ Only: 'unopened' })).map(({ text }) => text)).toEqual(['visa']);
  expect((await terms({ Keyword: 'ISA' })).map(({ text }) => text)).toEqual(['visa']);
});

it.each([
  '784-1990-1234567-1',
  '050 123 4567',
  '٠٥٠١٢٣٤٥٦٧',
  'me@example.com',
  '2612345678901',
  'https://example.com/a',
  '1 2 3 4 5',
])('does not store %j', async (text) => {
  log.record(text, 'ar-EG');
  await log.flush();
  const { rows } = { rows: await app.database.selectFrom('search_terms').selectAll().execute() };
  expect(rows.filter(({ language }) => language === 'ar-EG')).toEqual([]);
});

it('stores years and hours', () => {
  expect(['golden visa 2026', '24 hour pharmacy', 'form 1040'].map(mayBePersonal)).toEqual([
    false,
    false,
    false,
  ]);
});

it('deletes counts that are older than the setting, and keeps a bounded number in memory', async () => {
  const inLetters = (each: number) =>
    [...String(each)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (let each = 0; each < 2100; each += 1) log.record(`word ${inLetters(each)}`, 'ur-PK');
  await log.flush();
  const count = async () =>
    (
      await app.database
        .selectFrom('search_terms')
        .select('text')
        .where('language', '=', 'ur-PK')
        .execute()
    ).length;
  expect(await count()).toBe(2000);
  await deleteBefore(app.database, dayAfter(todayInDubai(), 1));
  expect(await count()).toBe(0);
});

it('a search of the portal is counted by a call that answers immediately', async () => {
  const { status, body } = await app.call(calls.recordSearch, { body: { text: 'iqama' } });
  expect([status, body]).toEqual([200, {}]);
});

it('shows the effect of synonyms on the test searches before they are saved, then uses them', async () => {
  const find = async () =>
    (await app.call(serviceSearch, { query: { Name: 'flurb' }, language: 'en-US' })).body;
  const {
    body: [saved],
  } = await app.callAs('admin', calls.saveSearchQuestion, {
    body: {
      language: 'en-US',
      text: 'flurb',
      serviceId: catalogue.getServiceByName('renewal-passport').id,
    },
  });
  const change = { words: ['flurb', ' Flurb', 'passport'] };
  const { body: effect } = await app.callAs('admin', calls.trySynonyms, { body: change });
  expect(effect.questions).toBeGreaterThan(300);
  expect(effect.better).toMatchObject([{ text: 'flurb', before: 0 }]);
  expect(await find()).toEqual([]);
  const { body: groups } = await app.callAs('admin', calls.saveSynonyms, { body: change });
  const group = groups.at(-1)!;
  expect(group.words).toEqual(['Flurb', 'passport']);
  expect((await find()).map(({ replacedName }) => replacedName)).toContain('renewal-passport');
  // The end of the group makes the search worse again.
  const ended = { id: group.id, known: group.words };
  expect((await app.callAs('admin', calls.trySynonyms, { body: ended })).body.worse).toMatchObject([
    { text: 'flurb', after: 0 },
  ]);
  const both = await Promise.all([
    app.callAs('admin', calls.saveSynonyms, { body: { ...ended, words: ['flurb', 'visa'] } }),
    app.callAs('admin', calls.saveSynonyms, { body: { ...ended, words: ['flurb', 'licence'] } }),
  ]);
  expect(both.map(({ refused }) => refused.error ?? 'saved').toSorted()).toEqual([
    'RecordHasChanged',
    'saved',
  ]);
  const changes = await app.callAs('admin', getChanges, {
    query: { Entity: 'synonym', EntityId: String(group.id) },
  });
  expect(changes.body.items.map(({ action }) => action)).toEqual(['changed', 'created']);
  const removed = await app.callAs('admin', calls.removeSearchQuestion, {
    body: { id: saved!.id },
  });
  expect(removed.body).toEqual([]);
  const recorded = await app.callAs('admin', getChanges, { query: { Entity: 'searchQuestion' } });
  expect(recorded.body.items).toMatchObject([
    { action: 'deleted', name: 'flurb', address: '127.0.0.1' },
    { action: 'created', name: 'flurb', username: 'admin' },
  ]);
});

it('refuses a group of one word in two spellings, and a group that does not exist', async () => {
  const one = await app.callAs('admin', calls.trySynonyms, { body: { words: ['سيارة', 'سياره'] } });
  expect(Object.keys(one.refused.errors ?? {})).toEqual(['words']);
  for (const call of [calls.trySynonyms, calls.saveSynonyms])
    expect((await app.callAs('admin', call, { body: { id: 99_999 } })).refused.error).toBe(
      'SynonymNotFound',
    );
});

describe('an agency administrator', () => {
  const idsOf = async () => {
    const { id: mine } = await app.database
      .selectFrom('agencies')
      .select('id')
      .where('slug', '=', 'roads-and-transport-authority-dubai')
      .executeTakeFirstOrThrow();
    const service = (agency: boolean) =>
      catalogue.list().find((each) => (each.agency.id === mine) === agency)!;
    return { mine, own: service(true), other: service(false) };
  };
  const asTheirs = (call: typeof calls.getSynonyms | typeof calls.getSearchQuestions) =>
    app.callAs('agency-rta', call, { language: 'en-US' });

  it('adds words that find the services of the agency alone, and sees only these', async () => {
    const { mine, own } = await idsOf();
    const word = 'zzblorp';
    const find = async () =>
      (await app.call(serviceSearch, { query: { Name: word }, language: 'en-US' })).body;
    const { body: shared } = await app.callAs('admin', calls.saveSynonyms, {
      body: { words: ['zzshared', 'zzother'] },
    });
    // Services of other agencies have it in their names too.
    const wordsOf = ({ name }: { name: typeof own.name }) => name['en-US'].split(' ');
    const ofOthers = new Set(
      catalogue.list().flatMap((each) => (each.agency.id === mine ? [] : wordsOf(each))),
    );
    const common = wordsOf(own).find((each) => each.length > 5 && ofOthers.has(each))!;
    const words = [word, common];
    const { body: groups } = await app.callAs('agency-rta', calls.saveSynonyms, {
      body: { words },
      language: 'en-US',
    });
    expect(groups).toMatchObject([{ words, agency: { id: mine } }]);
    expect((await asTheirs(calls.getSynonyms)).body).toEqual(groups);
    expect((await find()).map(({ id }) => id)).toContain(own.id);
    for (const { id } of await find()) expect(catalogue.getService(id).agency.id).toBe(mine);
    const foreign = { body: { id: shared.at(-1)!.id, known: ['zzshared', 'zzother'] } };
    for (const call of [calls.saveSynonyms, calls.trySynonyms])
      expect((await app.callAs('agency-rta', call, foreign)).refused.error).toBe('SynonymNotFound');
    expect((await app.callAs('admin', calls.getSynonyms)).body.length).toBeGreaterThan(1);
  });

  it('chooses one of several agencies, and adds nothing without any', async () => {
    const userId = await app.idOf('agency-rta');
    const body = { words: ['zzone', 'zztwo'] };
    const save = () => app.callAs('agency-rta', calls.saveSynonyms, { body });
    await sql`delete from staff_agencies where user_id = ${userId}`.execute(app.database);
    const none = await save();
    expect([none.status, Object.keys(none.refused.errors ?? {})]).toEqual([400, ['agencyId']]);
    await sql`
      insert into staff_agencies (user_id, agency_id)
      select ${userId}, id
      from agencies
      where id in (1, 2)`.execute(app.database);
    for (const call of [calls.trySynonyms, calls.saveSynonyms])
      expect(
        Object.keys((await app.callAs('agency-rta', call, { body })).refused.errors ?? {}),
      ).toEqual(['agencyId']);
    const chosen = await app.callAs('agency-rta', calls.saveSynonyms, {
      body: { ...body, agencyId: 2 },
    });
    expect(chosen.body.at(-1)).toMatchObject({ agency: { id: 2 } });
    const { mine } = await idsOf();
    await sql`delete from staff_agencies where user_id = ${userId}`.execute(app.database);
    await sql`insert into staff_agencies (user_id, agency_id) values (${userId}, ${mine})`.execute(
      app.database,
    );
    const unknown = await app.callAs('admin', calls.saveSynonyms, {
      body: { ...body, agencyId: 99_999 },
    });
    expect(unknown.refused.error).toBe('NotFound');
  });

  it('tries words on the test searches of the agency, and sees no others', async () => {
    const { own, other } = await idsOf();
    const text = 'zzquestion';
    for (const { id: serviceId } of [own, other])
      await app.callAs('admin', calls.saveSearchQuestion, {
        body: { language: 'en-US', text: `${text} ${serviceId}`, serviceId },
      });
    const { body: saved } = await asTheirs(calls.getSearchQuestions);
    expect(saved).toMatchObject([{ serviceId: own.id }]);
    const change = { words: [text, own.name['en-US']] };
    const [theirs, all] = await Promise.all(
      (['agency-rta', 'admin'] as const).map((who) =>
        app.callAs(who, calls.trySynonyms, { body: change, language: 'en-US' }),
      ),
    );
    expect(theirs?.body.questions).toBeLessThan(all?.body.questions ?? 0);
    expect(theirs?.body.better).toMatchObject([{ text: `${text} ${own.id}`, before: 0 }]);
    expect(theirs?.body.worse).toEqual([]);
    const foreign = await app.callAs('agency-rta', calls.saveSearchQuestion, {
      body: { language: 'en-US', text, serviceId: other.id },
    });
    expect(foreign.refused.error).toBe('ServiceNotFound');
  });

  it('reads the searches that opened their services or found nothing, with results of theirs', async () => {
    const { own, other } = await idsOf();
    const name = own.name['en-US'].toLowerCase();
    await sql`delete from search_terms`.execute(app.database);
    log.record('zzboth', 'en-US', own.id);
    log.record('zzboth', 'en-US', other.id);
    log.record('zzother', 'en-US', other.id);
    for (const each of ['zzboth', 'zzother', 'qqrare', name]) log.record(each, 'en-US');
    countAll('qqlost', 5);
    await log.flush();
    const read = async (Only?: 'nothing' | 'unopened') =>
      (
        await app.callAs('agency-rta', calls.getSearchTerms, {
          query: { Take: 100, ...(Only ? { Only } : {}) },
          language: 'en-US',
        })
      ).body.items;
    await sql`update search_terms set results = 3 where text in ('zzboth', 'zzother')`.execute(
      app.database,
    );
    expect(await read()).toMatchObject([
      { text: 'qqlost', results: 0, opened: [] },
      { text: 'zzboth', openings: 1, opened: [{ serviceId: own.id }] },
    ]);
    expect((await read('nothing')).map((term) => term.text)).toEqual(['qqlost']);
    expect(await read('unopened')).toEqual([]);
    log.record(name, 'en-US', own.id);
    await log.flush();
    const [ofAgency] = (await read()).filter((term) => term.text === name);
    const [ofAll] = await terms({ Keyword: name });
    expect(ofAgency?.results).toBeGreaterThan(0);
    expect(ofAgency?.results).toBeLessThan(ofAll?.results ?? 0);
  });
});

it('one click makes a service popular and takes it back', async () => {
  const popular = async () =>
    (await app.call(serviceSearch, { query: { Pobular: 'true' } })).body.map(({ id }) => id);
  const before = await popular();
  const serviceId = catalogue.list().find(({ id }) => !before.includes(id))!.id;
  await app.callAs('admin', calls.markPopular, { body: { serviceId, isPopular: true } });
  expect(await popular()).toEqual([...before, serviceId].slice(0, 15));
  await app.callAs('admin', calls.markPopular, { body: { serviceId, isPopular: false } });
  expect(await popular()).toEqual(before);
  const missing = await app.callAs('admin', calls.markPopular, {
    body: { serviceId: 99_999, isPopular: true },
  });
  expect(missing.refused.error).toBe('ServiceNotFound');
});

it('knows test searches in every language', async () => {
  const { readTestQuestions } = await import('../services/search/test-questions.actions.ts');
  expect(new Set(readTestQuestions().map(({ language }) => language))).toEqual(new Set(languages));
});
