import { readFileSync } from 'node:fs';
import { languages, type Language } from '@diwan/contract/wire/languages';

/** A question; each of `answers` (names in addresses) is a right first answer. */
export interface TestQuestion {
  language: Language;
  text: string;
  answers: string[];
  /** Kept back from those who extend the list of words. */
  isHeldBack?: boolean;
}

const questionsFile = new URL('../../../../search/questions.txt', import.meta.url);

/** Reads the questions. Throws with the line for a text that is none. */
export function readTestQuestions(): TestQuestion[] {
  const text = readFileSync(questionsFile, 'utf8');
  const sets = new Map<string, string[]>();
  const questions: TestQuestion[] = [];
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
