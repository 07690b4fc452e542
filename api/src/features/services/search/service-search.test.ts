import { describe, expect, test } from 'vitest';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import { indexMisspellings } from './misspellings.ts';
import { buildSearchIndex } from './search-index.ts';
import { stemOf } from './search-words.ts';
import { openLazySearch, openServiceSearch } from './service-search.ts';
import { buildWordList, type SynonymWords } from './word-list.ts';

const text = (arabic: string, english: string, urdu: string): LocalizedText => ({
  'ar-EG': arabic,
  'en-US': english,
  'ur-PK': urdu,
});
const police = text('شرطة دبي', 'Dubai Police', 'دبئی پولیس');
const ministry = text('وزارة', 'Ministry', 'وزارت');
const municipality = text('بلدية دبي', 'Dubai Municipality', 'دبئی بلدیہ');

function service(
  replacedName: string,
  name: LocalizedText,
  agency: LocalizedText,
  description: LocalizedText,
  popularRank: number | null = null,
): CatalogueService {
  return {
    replacedName,
    name,
    description,
    agency: { id: agency === police ? 1 : 2, slug: 'agency', name: agency, logo: '' },
    category: { id: 1 },
    accountTypeIds: [1],
    popularRank,
  } as unknown as CatalogueService;
}

const words = `
[things]
food: meal, طعام
trade-licence: trade licence, رخصة تجارية
residence: iqama, residence, إقامة
visa: visa, تأشيرة
family: wife, زوجة
[actions]
issue: issue, new, إصدار
renew: renew, renewal, expired, تجديد, تجدید
cancel: cancel, إلغاء
[places]
dubai: dubai, دبي
sharjah: sharjah, الشارقة
[agencies]
dp: dp, dubai police
town-hall: town hall, dubai municipality
[rules]
family + visa = family + residence
[ignored]
a for my to apply على التقديم
`;

function open(services: CatalogueService[], groups: (string[] | SynonymWords)[] = []) {
  const synonyms = groups.map((group) =>
    Array.isArray(group) ? { words: group, agencyId: null } : group,
  );
  const search = openServiceSearch(buildSearchIndex(services, buildWordList(words, synonyms)));
  return (wanted: string, language: Language = 'en-US') =>
    search(wanted, language)
      .take(0, 99)
      .map(({ replacedName }) => replacedName);
}

const catalogue = [
  service(
    'food-permit',
    text('تصريح أنشطة غذائية', 'Permit for food', 'خوراک کا اجازت نامہ'),
    municipality,
    text('لمن يبيع الطعام', 'For those who sell meals', 'کھانا بیچنے والوں کے لیے'),
  ),
  service(
    'permit',
    text('تصريح', 'Permit', 'اجازت نامہ'),
    municipality,
    text('تصريح عام', 'A general one', 'عام'),
  ),
  service(
    'permit-renewal',
    text('تجديد تصريح', 'Permit renewal', 'تجدید'),
    police,
    text('تجديد', 'For drivers', 'تجدید'),
  ),
  service(
    'work-permit',
    text('إذن عمل', 'Work permit', 'ورک پرمٹ'),
    police,
    text('للعمل', 'To be employed', 'ملازمت'),
  ),
  service(
    'unpermitted',
    text('هَيْئَة', 'Unpermitted things', 'گاڑیاں'),
    police,
    text('أخرى', 'Other', 'دیگر'),
  ),
  service(
    'trade-licence',
    text('رخصة تجارية', 'Trade Licence', 'تجارتی لائسنس'),
    municipality,
    text('رخصة', 'A permit to trade', 'لائسنس'),
    1,
  ),
];
const find = open(catalogue);

test('an index that is built in steps leaves time for other work, and a search may end them', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...(catalogue[index % catalogue.length] as CatalogueService),
    replacedName: `service-${index}`,
  }));
  const expected = open(many)('permit');
  const namesOf = ({ search }: ReturnType<typeof openLazySearch>) =>
    search('permit', 'en-US')
      .take(0, 99)
      .map(({ replacedName }) => replacedName);
  const openSteps = () => openLazySearch(many, buildWordList(words));
  const prepared = openSteps();
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  await prepared.prepare();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  const interrupted = openSteps();
  const preparing = interrupted.prepare();
  expect([namesOf(prepared), namesOf(interrupted), namesOf(openSteps())]).toEqual(
    Array.from({ length: 3 }, () => expected),
  );
  await preparing;
  expect(namesOf(interrupted)).toEqual(expected);
});

test('a name comes before a description, a part of a word comes last', () => {
  expect(find('PERMIT')).toEqual([
    'permit',
    'food-permit',
    'permit-renewal',
    'work-permit',
    'trade-licence',
    'unpermitted',
  ]);
});

test('the name in the caller’s language comes before names in other languages', () => {
  expect(find('تجديد', 'ar-EG')[0]).toBe('permit-renewal');
  expect(find('تصريح', 'ar-EG')[0]).toBe('permit');
  expect(find('اجازت نامہ', 'en-US')).toEqual(['permit', 'food-permit']);
});

test('finds by agency, in any language, and by its abbreviation', () => {
  const ofPolice = ['permit-renewal', 'unpermitted', 'work-permit'];
  expect(find('dubai police', 'ar-EG').slice(0, 3).toSorted()).toEqual(ofPolice);
  expect(find('دبئی پولیس').slice(0, 3).toSorted()).toEqual(ofPolice);
  expect(find('DP').toSorted()).toEqual(ofPolice);
});

test('finds by description and by the name in addresses', () => {
  expect(find('general')).toEqual(['permit']);
  expect(find('trade-licence')[0]).toBe('trade-licence');
});

test('all words first, in any order and field; a partial match is found too', () => {
  expect(find('food permit')[0]).toBe('food-permit');
  expect(find('work dubai permit')[0]).toBe('work-permit');
  expect(find('permit aeroplane')[0]).toBe('permit');
  expect(find('aeroplane')).toEqual([]);
});

test('variants of letters are equal', () => {
  expect(find('رخصه تجاريه', 'ar-EG')[0]).toBe('trade-licence');
  expect(find('اذن', 'ar-EG')).toEqual(['work-permit']);
  expect(find('هييه', 'ar-EG')).toEqual(['unpermitted']);
  expect(find('گاڑيان', 'ur-PK')).toEqual(['unpermitted']);
});

test('both spellings of a word match, and ignored words count only alone', () => {
  expect(find('apply for trade license')[0]).toBe('trade-licence');
  expect(find('التقديم على رخصة تجارية', 'ar-EG')[0]).toBe('trade-licence');
  expect(find('for')).toContain('food-permit');
});

test.each(['!!!', '؟', '%', '_', '\\', '.*', '(permit|'])(
  'punctuation is not a pattern: %s',
  (punctuation) => {
    expect(find(punctuation)).toEqual(punctuation.includes('permit') ? find('permit') : []);
  },
);

test('long texts, many words, emoji and mixed scripts have an answer', () => {
  expect(find('x'.repeat(10_000))).toEqual([]);
  expect(find('permit '.repeat(2000))).toContain('permit');
  expect(find(`permit ${'aeroplane '.repeat(1000)}`)).toContain('permit');
  expect(find('🚗')).toEqual([]);
  expect(find('renew تصريح اجازت نامہ', 'ar-EG')).toContain('permit-renewal');
});

test('an action against the query, another place and what nobody asked for cost points', () => {
  const of = (english: string) =>
    service(english, text('أ', english, 'ا'), ministry, text('', '', ''));
  const found = open([
    of('Cancel visa in Dubai'),
    of('Renew visa in Sharjah'),
    of('Renew visa and residence in Dubai'),
    of('Renew visa in Dubai'),
    of('Issue visa in Dubai'),
  ]);
  expect(found('expired visa dubai').slice(0, 2)).toEqual([
    'Renew visa in Dubai',
    'Renew visa and residence in Dubai',
  ]);
  expect(found('visa').slice(0, 2)).toEqual(['Issue visa in Dubai', 'Renew visa in Dubai']);
});

test('a rule replaces the words that name its groups', () => {
  const of = (english: string) =>
    service(english, text('أ', english, 'ا'), ministry, text('', '', ''));
  const found = open([of('Visa'), of('Residence of a wife')]);
  expect(found('visa for my wife')).toEqual(['Residence of a wife']);
});

test('a further group of synonyms joins a concept, or becomes one', () => {
  const services = [
    service('residence', text('تصريح الإقامة', 'Residence', 'اقامہ'), police, text('x', 'x', 'x')),
    service('bus', text('حافلة', 'Coach', 'بس'), police, text('x', 'x', 'x')),
  ];
  const found = open(services, [
    ['blorp', 'iqama'],
    ['omnibus', 'coach'],
  ]);
  expect([found('blorp'), found('omnibus'), open(services)('blorp')]).toEqual([
    ['residence'],
    ['bus'],
    [],
  ]);
});

describe('synonyms of an agency', () => {
  const of = (name: string, agency = police) =>
    service(name, text('أ', name, 'ا'), agency, text('x', 'x', 'x'));
  const services = [of('Coach permit'), of('Coach pass', ministry), of('Iqama card')];
  const ofPolice = (...own: string[]) => ({ words: own, agencyId: 1 });

  test('find its services alone, by a word of the name and by its meaning', () => {
    const found = open(services, [ofPolice('omnibus', 'coach'), ofPolice('blorp', 'residence')]);
    expect(found('omnibus')).toEqual(['Coach permit']);
    expect(found('blorp')).toEqual(['Iqama card']);
    expect(open(services)('omnibus')).toEqual([]);
    // A word of two agencies finds those of each by its own group.
    const both = [ofPolice('omnibus', 'permit'), { words: ['omnibus', 'pass'], agencyId: 2 }];
    expect(open(services, both)('omnibus').toSorted()).toEqual(['Coach pass', 'Coach permit']);
  });

  test('come after services that have the word in their names, and hide none', () => {
    const more = [...services, of('Pass', ministry), of('Passage of a bus', ministry)];
    const group = ofPolice('pass', 'iqama', 'permit');
    const [before, after] = [open(more)('pass'), open(more, [group])('pass')];
    expect(before).toEqual(['Pass', 'Coach pass', 'Passage of a bus']);
    expect(after.filter((name) => before.includes(name))).toEqual(before);
    expect(after.slice(0, 2)).toEqual(['Pass', 'Coach pass']);
    expect(after).toContain('Iqama card');
  });

  test('find by a phrase, by a corrected word, and where a rule replaced the words', () => {
    const found = open(services, [
      ofPolice('golden gate', 'iqama'),
      ofPolice('wife visa', 'coach'),
    ]);
    expect(found('golden gate')).toEqual(['Iqama card']);
    expect(found('gate')).toEqual([]);
    expect(found('wife visa')).toContain('Coach permit');
  });

  test('split and correct no word of others', () => {
    const more = [of('Visa', ministry), of('Residence of a wife', ministry), of('Golden bus')];
    const group = ofPolice('wife visa', 'visa stamp', 'bus');
    for (const asked of ['visa for my wife', 'visa', 'residense', 'stamp'])
      expect(
        open(more, [group])(asked).filter((name) => name !== 'Golden bus'),
        asked,
      ).toEqual(open(more)(asked));
  });
});

test('stems find a word, a word that begins so counts less', () => {
  expect(find('permits')[0]).toBe('permit');
  expect(find('الرخص التجارية', 'ar-EG')).toEqual(['trade-licence']);
  expect(find('والتصريح', 'ar-EG')[0]).toBe('permit');
  expect(find('رخصات', 'ar-EG')).toEqual(['trade-licence']);
});

// Words with one stem; each line is one word with its article, plural, pronouns or case.
test.each([
  ['سيارة السيارة سيارات السيارات سيارتي سيارته سيارتنا بالسيارة والسيارة للسيارة'],
  ['رخصة الرخصة رخص رخصتي رخصتها رخصات'],
  ['موظف الموظف موظفين موظفون للموظف'],
  ['گاڑی گاڑیاں گاڑیوں'],
  ['اقامہ اقامے اقاموں اقامہ'],
  ['جرمانہ جرمانے جرمانوں'],
  ['licence licences license licensed licensing'],
  ['renew renewed renewing renews'],
  ['agency agencies'],
  ['park parking parked'],
])('one stem: %s', (line) => {
  const found = open([
    service('it', text('أ', line.split(' ')[0] ?? '', 'ا'), police, text('', '', '')),
  ]);
  for (const word of line.split(' ')) expect([word, found(word)]).toEqual([word, ['it']]);
});

test('a conjunction or preposition is removed from unknown words only', () => {
  expect(find('وتصريح', 'ar-EG')[0]).toBe('permit');
  expect(stemOf('وكالة'.replace('ة', 'ه'))).not.toBe(stemOf('كاله'));
});

test('typing errors are corrected in words that nothing knows', () => {
  const search = openServiceSearch(buildSearchIndex(catalogue, buildWordList(words)));
  const corrected = (wanted: string) => search(wanted, 'en-US').correction;
  expect(find('permti')).toEqual(find('permit'));
  expect(find('perrmit')).toEqual(find('permit'));
  expect(find('trade lisence')[0]).toBe('trade-licence');
  expect(find('تجدسد', 'ar-EG')[0]).toBe('permit-renewal');
  expect([corrected('Trade lisence!'), corrected('permti renewel'), corrected('رخسة')]).toEqual([
    'Trade licence!',
    'Permit renewal',
    'رخصة',
  ]);
  // A known word stays, digits and short words too, and near words of other first letters.
  expect(['permit', 'meal', '12346', 'wrk', 'bermit', 'aeroplane'].map(corrected)).toEqual(
    Array.from({ length: 6 }),
  );
});

test('the most similar word is found, in long words also with a letter added and another missing', () => {
  const { correct } = indexMisspellings(['passport', 'residence', 'report', 'زيارة']);
  expect(
    ['pasport', 'psasport', 'passpotr', 'residense', 'ressidnce', 'reprt', 'سيارة', 'port'].map(
      correct,
    ),
  ).toEqual(
    // A word of five letters with another first letter is another word.
    ['passport', 'passport', 'passport', 'residence', 'residence', 'report', undefined, undefined],
  );
});

test('the filters of a search admit what the services hold', () => {
  const search = openServiceSearch(buildSearchIndex(catalogue, buildWordList(words)));
  const named = (filter: Parameters<typeof search>[2]) =>
    search('permit', 'en-US', filter)
      .take(0, 99)
      .map(({ replacedName }) => replacedName);
  expect(named({ agencyId: 1 })).toEqual(['permit-renewal', 'work-permit', 'unpermitted']);
  expect(named({ agencyId: 1, accountTypeId: 2 })).toEqual([]);
  expect(named({ categoryId: 9 })).toEqual([]);
});
