import { expect, test } from 'vitest';
import { buildWordList, readWords } from './word-list.ts';

test.each([
  ['a group before its section', 'car: vehicle', 'words.txt:1: a group before its section'],
  ['an unknown section', '[cars]', 'words.txt:1: there is no section [cars]'],
  ['a line that is no group', '[things]\ncar vehicle', 'words.txt:2: a group is'],
  ['a group without phrases', '[things]\ncar: ,', 'words.txt:2: a group is'],
  [
    'a group that is there twice',
    '[things]\ncar: car\ncar: auto',
    'words.txt:3: the group car is there twice',
  ],
  [
    'a phrase in two groups, in another inflection',
    '[things]\ncar: cars\n# comment\nbus: the car\n[ignored]\nthe',
    'words.txt:4: “the car” is in line 2 too',
  ],
  [
    'a phrase of ignored words',
    '[things]\ncar: the\n[ignored]\nthe',
    'words.txt:2: “the” consists of ignored words',
  ],
  ['a phrase without words', '[things]\ncar: !!', 'words.txt:2: “!!” has no words'],
  ['a rule without a right side', '[rules]\na + b', 'words.txt:2: a rule is'],
  ['a rule with an unknown group', '[rules]\na = b', 'words.txt:2: there is no group a'],
])('%s is refused with its line', (_, text, message) => {
  expect(() => buildWordList(text)).toThrow(message);
});

test('the shipped list is valid, and its longest phrases win', () => {
  const list = buildWordList(readWords());
  const named = (text: string) =>
    list.segment(text.split(' ')).map(({ concept }) => list.concepts[concept ?? -1]?.name);
  expect(named('golden visa')).toEqual(['golden-residence']);
  expect(named('visa golden')).toEqual(['visa', undefined]);
  expect(list.concepts.length).toBeGreaterThan(150);
});
