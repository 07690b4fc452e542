import {
  administeredAgencies,
  agencyOfNew,
} from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency, type AgencyScope, type Caller } from '#platform/auth/caller.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { localize } from '#platform/core/localize.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  ChangedQuestion,
  getSearchTerms,
  getSynonyms,
  removeSearchQuestion,
  saveSearchQuestion,
  saveSynonyms,
  trySynonyms,
} from '@diwan/contract/catalogue/searches';
import type { BodyOf, QueryOf, ReplyOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { readTestQuestions, type TestQuestion } from '../services/search/test-questions.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import * as store from './searches.store.ts';

/** Who reads, and in which language. */
interface Reader {
  caller: Caller;
  language: Language;
}

const isWithin = (scope: AgencyScope, { agency }: { agency: { id: number } }) =>
  coversAgency({ scope }, agency.id);

type SearchResult = ReturnType<Catalogue['search']>;
type SynonymWords = Parameters<Catalogue['openTrial']>[0][number];

interface SearchesContext {
  database: Database;
  catalogue: Catalogue;
}

/** What people searched in the last days, with what it finds now of the services of the caller. */
export async function listTerms(
  { database, catalogue }: SearchesContext,
  { caller, language }: Reader,
  { Days, Only, Keyword, ...page }: QueryOf<typeof getSearchTerms>,
): Promise<ReplyOf<typeof getSearchTerms>> {
  const scope = administeredAgencies(caller);
  const countOf = (found: SearchResult) =>
    scope === 'all'
      ? found.count
      : found.take(0, found.count).filter((service) => isWithin(scope, service)).length;
  const { items, totalCount } = await store.selectTerms(database, {
    since: dayAfter(todayInDubai(), 1 - Days),
    only: Only,
    keyword: normalizeText(Keyword ?? ''),
    scope,
    page,
  });
  return {
    items: items.map(({ opened, ...row }) => ({
      text: row.text,
      language: row.language,
      searches: row.searches,
      openings: row.openings,
      results: countOf(catalogue.search(row.text, row.language)),
      opened: opened.flatMap(({ serviceId, openings }) => {
        const service = catalogue.findService(serviceId);
        return service ? [{ serviceId, name: localize(service.name, language), openings }] : [];
      }),
    })),
    pageNumber: page.PageNumber,
    totalCount,
  };
}

type SynonymChange = BodyOf<typeof saveSynonyms>;

/** The groups of synonyms of the caller, oldest first. */
export async function listSynonyms(
  database: Database,
  { caller, language }: Reader,
): Promise<ReplyOf<typeof getSynonyms>> {
  const rows = await store.selectSynonyms(database, administeredAgencies(caller));
  return rows.map(({ id, words, agencyId, agencyName }) => ({
    id,
    words,
    ...(agencyId !== null && agencyName
      ? { agency: { id: agencyId, name: localize(agencyName, language) } }
      : {}),
  }));
}

/** The words of a group, each once in any spelling. Throws ValidationFailed for fewer than two. */
function readWords(words: readonly string[]): string[] {
  const byMeaning = new Map(words.map((word) => [normalizeText(word), word.trim()]));
  byMeaning.delete('');
  if (byMeaning.size < 2) throw new ValidationRefusal([{ field: 'words', code: 'tooFewItems' }]);
  return [...byMeaning.values()];
}

function applyChange(
  groups: readonly (SynonymWords & { id: number })[],
  { id, words }: SynonymChange,
  agencyId: number | undefined,
): SynonymWords[] {
  const read = words && readWords(words);
  if (id === undefined)
    return [...groups, ...(read ? [{ words: read, agencyId: agencyId ?? null }] : [])];
  if (!groups.some((group) => group.id === id)) throw new Refusal('SynonymNotFound');
  return groups.flatMap((group) => {
    if (group.id !== id) return [group];
    return read ? [{ ...group, words: read }] : [];
  });
}

/**
 * The test searches of the product and of the administrators for services of these agencies, as far as
 * the services exist.
 */
async function readQuestions(
  { database, catalogue }: SearchesContext,
  scope: AgencyScope,
): Promise<TestQuestion[]> {
  const own = (await store.selectQuestions(database, scope)).flatMap((row): TestQuestion[] => {
    const service = catalogue.findService(row.service_id);
    return service
      ? [{ language: row.language, text: row.text, answers: [service.replacedName] }]
      : [];
  });
  const known = new Set(
    catalogue.list().flatMap((each) => (isWithin(scope, each) ? each.replacedName : [])),
  );
  return [...own, ...readTestQuestions()].filter(({ answers }) =>
    answers.some((answer) => known.has(answer)),
  );
}

/** Results beyond this place count as not found: nobody reads so far. */
const maximumPlace = 15;

/**
 * Compares the test searches of the caller with and without a change of the synonyms. The second index is built in
 * steps between other calls, and thrown away. Throws SynonymNotFound, ValidationFailed.
 */
export async function compareSynonyms(
  context: SearchesContext,
  { caller, language }: Reader,
  change: SynonymChange,
): Promise<ReplyOf<typeof trySynonyms>> {
  const { catalogue, database } = context;
  const agencyId =
    change.id === undefined ? await agencyOfNew(database, caller, change.agencyId) : undefined;
  const groups = applyChange(await store.selectSynonyms(database, 'all'), change, agencyId);
  const questions = await readQuestions(context, administeredAgencies(caller));
  const changed = await catalogue.openTrial(groups);
  const placeIn = (search: Catalogue['search'], { text, language: of, answers }: TestQuestion) =>
    search(text, of)
      .take(0, maximumPlace)
      .findIndex(({ replacedName }) => answers.includes(replacedName)) + 1;
  const differing: ChangedQuestion[] = [];
  for (const question of questions) {
    const before = placeIn(catalogue.search, question);
    const after = placeIn(changed, question);
    if (before !== after)
      differing.push({
        text: question.text,
        language: question.language,
        before,
        after,
        service: localize(catalogue.getServiceByName(question.answers[0] ?? '').name, language),
      });
    await new Promise(setImmediate);
  }
  const rank = (place: number) => (place === 0 ? maximumPlace + 1 : place);
  return {
    questions: questions.length,
    better: differing.filter(({ before, after }) => rank(after) < rank(before)),
    worse: differing.filter(({ before, after }) => rank(after) > rank(before)),
  };
}

const isEqual = (one: readonly string[], other: readonly string[] | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

async function lockKnown(transaction: Transaction, id: number, known: string[] | undefined) {
  const group = await store.lockSynonyms(transaction, id);
  if (!group) throw new Refusal('SynonymNotFound');
  if (!isEqual(group.words, known)) throw new Refusal('RecordHasChanged');
  return group;
}

const wordsField = (words: readonly string[] | undefined) => words && { words: words.join(', ') };

/**
 * Adds, changes or removes a group of synonyms. Throws SynonymNotFound, RecordHasChanged,
 * ValidationFailed; NotFound for an agency that is not there.
 */
export async function changeSynonyms(
  { database, catalogue }: SearchesContext,
  author: ChangeAuthor & { caller: Caller },
  { id, known, words: typed, agencyId: chosen }: SynonymChange,
): Promise<void> {
  const words = typed && readWords(typed);
  const agencyId =
    id === undefined ? await agencyOfNew(database, author.caller, chosen) : undefined;
  await inTransaction(database, async (transaction) => {
    const group = id === undefined ? undefined : await lockKnown(transaction, id, known);
    if (!group && !words) throw new ValidationRefusal([{ field: 'words', code: 'required' }]);
    const entityId =
      group?.id ?? (await store.insertSynonyms(transaction, words as string[], agencyId));
    if (group) await store.changeSynonyms(transaction, group.id, words);
    await recordChange(transaction, author, {
      entity: 'synonym',
      entityId,
      name: (words ?? group?.words ?? []).join(', '),
      action: !group ? 'created' : words ? 'changed' : 'deleted',
      before: wordsField(group?.words),
      after: wordsField(words),
    });
  });
  await afterCall(() => catalogue.refresh());
}

/** Makes a service popular or not. Throws ServiceNotFound. */
export async function changePopular(
  { database, catalogue }: SearchesContext,
  author: ChangeAuthor,
  { serviceId, isPopular }: { serviceId: number; isPopular: boolean },
): Promise<void> {
  const service = catalogue.getService(serviceId);
  await inTransaction(database, async (transaction) => {
    const ranks = await store.setPopular(transaction, serviceId, isPopular);
    if (!ranks) throw new Refusal('ServiceNotFound');
    await recordChange(transaction, author, {
      entity: 'service',
      entityId: serviceId,
      name: service.name,
      action: 'changed',
      before: { popularRank: ranks.before },
      after: { popularRank: ranks.after },
    });
  });
  await afterCall(() => catalogue.refresh());
}

/** The saved test searches of the caller with the names of their services. */
export async function listQuestions(
  { database, catalogue }: SearchesContext,
  { caller, language }: Reader,
) {
  return (await store.selectQuestions(database, administeredAgencies(caller))).flatMap((row) => {
    const service = catalogue.findService(row.service_id);
    return service
      ? [
          {
            id: row.id,
            language: row.language,
            text: row.text,
            serviceId: row.service_id,
            name: localize(service.name, language),
          },
        ]
      : [];
  });
}

/** Saves or removes a test search. Throws ServiceNotFound, NotFound. */
export async function changeQuestion(
  { database, catalogue }: SearchesContext,
  author: ChangeAuthor,
  change: BodyOf<typeof saveSearchQuestion> | BodyOf<typeof removeSearchQuestion>,
): Promise<void> {
  const service = 'id' in change ? undefined : catalogue.getService(change.serviceId);
  await inTransaction(database, async (transaction) => {
    const row =
      'id' in change
        ? await store.deleteQuestion(transaction, change.id)
        : await store.insertQuestion(transaction, {
            language: change.language,
            text: change.text,
            service_id: change.serviceId,
          });
    if (!row && !service) throw new Refusal('NotFound');
    // One that is saved already.
    if (!row) return;
    const fields = { text: row.text, language: row.language, serviceId: row.service_id };
    await recordChange(transaction, author, {
      entity: 'searchQuestion',
      entityId: row.id,
      name: row.text,
      ...(service ? { action: 'created', after: fields } : { action: 'deleted', before: fields }),
    });
  });
}
