// npm run search:questions: asks the search everything in api/search/questions.txt and prints the
// share answered first and among the first five, by language, with the questions that fail. With
// --seen the questions that are held back are neither listed nor counted.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../api/src/features/services/catalogue-records.ts';
import { buildSearchIndex } from '../api/src/features/services/search/search-index.ts';
import { buildWordList, readWords } from '../api/src/features/services/search/word-list.ts';
import { openServiceSearch } from '../api/src/features/services/search/service-search.ts';
import { readSeedFiles } from '../api/src/seed/seed-files.ts';

/** A question; each of `answers` (names in addresses) is a right first answer. */
export interface Question {
  language: Language;
  text: string;
  answers: string[];
  /** Kept back from those who extend the list of words. */
  isHeldBack: boolean;
}

/** A question with the place of its first right answer; 0 without one. */
export interface Answered extends Question {
  place: number;
  first: string | undefined;
}

/** Reads the questions. Throws with the line for a text that is none. */
export function readQuestions(): Question[] {
  const text = readFileSync(new URL('../api/search/questions.txt', import.meta.url), 'utf8');
  const sets = new Map<string, string[]>();
  const questions: Question[] = [];
  let language: Language | undefined;
  let inLanguage = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const heading = languages.find((each) => line === `[${each}]`);
    if (heading) {
      [language, inLanguage] = [heading, 0];
      continue;
    }
    const [left = '', right = ''] = line.split(' = ');
    const answers = right
      .split(', ')
      .flatMap((name) => (name.startsWith('@') ? (sets.get(name) ?? []) : [name]))
      .filter(Boolean);
    if (answers.length === 0) throw new Error(`questions.txt:${index + 1}: no answer`);
    if (left.startsWith('@')) sets.set(left, answers);
    else if (language) {
      inLanguage += 1;
      questions.push({ language, text: left, answers, isHeldBack: inLanguage % 3 === 0 });
    } else throw new Error(`questions.txt:${index + 1}: a question before its language`);
  }
  return questions;
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
export async function askQuestions(questions: readonly Question[]): Promise<Answered[]> {
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
    readQuestions().filter(({ isHeldBack }) => !(isSeenOnly && isHeldBack)),
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await printAnswers();
