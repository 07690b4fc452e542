import { expect, test } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { buildSearchIndex } from '../api/src/features/services/search/search-index.ts';
import { openServiceSearch } from '../api/src/features/services/search/service-search.ts';
import { readTestQuestions } from '../api/src/features/services/search/test-questions.actions.ts';
import { buildWordList, readWords } from '../api/src/features/services/search/word-list.ts';
import { askQuestions, readDemoServices, shareAnswered } from './search-questions.ts';

test.each(languages)('the questions of people are answered (%s)', async (language) => {
  const answered = await askQuestions(
    readTestQuestions().filter((each) => each.language === language),
  );
  expect(answered.length).toBeGreaterThan(100);
  expect(shareAnswered(answered, 1)).toBeGreaterThan(92);
  expect(shareAnswered(answered, 5)).toBeGreaterThan(98);
});

test('the questions that are held back are answered', async () => {
  const answered = await askQuestions(readTestQuestions().filter(({ isHeldBack }) => isHeldBack));
  expect(shareAnswered(answered, 1)).toBeGreaterThan(90);
  expect(shareAnswered(answered, 5)).toBeGreaterThan(98);
});

test.each(languages)('each service is the first that its own name finds (%s)', async (language) => {
  const services = await readDemoServices();
  const search = openServiceSearch(buildSearchIndex(services, buildWordList(readWords())));
  const others = services.flatMap(({ name }) => {
    const [first] = search(name[language], language).take(0, 1);
    return first?.name[language] === name[language] ? [] : [name[language], first?.name[language]];
  });
  expect(others).toEqual([]);
});
