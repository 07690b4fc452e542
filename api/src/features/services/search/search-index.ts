import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueAgency, CatalogueService } from '../catalogue-records.ts';
import { comparable, otherNamesFor, otherWordsFor } from './search-words.ts';

/**
 * Where a word can stand in a service, each with two bits for how it was found there: a name in
 * each language, the name in addresses, other words, agency, description.
 */
export const fields = [
  ...languages,
  'replacedName',
  'otherWords',
  'agency',
  'description',
] as const;
export type Field = (typeof fields)[number];

/** How a word was found in a field; the greater, the better. */
export const found = { nowhere: 0, byStem: 1, inside: 2, atStart: 3 } as const;

/**
 * A service with its texts as search compares them; each begins with a space, so that ` x` finds
 * the words that begin with x.
 */
export interface IndexedService {
  service: CatalogueService;
  texts: Record<Field, string>;
  /** What its agency is called beside its name, such as an abbreviation. */
  agencyAliases: ReadonlySet<string>;
}

/**
 * The catalogue by its words: a text that holds a word holds it within one of its own words, so
 * looking through the different words, of which ten
 * thousand services have some thousands, finds what looking through all texts would.
 */
export interface SearchIndex {
  services: readonly IndexedService[];
  /**
   * The different words, and for each where it stands: the place of the service in `services` times
   * eight, plus the place of the field in `fields`.
   */
  words: readonly string[];
  places: readonly Uint32Array[];
  /**
   * The words one after the other, each after a line end, and where each begins; one more beginning
   * stands for the end.
   */
  joined: string;
  starts: Uint32Array;
  /** Whether a word stands elsewhere than in descriptions. */
  isNaming: readonly boolean[];
  /**
   * For each language the place of every service among those that a text finds equally well:
   * popular ones first, then by the length of the name.
   */
  standing: Record<Language, Uint32Array>;
}

const line = (text: string) => ` ${text}`;

interface AgencyWords {
  text: string;
  aliases: ReadonlySet<string>;
}

function agencyWordsOf(
  agency: CatalogueAgency,
  synonyms: readonly (readonly string[])[],
): AgencyWords {
  const names = Object.values(agency.name).map(comparable);
  const aliases = otherNamesFor(names, synonyms);
  return { text: [...names, ...aliases].map(line).join('\n'), aliases: new Set(aliases) };
}

/** `synonyms` as `readSynonyms` gives them. */
function textsOf(
  service: CatalogueService,
  synonyms: readonly (readonly string[])[],
  agency: string,
): Record<Field, string> {
  const names = languages.map((language) => comparable(service.name[language]));
  const [arabic = '', english = '', urdu = ''] = names.map(line);
  return {
    'ar-EG': arabic,
    'en-US': english,
    'ur-PK': urdu,
    replacedName: line(comparable(service.replacedName)),
    otherWords: otherWordsFor(names, synonyms).map(line).join('\n'),
    agency,
    description: Object.values(service.description)
      .map((text) => line(comparable(text)))
      .join('\n'),
  };
}

function standingIn(services: readonly IndexedService[], language: Language): Uint32Array {
  const rank = ({ service }: IndexedService) => service.popularRank ?? Number.MAX_SAFE_INTEGER;
  const order = services
    .map((indexed, place) => ({ indexed, place, length: indexed.texts[language].length }))
    .sort(
      (a, b) =>
        rank(a.indexed) - rank(b.indexed) ||
        a.length - b.length ||
        a.indexed.service.id - b.indexed.service.id,
    );
  const standing = new Uint32Array(services.length);
  for (const [index, { place }] of order.entries()) standing[place] = index;
  return standing;
}

/** Does once what every search would repeat. `synonyms` as `readSynonyms` gives them. */
export function buildSearchIndex(
  catalogue: readonly CatalogueService[],
  synonyms: readonly (readonly string[])[] = [],
): SearchIndex {
  const wordsOfAgencies = new Map<CatalogueAgency, AgencyWords>();
  const services = catalogue.map((service) => {
    const agency = wordsOfAgencies.get(service.agency) ?? agencyWordsOf(service.agency, synonyms);
    wordsOfAgencies.set(service.agency, agency);
    return {
      service,
      texts: textsOf(service, synonyms, agency.text),
      agencyAliases: agency.aliases,
    };
  });
  const placesByWord = new Map<string, number[]>();
  for (const [place, { texts }] of services.entries()) {
    for (const [field, name] of fields.entries()) {
      for (const word of new Set(texts[name].split(/\s+/))) {
        if (word === '') continue;
        const places = placesByWord.get(word);
        if (places) places.push(place * 8 + field);
        else placesByWord.set(word, [place * 8 + field]);
      }
    }
  }
  const description = fields.indexOf('description');
  const places = [...placesByWord.values()].map((list) => Uint32Array.from(list));
  const words = [...placesByWord.keys()];
  const starts = new Uint32Array(words.length + 1);
  starts[0] = 1;
  for (const [at, word] of words.entries())
    starts[at + 1] = (starts[at] as number) + word.length + 1;
  return {
    services,
    words,
    places,
    joined: `\n${words.join('\n')}`,
    starts,
    isNaming: places.map((list) => list.some((each) => each % 8 !== description)),
    standing: {
      'ar-EG': standingIn(services, 'ar-EG'),
      'en-US': standingIn(services, 'en-US'),
      'ur-PK': standingIn(services, 'ur-PK'),
    },
  };
}
