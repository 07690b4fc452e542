import { expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { getAllGovernmentAgenciesWithServices } from '@diwan/contract/catalogue/agencies';
import * as contract from '@diwan/contract/catalogue/services';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { openCatalogue } from '../services.actions.ts';
import { readTestQuestions } from './test-questions.actions.ts';

const app = useTestApp();

const find = async (Name: string, language: Language = 'en-US') =>
  (await app.call(contract.serviceSearch, { query: { Name }, language })).body;
const namesOf = async (wanted: string, language?: Language) =>
  (await find(wanted, language)).map(({ replacedName }) => replacedName);
const list = async (SearchKeyword: string, language: Language = 'en-US') =>
  (await app.call(contract.getServices, { query: { SearchKeyword, PageSize: 15 }, language })).body
    .items;

// A typed text, and a service that must be among the first results; with `1` it must be the first.
test.each<[string, string, string, Language, number]>([
  ['the official name', 'Renew Trade Licence', 'renew-trade-licence', 'en-US', 1],
  ['iqama', 'iqama', 'issue-residency-permit', 'en-US', 15],
  ['iqama in Arabic, another hamza', 'اقامه', 'issue-residency-permit', 'ar-EG', 15],
  ['ejari', 'Ejari', 'register-renew-tenancy-contract', 'en-US', 1],
  ['ejari in Arabic', 'ايجارى', 'register-renew-tenancy-contract', 'ar-EG', 1],
  ['mulkiya', 'mulkiya', 'renew-vehicle-ownership', 'en-US', 1],
  ['renewal of it', 'mulkiya renewal', 'renew-vehicle-ownership', 'en-US', 3],
  ['harakat', 'تَجْدِيدُ رُخْصَةٍ تِجَارِيَّة', 'renew-trade-licence', 'ar-EG', 15],
  ['tatweel', 'تجـــديد جـــواز', 'renewal-passport', 'ar-EG', 5],
  ['ta marbuta as ha', 'الهويه الاماراتيه', 'identity-card-renewal', 'ar-EG', 2],
  ['article', 'الرخصة التجارية', 'renew-trade-licence', 'ar-EG', 3],
  ['Urdu kaf and ya on an Arabic keyboard', 'ملكيت', 'renew-vehicle-ownership', 'ur-PK', 5],
  ['Urdu', 'ڈرائیونگ لائسنس', 'renew-driving-licence', 'ur-PK', 5],
  ['Arabic text on an Urdu keyboard', 'تجدید ملکیة مرکبة', 'renew-vehicle-ownership', 'ar-EG', 1],
  ['Arabic-Indic digits', 'صيدلية ٢٤ ساعة', 'issue-of-a-24-hour-pharmacy-work-permit', 'ar-EG', 15],
  ['digits', '24 hour pharmacy', 'issue-of-a-24-hour-pharmacy-work-permit', 'en-US', 1],
  ['Urdu digits', '۲۴ pharmacy', 'issue-of-a-24-hour-pharmacy-work-permit', 'en-US', 1],
  ['plural for singular', 'trademarks registrations', 'trademark-registration', 'en-US', 2],
  ['singular for plural', 'legal notice', 'legal-notices', 'en-US', 1],
  [
    'hyphen left out',
    'multiple entry tourist visa',
    'five-year-multiple-entry-tourist-visa',
    'en-US',
    1,
  ],
  ['hyphen put in', 'trade-licence renew', 'renew-trade-licence', 'en-US', 1],
  [
    'American spelling',
    'labor complaint',
    'register-labour-complaints-private-sector-employees',
    'en-US',
    5,
  ],
  ['another spelling', 'trade license', 'renew-trade-licence', 'en-US', 3],
  ['misspelt', 'trade lisence', 'renew-trade-licence', 'en-US', 3],
  ['misspelt', 'visa renewl', 'renew-residency-permit', 'en-US', 15],
  ['misspelt', 'pasport', 'renewal-passport', 'en-US', 15],
  ['misspelt in Arabic', 'جوااز السفر', 'renewal-passport', 'ar-EG', 15],
  ['visa renewal', 'visa renewal', 'renew-residency-permit', 'en-US', 15],
  ['a whole sentence', 'i want to renew my driving license', 'renew-driving-licence', 'en-US', 2],
  ['a whole sentence in Arabic', 'أريد تجديد رخصة القيادة', 'renew-driving-licence', 'ar-EG', 2],
  [
    'maid visa',
    'housemaid work permit',
    'issuance-of-a-new-work-permit-domestic-workers',
    'en-US',
    15,
  ],
  [
    'part of a word',
    'lectri',
    'request-for-deactivation-of-electricity-water-move-out',
    'en-US',
    3,
  ],
])('%s: “%s” finds %s', async (_what, wanted, expected, language, among) => {
  expect((await namesOf(wanted, language)).slice(0, among)).toContain(expected);
});

test.each([
  ['MOHRE', 'Ministry of Human Resources and Emiratisation'],
  ['icp', 'Federal Authority for Identity, Citizenship, Customs and Port Security'],
  ['GDRFA', 'General Directorate of Residency and Foreigners Affairs Dubai'],
  ['DEWA', 'Dubai Electricity and Water Authority'],
  ['det', 'Dubai Department of Economy and Tourism'],
  ['FTA', 'Federal Tax Authority'],
  ['mofa', 'Ministry of Foreign Affairs'],
  ['DLD', 'Dubai Land Department'],
])('the agency %s by its abbreviation', async (wanted, agency) => {
  const found = await list(wanted);
  const own = found.slice(0, 2).map(({ governmentAgency }) => governmentAgency.name);
  expect([found.length > 1, ...own]).toEqual([true, agency, agency]);
});

test('an abbreviation finds the agency before words that contain it', async () => {
  const agencies = (await list('RTA')).map(({ governmentAgency }) => governmentAgency.name);
  expect(agencies.slice(0, 6)).toEqual(
    Array.from({ length: 6 }, () => 'Roads and Transport Authority Dubai'),
  );
  expect(agencies.slice(6)).toEqual(['Ministry of Energy and Infrastructure']);
  expect((await list('RTA')).map(({ replacedName }) => replacedName)).toContain(
    'renewal-of-a-national-transportation-vehicle-permit',
  );
});

test.each(languages)(
  'suggestions have the order of the listing, behind names that contain the text (%s)',
  async (language) => {
    for (const wanted of ['e', 'ا', 'licence', 'تجديد', 'visa', 'lisence', 'trade dubai']) {
      const suggested = await find(wanted, language);
      const holds = ({ name }: { name: string }) => name.toLowerCase().includes(wanted);
      const others = suggested.filter((each) => !holds(each)).map(({ id }) => id);
      const listed = (await list(wanted, language)).map(({ id }) => id);
      expect(listed.filter((id) => others.includes(id))).toEqual(
        others.filter((id) => listed.includes(id)),
      );
      expect(suggested.length).toBeGreaterThan(0);
    }
  },
);

test.each(languages)(
  'an agency shows as many services as are counted for it (%s)',
  async (language) => {
    for (const SearchKeyword of ['renew my car', 'رخصة دبي', 'visa', 'گاڑی کی رجسٹریشن', 'شهادة']) {
      const { body: agencies } = await app.call(getAllGovernmentAgenciesWithServices, {
        query: { SearchKeyword },
        language,
      });
      const count = async (GovernmentAgencyId?: number) =>
        (
          await app.call(contract.getServices, {
            query: { SearchKeyword, ...(GovernmentAgencyId ? { GovernmentAgencyId } : {}) },
            language,
          })
        ).body.totalCount;
      const [first, ...others] = agencies;
      expect(first?.servicesCount).toBe(await count(first?.id));
      expect([first, ...others].reduce((sum, each) => sum + (each?.servicesCount ?? 0), 0)).toBe(
        await count(),
      );
    }
  },
);

test('a misspelt word is corrected, and the reply says so', async () => {
  const ask = async (SearchKeyword: string, language: Language) =>
    (await app.call(contract.getServices, { query: { SearchKeyword }, language })).body;
  const { didYouMean, items } = await ask('Renew pasport', 'en-US');
  expect([didYouMean, items[0]?.replacedName]).toEqual(['Renew passport', 'renewal-passport']);
  expect((await ask('تجديد جوااز', 'ar-EG')).didYouMean).toBe('تجديد جواز');
  expect(await ask('renew passport', 'en-US')).not.toHaveProperty('didYouMean');
  const { body: managed } = await app.callAs('admin', contract.getManagedServices, {
    query: { SearchKeyword: 'Renew pasport' },
    language: 'en-US',
  });
  expect([managed.didYouMean, managed.items[0]?.replacedName]).toEqual([
    'Renew passport',
    'renewal-passport',
  ]);
});

test('a new synonym in the database is used immediately', async () => {
  expect(await find('blorp')).toEqual([]);
  await app.database
    .insertInto('search_synonyms')
    .values({ words: ['blorp', 'passport'] })
    .execute();
  await expect.poll(() => namesOf('blorp')).toContain('renewal-passport');
});

test('the words of an agency change nothing of what others are found by', async () => {
  const catalogue = await openCatalogue(app.database);
  const agencyId = catalogue.getServiceByName('renewal-passport').agency.id;
  // Words of every kind: of names, of questions, of rules, misspelt, and phrases across them.
  const groups = [
    ['passport', 'vehicle', 'licence', 'visa for my wife'],
    ['pasport', 'resdence', 'رخصة', 'تجديد', 'renew driving licence'],
    ['kafala', 'نوکری', 'work permit', 'golden visa'],
  ].map((words) => ({ words, agencyId }));
  const trial = await catalogue.openTrial([...groups]);
  let found = 0;
  for (const { text, language } of readTestQuestions()) {
    const [before, after] = [catalogue.search(text, language), trial(text, language)];
    const others = ({ take, count }: typeof before) =>
      take(0, count).flatMap(({ id, agency }) => (agency.id === agencyId ? [] : [id]));
    expect(others(after), text).toEqual(others(before));
    if (after.count > before.count) found += 1;
  }
  // The attempt is meaningful: the words find more of the agency.
  expect(found).toBeGreaterThan(5);
});
