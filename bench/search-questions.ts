// npm run bench -- search-questions: asks the search everything in api/search/questions.txt and prints the
// share answered first and among the first five, by language, with the questions that fail. With
// --seen the questions that are held back are neither listed nor counted. With --time it asks a
// catalogue of 10,000 services instead and prints how long an answer takes.
import { fileURLToPath } from 'node:url';
import { languages } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../api/src/features/services/catalogue-records.ts';
import { buildSearchIndex } from '../api/src/features/services/search/search-index.ts';
import { openServiceSearch } from '../api/src/features/services/search/service-search.ts';
import {
  readTestQuestions,
  type TestQuestion,
} from '../api/src/features/services/search/test-questions.actions.ts';
import { buildWordList, readWords } from '../api/src/features/services/search/word-list.ts';
import { readSeedFiles } from '../api/src/seed/seed-files.ts';

/** A question with the place of its first right answer; 0 without one. */
interface Answered extends TestQuestion {
  place: number;
  first: string | undefined;
}

/** The services of the demo data, without a database. */
export async function readDemoServices(): Promise<CatalogueService[]> {
  const { agencies, services } = await readSeedFiles();
  const agencyBySlug = new Map(
    agencies.map((agency, index) => [agency.slug, { ...agency, id: index + 1, logo: '' }]),
  );
  return services
    .map(({ agency, service }, index) => ({
      ...service,
      id: index + 1,
      agency: agencyBySlug.get(agency),
      category: { id: 1 },
      accountTypeIds: [1],
      popularRank: service.popularRank ?? null,
    }))
    .toSorted(
      (a, b) => (a.popularRank ?? 1e9) - (b.popularRank ?? 1e9),
    ) as unknown as CatalogueService[];
}

/** Asks the search of the demo services each question. */
export async function askQuestions(questions: readonly TestQuestion[]): Promise<Answered[]> {
  const search = openServiceSearch(
    buildSearchIndex(await readDemoServices(), buildWordList(readWords())),
  );
  return questions.map((question) => {
    const found = search(question.text, question.language).take(0, 1000);
    const names = found.map(({ replacedName }) => replacedName);
    return {
      ...question,
      place: names.findIndex((name) => question.answers.includes(name)) + 1,
      first: names[0],
    };
  });
}

/** The share of questions with a right answer among the first `among`, in per cent. */
export function shareAnswered(answered: readonly Answered[], among: number): number {
  const right = answered.filter(({ place }) => place > 0 && place <= among);
  return (100 * right.length) / answered.length;
}

async function printAnswers(): Promise<void> {
  const isSeenOnly = process.argv.includes('--seen');
  const answered = await askQuestions(
    readTestQuestions().filter(({ isHeldBack }) => !(isSeenOnly && isHeldBack)),
  );
  const groups: [string, Answered[]][] = [
    ...languages.map((language): [string, Answered[]] => [
      language,
      answered.filter((each) => each.language === language),
    ]),
    ['all', answered],
    ['held back', answered.filter(({ isHeldBack }) => isHeldBack)],
  ];
  for (const each of answered)
    if (each.place !== 1)
      console.log(
        `${each.language} ${each.place || '–'} ${each.text} -> ${each.first ?? 'nothing'}`,
      );
  for (const [name, group] of groups)
    if (group.length > 0)
      console.log(
        `${name}: ${group.length} questions, first ${shareAnswered(group, 1).toFixed(1)} %, ` +
          `among five ${shareAnswered(group, 5).toFixed(1)} %`,
      );
}

/** The demo services, repeated under new names. */
function repeatServices(services: readonly CatalogueService[], size: number): CatalogueService[] {
  return Array.from({ length: size }, (_, place) => {
    const service = services[place % services.length] as CatalogueService;
    const round = Math.floor(place / services.length);
    if (round === 0) return service;
    const name = { ...service.name };
    for (const language of languages) name[language] = `${name[language]} ${round}`;
    return { ...service, id: place + 1, replacedName: `${service.replacedName}-${round}`, name };
  });
}

/** Asks each question five times, after one round that is not counted; a page of five is read. */
async function printTimes(): Promise<void> {
  const services = repeatServices(await readDemoServices(), 10_000);
  const search = openServiceSearch(buildSearchIndex(services, buildWordList(readWords())));
  const questions = readTestQuestions();
  const times: number[] = [];
  for (let round = 0; round <= 5; round += 1)
    for (const { text, language } of questions) {
      const start = performance.now();
      search(text, language).take(0, 5);
      if (round > 0) times.push(performance.now() - start);
    }
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(share * times.length)]?.toFixed(2);
  console.log(
    `${services.length} services, ${times.length} answers: p50 ${percentile(0.5)} ms, ` +
      `p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await (process.argv.includes('--time') ? printTimes() : printAnswers());
