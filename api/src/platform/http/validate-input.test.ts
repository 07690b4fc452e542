import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ValidationRefusal } from '../core/refusals.ts';
import { sanitizeInput, validateInput } from './validate-input.ts';

const issuesOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof ValidationRefusal) return error.issues;
    throw error;
  }
  return [];
};
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((value) => [value], 'x');

describe('sanitizeInput', () => {
  it('brings texts and keys to NFC and leaves other values as they are', () => {
    expect(sanitizeInput({ 'e\u0301': ['e\u0301', 7, null, true] })).toEqual({
      é: ['é', 7, null, true],
    });
  });

  it.each([
    ['a NUL', 'a\u0000'],
    ['a lone surrogate', '\ud800'],
    ['more marks on one letter than any language needs', `a${'\u0301'.repeat(65)}`],
  ])('refuses %s and names the field', (_what, text) => {
    expect(issuesOf(() => sanitizeInput({ answers: { name: text } }))).toEqual([
      { field: 'answers.name', code: 'unreadableText' },
    ]);
  });

  it('refuses a value that is too deep or too large, and names the field of the form', () => {
    const refused = [{ field: 'answers.list', code: 'wrongType' }];
    const answers = (list: unknown) => ({ answers: { list } });
    expect(issuesOf(() => sanitizeInput(answers(nested(11))))).toEqual(refused);
    expect(issuesOf(() => sanitizeInput(answers(Array(5001).fill(1))))).toEqual(refused);
    expect(issuesOf(() => sanitizeInput(answers(nested(9))))).toEqual([]);
  });
});

it('validateInput maps the issues of a schema to codes by field', () => {
  const schema = z.strictObject({
    name: z.string().min(1),
    code: z.string().min(3).max(5),
    count: z.int().min(1).max(9),
    kind: z.enum(['a', 'b']),
  });
  expect(validateInput(undefined, { any: 'thing' })).toBeUndefined();
  expect(validateInput(schema, { name: 'n', code: 'abc', count: 1, kind: 'a' })).toEqual({
    name: 'n',
    code: 'abc',
    count: 1,
    kind: 'a',
  });
  const refused = { name: '', code: 'ab', count: 10, kind: 'c', extra: 1 };
  expect(issuesOf(() => validateInput(schema, refused))).toEqual([
    { field: 'name', code: 'whitespace' },
    { field: 'code', code: 'tooShort', params: { minimum: 3 } },
    { field: 'count', code: 'tooLarge', params: { maximum: 9 } },
    { field: 'kind', code: 'notAllowed' },
    { field: 'body', code: 'unknownField' },
  ]);
  expect(issuesOf(() => validateInput(schema, { code: 'abc', count: 0, kind: 'a' }))).toEqual([
    { field: 'name', code: 'required' },
    { field: 'count', code: 'tooSmall', params: { minimum: 1 } },
  ]);
  expect(
    issuesOf(() => validateInput(schema, { name: 7, code: null, count: 'x', kind: 'a' })),
  ).toEqual([
    { field: 'name', code: 'wrongType' },
    { field: 'code', code: 'required' },
    { field: 'count', code: 'wrongType' },
  ]);
  const number = z.object({ serviceId: z.coerce.number().int() });
  expect(issuesOf(() => validateInput(number, { serviceId: 'abc' }))).toEqual([
    { field: 'serviceId', code: 'wrongType' },
  ]);
});
