import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueAgency, CatalogueService } from '../catalogue-records.ts';
import { normalizeForSearch, aliasesOf, synonymsOf } from './search-words.ts';

/**
 * The searchable fields of a service: a name in each language, the name in addresses, synonyms,
 * agency, description. A search stores two bits for each: the quality of the match.
 */
export const fields = [...languages, 'replacedName', 'synonyms', 'agency', 'description'] as const;
export type Field = (typeof fields)[number];

/** The quality of a match in a field; greater is better. */
export const matchQuality = { none: 0, stem: 1, partOfWord: 2, startOfWord: 3 } as const;

/**
 * A service with its texts normalised for search. Each text begins with a space, so that ` x` finds
 * the words that begin with x.
 */
export interface IndexedService {
  service: CatalogueService;
  texts: Record<Field, string>;
  /** Other names of its agency, such as an abbreviation. */
  agencyAliases: ReadonlySet<string>;
}

/**
 * The words of the catalogue and where they occur. A query word that occurs in a text occurs within
 * one of the text's words. Ten thousand services have only some thousands of distinct words, so it
 * is enough to search these.
 */
export interface SearchIndex {
  services: readonly IndexedService[];
  /**
   * The distinct words, and the occurrences of each: the index of the service in `services` times
   * eight, plus the index of the field in `fields`.
   */
  words: readonly string[];
  occurrences: readonly Uint32Array[];
  /**
   * All words in one string, each after a line break, and the position of each; the last position
   * is the end of the string.
   */
  joinedWords: string;
  wordStarts: Uint32Array;
  /** Whether a word occurs in any field other than the description. */
  isOutsideDescriptions: readonly boolean[];
  ties: Record<Language, Ties>;
}

/** The order of services with an equal score: popular ones first, then by the length of the name. */
interface Ties {
  /** The rank of each service. */
  tieOrder: Uint32Array;
  /** The service of each rank. */
  serviceAt: Uint32Array;
}

const withSpace = (text: string) => ` ${text}`;

interface AgencyTexts {
  text: string;
  aliases: ReadonlySet<string>;
}

function describeAgency(
  agency: CatalogueAgency,
  synonyms: readonly (readonly string[])[],
): AgencyTexts {
  const names = Object.values(agency.name).map(normalizeForSearch);
  const aliases = aliasesOf(names, synonyms);
  return { text: [...names, ...aliases].map(withSpace).join('\n'), aliases: new Set(aliases) };
}

/** `synonyms` as `normalizeSynonyms` returns them. */
function textsOf(
  service: CatalogueService,
  synonyms: readonly (readonly string[])[],
  agency: string,
): Record<Field, string> {
  const names = languages.map((language) => normalizeForSearch(service.name[language]));
  const [arabic = '', english = '', urdu = ''] = names.map(withSpace);
  return {
    'ar-EG': arabic,
    'en-US': english,
    'ur-PK': urdu,
    replacedName: withSpace(normalizeForSearch(service.replacedName)),
    synonyms: synonymsOf(names, synonyms).map(withSpace).join('\n'),
    agency,
    description: Object.values(service.description)
      .map((text) => withSpace(normalizeForSearch(text)))
      .join('\n'),
  };
}

function tiesIn(services: readonly IndexedService[], language: Language): Ties {
  const rank = ({ service }: IndexedService) => service.popularRank ?? Number.MAX_SAFE_INTEGER;
  const order = services
    .map((indexed, place) => ({ indexed, place, length: indexed.texts[language].length }))
    .sort(
      (a, b) =>
        rank(a.indexed) - rank(b.indexed) ||
        a.length - b.length ||
        a.indexed.service.id - b.indexed.service.id,
    );
  const tieOrder = new Uint32Array(services.length);
  for (const [index, { place }] of order.entries()) tieOrder[place] = index;
  return { tieOrder, serviceAt: Uint32Array.from(order, ({ place }) => place) };
}

/** Builds the index once for all searches. `synonyms` as `normalizeSynonyms` returns them. */
export function buildSearchIndex(
  catalogue: readonly CatalogueService[],
  synonyms: readonly (readonly string[])[] = [],
): SearchIndex {
  const textsOfAgencies = new Map<CatalogueAgency, AgencyTexts>();
  const services = catalogue.map((service) => {
    const agency = textsOfAgencies.get(service.agency) ?? describeAgency(service.agency, synonyms);
    textsOfAgencies.set(service.agency, agency);
    return {
      service,
      texts: textsOf(service, synonyms, agency.text),
      agencyAliases: agency.aliases,
    };
  });
  const occurrencesByWord = new Map<string, number[]>();
  for (const [place, { texts }] of services.entries()) {
    for (const [field, name] of fields.entries()) {
      for (const word of new Set(texts[name].split(/\s+/))) {
        if (word === '') continue;
        const occurrences = occurrencesByWord.get(word);
        if (occurrences) occurrences.push(place * 8 + field);
        else occurrencesByWord.set(word, [place * 8 + field]);
      }
    }
  }
  const description = fields.indexOf('description');
  const occurrences = [...occurrencesByWord.values()].map((list) => Uint32Array.from(list));
  const words = [...occurrencesByWord.keys()];
  const wordStarts = new Uint32Array(words.length + 1);
  wordStarts[0] = 1;
  for (const [at, word] of words.entries())
    wordStarts[at + 1] = (wordStarts[at] as number) + word.length + 1;
  return {
    services,
    words,
    occurrences,
    joinedWords: `\n${words.join('\n')}`,
    wordStarts,
    isOutsideDescriptions: occurrences.map((list) => list.some((each) => each % 8 !== description)),
    ties: {
      'ar-EG': tiesIn(services, 'ar-EG'),
      'en-US': tiesIn(services, 'en-US'),
      'ur-PK': tiesIn(services, 'ur-PK'),
    },
  };
}
