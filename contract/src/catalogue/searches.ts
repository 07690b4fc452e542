import { z } from 'zod';
import { agencyContentReaders, agencyEditors, defineCall, editors } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';
import { languages } from '../wire/languages.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** The longest text of a search that is counted, in characters. */
export const maximumSearchLength = 80;

const language = z.enum(languages);
const named = z.object({ serviceId: z.int(), name: z.string() });
const words = z.array(z.string().trim().min(1).max(80)).min(2).max(40);

/** Our own calls: the specification does not show how search is looked after. See docs/unknowns.md. */
export const recordSearch = defineCall({
  name: 'recordSearch',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Service/RecordSearch',
  who: 'anyone',
  summary:
    'Count a search, or a service that was opened from it; nothing about the person is stored',
  body: z.object({
    text: z.string().max(400),
    /** The service that was opened; missing for the search itself. */
    serviceId: recordId.optional(),
  }),
  reply: z.object({}),
  refusals: ['TooManyRequests'],
});

/**
 * A text with how often it was searched, what it finds now, and what people opened. An agency
 * administrator gets those from which one of their services was opened, and frequent ones that found
 * nothing; results and openings are of their services.
 */
export const searchTerm = z.object({
  text: z.string(),
  language,
  searches: z.int(),
  results: z.int(),
  openings: z.int(),
  /** At most three, the most opened first. */
  opened: z.array(named.extend({ openings: z.int() })),
});
export type SearchTerm = z.infer<typeof searchTerm>;

/** What the list of searches can be limited to: found nothing; found something that nobody opened. */
export const searchSelections = ['nothing', 'unopened'] as const;

export const getSearchTerms = defineCall({
  name: 'getSearchTerms',
  method: 'GET',
  path: '/api/Service/GetSearchTerms',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'What people searched in the last days, the most frequent first',
  query: z.object({
    Days: z.coerce.number().int().min(1).max(400).default(30),
    Only: z.enum(searchSelections).optional(),
    Keyword: z.string().max(100).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(searchTerm),
  refusals: [],
});

/** A group of words that mean the same in search; for the services of an agency, or for all. */
export const synonymGroup = z.object({
  id: z.int(),
  words: z.array(z.string()),
  agency: z.object({ id: z.int(), name: z.string() }).optional(),
});
export type SynonymGroup = z.infer<typeof synonymGroup>;

export const getSynonyms = defineCall({
  name: 'getSynonyms',
  method: 'GET',
  path: '/api/Service/GetSynonyms',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The groups of synonyms that administrators have added',
  reply: z.array(synonymGroup),
  refusals: [],
});

/**
 * A change of the groups: without `id` a new one, without `words` the end of one. `known`: the words
 * that were read, for a group that exists. `agencyId`: of a new group for the services of one agency,
 * as those of an agency administrator are; who has several chooses. A group keeps its agency.
 */
const synonymChange = z.object({
  id: recordId.optional(),
  known: z.array(z.string().max(80)).max(40).optional(),
  words: words.optional(),
  agencyId: recordId.optional(),
});

/** A test search whose place of the right service changes; place 0 is not found. */
export const changedQuestion = z.object({
  text: z.string(),
  language,
  before: z.int().min(0),
  after: z.int().min(0),
  service: z.string(),
});
export type ChangedQuestion = z.infer<typeof changedQuestion>;

export const trySynonyms = defineCall({
  name: 'trySynonyms',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Service/TrySynonyms',
  who: agencyEditors,
  byAgency: { agency: 'agencyId', synonyms: 'id' },
  summary: 'The effect of a change of synonyms on the test searches; nothing is stored',
  body: synonymChange,
  reply: z.object({
    questions: z.int(),
    better: z.array(changedQuestion),
    worse: z.array(changedQuestion),
  }),
  refusals: ['NotFound', 'SynonymNotFound', 'ValidationFailed'],
});

export const saveSynonyms = defineCall({
  name: 'saveSynonyms',
  method: 'POST',
  path: '/api/Service/SaveSynonyms',
  who: agencyEditors,
  byAgency: { agency: 'agencyId', synonyms: 'id' },
  summary: 'Add, change or remove a group of synonyms; answers every group of the caller',
  body: synonymChange,
  reply: z.array(synonymGroup),
  refusals: ['NotFound', 'SynonymNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

export const markPopular = defineCall({
  name: 'markPopular',
  method: 'POST',
  path: '/api/Service/MarkPopular',
  who: editors,
  summary: 'Make a service the last of the popular ones, or an ordinary one',
  body: z.object({ serviceId: recordId, isPopular: z.boolean() }),
  reply: z.object({ serviceId: z.int(), isPopular: z.boolean() }),
  refusals: ['ServiceNotFound'],
});

/** A test search of an administrator: the service is a right first answer. */
export const savedQuestion = named.extend({ id: z.int(), language, text: z.string() });

export const getSearchQuestions = defineCall({
  name: 'getSearchQuestions',
  method: 'GET',
  path: '/api/Service/GetSearchQuestions',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The test searches that administrators have saved',
  reply: z.array(savedQuestion),
  refusals: [],
});

export const saveSearchQuestion = defineCall({
  name: 'saveSearchQuestion',
  method: 'POST',
  path: '/api/Service/SaveSearchQuestion',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Save a test search; answers all of the caller',
  body: z.object({
    language,
    text: z.string().trim().min(1).max(maximumSearchLength),
    serviceId: recordId,
  }),
  reply: z.array(savedQuestion),
  refusals: ['ServiceNotFound', 'ValidationFailed'],
});

export const removeSearchQuestion = defineCall({
  name: 'removeSearchQuestion',
  method: 'POST',
  path: '/api/Service/RemoveSearchQuestion',
  who: agencyEditors,
  byAgency: { searchQuestion: 'id' },
  summary: 'Remove a test search; answers all of the caller',
  body: z.object({ id: recordId }),
  reply: z.array(savedQuestion),
  refusals: ['NotFound'],
});
