import { expect, it } from 'vitest';
import { resolveParts } from './resolve-parts.ts';

const parts = new Map<string, unknown>([
  ['mobile', { name: 'mobile', kind: 'mobile', required: true }],
  [
    'person',
    [
      { name: 'isCitizen', kind: 'yesNo', required: true },
      {
        name: 'visa',
        kind: 'text',
        required: true,
        showWhen: {
          all: [
            { field: 'isCitizen', equals: false },
            { field: 'outside', equals: 'a' },
          ],
        },
      },
      { $ref: 'mobile' },
    ],
  ],
  ['yes', { 'en-US': 'Yes' }],
  ['one', [{ $ref: 'two' }]],
  ['two', { x: { $ref: 'one' } }],
]);

it('puts a part in the place of its reference, lists into lists, parts into parts', () => {
  expect(
    resolveParts({ title: { $ref: 'yes' }, fields: [{ name: 'a' }, { $ref: 'person' }] }, parts),
  ).toEqual({
    title: { 'en-US': 'Yes' },
    fields: [
      { name: 'a' },
      { name: 'isCitizen', kind: 'yesNo', required: true },
      (parts.get('person') as object[])[1],
      { name: 'mobile', kind: 'mobile', required: true },
    ],
  });
});

it('renames the fields of a part with their conditions, and adds what the reference says', () => {
  const showWhen = { field: 'outside', equals: 'b' };
  const [citizen, visa, mobile] = resolveParts(
    [{ $ref: 'person', prefix: 'wife', section: 'wife', showWhen }],
    parts,
  ) as Record<string, unknown>[];
  expect(citizen).toEqual({
    name: 'wifeIsCitizen',
    kind: 'yesNo',
    required: true,
    section: 'wife',
    showWhen,
  });
  expect(visa?.showWhen).toEqual({
    all: [
      {
        all: [
          { field: 'wifeIsCitizen', equals: false },
          { field: 'outside', equals: 'a' },
        ],
      },
      showWhen,
    ],
  });
  expect(mobile).toMatchObject({ name: 'wifeMobile', section: 'wife' });
  expect(resolveParts({ $ref: 'mobile', required: false }, parts)).toMatchObject({
    required: false,
  });
});

it('names a part that does not exist, a circle, and a list where one value belongs', () => {
  expect(() => resolveParts([{ $ref: 'nobody' }], parts)).toThrow('there is no part nobody');
  expect(() => resolveParts([{ $ref: 'one' }], parts)).toThrow(
    'the parts refer to each other: one -> two -> one',
  );
  expect(() => resolveParts({ step: { $ref: 'person' } }, parts)).toThrow(
    'the part person is a list, which fits only in a list',
  );
});
