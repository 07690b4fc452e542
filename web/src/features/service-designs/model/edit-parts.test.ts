import { expect, it } from 'vitest';
import { readCondition, writeCondition } from '#ui/designs/condition-nodes.ts';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { checkAnswers } from '@diwan/contract/forms/check-answers';
import { isConditionMet, type Condition } from '@diwan/contract/forms/form-conditions';
import { singleKinds } from '@diwan/contract/forms/forms';
import { fieldsBefore, findPart, getAt } from './document-parts.ts';
import {
  addField,
  addSection,
  changeKind,
  duplicatePart,
  nameFromTitle,
  removePart,
  renameField,
  renameOption,
} from './edit-parts.ts';
import { movePart, movePartOnto } from './move-parts.ts';
import { listRows } from './outline-rows.ts';
import { makeTestAnswers } from './test-answers.ts';

const text = (english: string) => ({ 'ar-EG': english, 'en-US': english, 'ur-PK': english });
const field = (name: string, more: object = {}) => ({
  name,
  kind: 'text' as const,
  title: text(name),
  required: true,
  ...more,
});
const options = ['a', 'b'].map((value) => ({ const: value, title: text(value) }));
const document: DraftDocument = {
  replacedName: 'extract',
  name: text('Extract'),
  description: text('An extract'),
  agencyId: 1,
  categoryId: 1,
  accountTypeIds: [1],
  form: {
    steps: [
      {
        name: 'one',
        title: text('One'),
        sections: [
          { name: 'home', title: text('Home') },
          { name: 'work', title: text('Work') },
        ],
        fields: [
          field('first', { kind: 'choice', oneOf: options }),
          field('street', { section: 'home' }),
          field('city', { section: 'home', showWhen: { field: 'first', equals: 'a' } }),
        ],
      },
      { name: 'two', title: text('Two'), fields: [field('last', { section: undefined })] },
    ],
  },
  attachments: [],
  eligibility: [],
  fees: [
    { name: 'fee', title: text('Fee'), amount: 1, vatRate: 0, when: { field: 'first', in: ['a'] } },
  ],
  terms: text('Terms'),
  steps: [text('Send')],
  result: text('Result'),
  issuesDocument: false,
  withdrawal: { beforeWork: 'full', afterWork: 'part' },
  objectionDays: 30,
  workingDays: 3,
  workflowId: null,
  availableFrom: null,
  availableUntil: null,
};

const order = ({ form }: DraftDocument) =>
  form.steps.map(({ fields }) =>
    fields.map(({ name, section }) => (section ? `${section}/${name}` : name)).join(' '),
  );

it('moves a question through sections and steps, one line at a time, and back the same way', () => {
  let edited = { document, place: 'form.steps.0.fields.0' };
  const seen: string[][] = [];
  for (const by of [1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1] as const) {
    edited = movePart(edited.document, edited.place, by) ?? edited;
    seen.push(order(edited.document));
  }
  const down = [
    ['home/first home/street home/city', 'last'],
    ['home/street home/first home/city', 'last'],
    ['home/street home/city home/first', 'last'],
    ['home/street home/city first', 'last'],
    ['home/street home/city work/first', 'last'],
    ['home/street home/city', 'first last'],
    ['home/street home/city', 'last first'],
  ];
  expect(seen.slice(0, 7)).toEqual(down);
  expect(seen[12]).toEqual(['first home/street home/city', 'last']);
  expect(movePart(document, 'form.steps.1.fields.0', 1)).toBeUndefined();
});

it('drops a question on another one, a section and a step; other parts stay in their list', () => {
  const dropped = (place: string, onto: string) =>
    order(movePartOnto(document, place, onto)?.document ?? document);
  expect(dropped('form.steps.0.fields.0', 'form.steps.0.fields.2')).toEqual([
    'home/street home/city home/first',
    'last',
  ]);
  expect(dropped('form.steps.1.fields.0', 'form.steps.0.sections.0')).toEqual([
    'first home/last home/street home/city',
    '',
  ]);
  expect(dropped('form.steps.0.fields.0', 'form.steps.1')).toEqual([
    'home/street home/city',
    'first last',
  ]);
  expect(movePartOnto(document, 'fees.0', 'form.steps.1')).toBeUndefined();
});

it('adds behind the selected part, duplicates under new names and removes', () => {
  const added = addField(document, 'form.steps.0.fields.1', 'group');
  expect(order(added.document)[0]).toBe('first home/street home/question1 home/city');
  const copy = duplicatePart(added.document, added.place);
  expect(getAt(copy.document, copy.place)).toMatchObject({
    name: 'question3',
    fields: [{ name: 'question4' }],
  });
  const step = duplicatePart(document, 'form.steps.0');
  expect(getAt(step.document, step.place)).toMatchObject({
    name: 'one1',
    fields: [{ name: 'first1' }, {}, { showWhen: { field: 'first1', equals: 'a' } }],
  });
  expect(order(removePart(document, 'form.steps.0.sections.0').document)[0]).toBe(
    'first street city',
  );
  expect(removePart(document, 'fees.0').place).toBe('fees');
  const section = addSection(document, 'form.steps.1');
  expect(order(addField(section.document, section.place, 'text').document)[1]).toBe(
    'last section1/question1',
  );
});

it('renames a question and a choice where they are used', () => {
  const renamed = renameField(document, 'form.steps.0.fields.0', 'begin');
  expect(renamed.fees[0]?.when).toEqual({ field: 'begin', in: ['a'] });
  expect(renamed.form.steps[0]?.fields[2]?.showWhen).toEqual({ field: 'begin', equals: 'a' });
  const chosen = renameOption(document, 'form.steps.0.fields.0', { index: 0, value: 'yes' });
  expect(chosen.fees[0]?.when).toEqual({ field: 'first', in: ['yes'] });
  expect(chosen.form.steps[0]?.fields[2]?.showWhen).toEqual({ field: 'first', equals: 'yes' });
  expect(nameFromTitle('What is the 1st day?')).toBe('whatIsThe1stDay');
  const first = document.form.steps[0]?.fields[0];
  expect(first && changeKind(document, first, 'date')).not.toHaveProperty('oneOf');
});

it('names the part of a problem, and the questions that a condition can refer to', () => {
  expect(findPart('form.steps.0.fields.2.oneOf.1.title')).toEqual({
    place: 'form.steps.0.fields.2',
    property: 'oneOf.1.title',
  });
  expect(findPart('form.steps.0.fields.2.fields.1.name').place).toBe(
    'form.steps.0.fields.2.fields.1',
  );
  expect(findPart('form.steps.0.sections.1')).toEqual({
    place: 'form.steps.0.sections.1',
    property: '',
  });
  expect(findPart('workingDays')).toEqual({ place: 'outcome', property: 'workingDays' });
  const names = (place: string) => fieldsBefore(document, place).map(({ name }) => name);
  expect(names('form.steps.0.fields.2')).toEqual(['first', 'street']);
  expect(names('form.steps.0.sections.0')).toEqual(['first']);
  expect(names('fees.0')).toHaveLength(4);
  const rows = listRows(document, new Set(['form.steps.1'])).map(({ name, level }) => [
    level,
    name,
  ]);
  expect(rows.slice(3, 10)).toEqual([
    [2, 'one'],
    [3, 'first'],
    [3, 'home'],
    [4, 'street'],
    [4, 'city'],
    [3, 'work'],
    [2, 'two'],
  ]);
});

const conditions: Condition[] = [
  { field: 'first', equals: 'a' },
  { not: { field: 'first', in: ['a', 'b'] } },
  { field: 'count', minimum: 1, maximum: 3 },
  { field: 'count', minimum: 2, equals: 2 },
  { field: 'day', formatMinimum: 'today-3', formatMaximum: 'today+3' },
  { all: [{ field: 'first', answered: false }, { any: [{ field: 'count', maximum: 1 }] }] },
  {
    not: {
      all: [
        { field: 'first', equals: 'a' },
        { field: 'count', equals: 2 },
      ],
    },
  },
  { not: { any: [{ field: 'first', equals: 'b' }, { not: { field: 'count', equals: 2 } }] } },
  { not: { field: 'count', minimum: 2 } },
];

it('shows every condition as sentences that mean the same', () => {
  for (const condition of conditions) {
    const written = writeCondition(readCondition(condition));
    for (const first of ['a', 'b', undefined])
      for (const count of [1, 2, 4, undefined])
        for (const day of ['2026-11-24', '2026-12-24', undefined]) {
          const valueOf = (name: string) => ({ first, count, day })[name];
          expect(
            written && isConditionMet(written, valueOf, '2026-11-24'),
            JSON.stringify(condition),
          ).toBe(isConditionMet(condition, valueOf, '2026-11-24'));
        }
  }
});

it('makes test answers within the limits of every kind of question', () => {
  const kinds = singleKinds.map((kind) =>
    field(kind, { kind, ...(kind.startsWith('choice') ? { oneOf: options } : {}) }),
  );
  const form = {
    steps: [
      {
        name: 'all',
        title: text('All'),
        fields: [
          ...kinds,
          field('group1', {
            kind: 'group',
            minItems: 2,
            fields: kinds.map((each) => ({ ...each, name: `in${each.name}` })),
          }),
          field('code', { pattern: '[A-Z]{2}[0-9]{4}' }),
          field('long', { minLength: 30, maxLength: 40 }),
          field('count', { kind: 'number', minimum: 5, maximum: 7 }),
          field('later', { kind: 'date', formatMinimum: 'today+3' }),
          field('born', { kind: 'date', formatMaximum: 'today-6570' }),
        ],
      },
    ],
  };
  const answers = makeTestAnswers(form, '2026-11-24', 'Test answer');
  expect(checkAnswers(form, answers, '2026-11-24').issues).toEqual([]);
});
