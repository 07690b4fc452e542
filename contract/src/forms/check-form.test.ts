import { describe, expect, it } from 'vitest';
import { checkForm } from './check-form.ts';
import { findPatternProblem } from './safe-pattern.ts';

const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
type Loose = Record<string, unknown>;
const field = (name: string, more: Loose = {}): Loose => ({
  name,
  kind: 'text',
  title,
  required: true,
  ...more,
});
const formOf = (...fields: Loose[]): Loose => ({ steps: [{ name: 'only', title, fields }] });
const yesNo = (name: string, more: Loose = {}) => field(name, { kind: 'yesNo', ...more });
const group = (more: Loose = {}) =>
  field('members', { kind: 'group', itemTitle: title, fields: [field('fullName')], ...more });

describe('refuses an invalid form with one line', () => {
  it.each<[string, Loose, string]>([
    [
      'a condition on nothing',
      formOf(field('a', { showWhen: { field: 'b', equals: 'x' } })),
      'field a has a condition on b, which the form does not have',
    ],
    [
      'a condition on a later field',
      formOf(yesNo('a', { showWhen: { field: 'b', equals: true } }), yesNo('b')),
      'field a has a condition on b, which does not come before it',
    ],
    [
      'a condition that says nothing',
      formOf(field('a', { showWhen: {} })),
      'field a has a condition that says nothing',
    ],
    [
      'a condition on an empty text',
      formOf(field('a'), field('b', { showWhen: { field: 'a', equals: '' } })),
      'field b has a condition on a that compares nothing',
    ],
    [
      'a value that cannot be',
      formOf(yesNo('a'), field('b', { showWhen: { field: 'a', equals: 'yes' } })),
      'field b has a condition on a that compares it with "yes", which it can never be',
    ],
    [
      'a number of a text',
      formOf(field('a'), field('b', { requiredWhen: { field: 'a', minimum: 1 }, required: false })),
      'field b has a condition on a with a number, and a is none',
    ],
    [
      'a pattern that does not compile',
      formOf(field('a', { pattern: '[a' })),
      'field a has a pattern that does not compile: [a',
    ],
    [
      'a pattern that can hang',
      formOf(field('a', { pattern: '^(a+)+$' })),
      'field a has a pattern that could take too long on a long answer: ^(a+)+$',
    ],
    [
      'a format of a number',
      formOf(field('a', { kind: 'number', format: 'vehiclePlate' })),
      'field a has format, which a field of kind number cannot have',
    ],
    [
      'an answer that is read from a document after it',
      formOf(field('a', { readFrom: { attachment: 'passport', part: 'name' } })),
      'field a is read from passport, which no field before it asks for',
    ],
    [
      'a day that is read as a name',
      formOf(field('a', { kind: 'date', readFrom: { attachment: 'passport', part: 'name' } })),
      'field a is read as name, which a field of kind date cannot be',
    ],
    [
      'a format without a pattern',
      formOf(field('a', { format: 'vehiclePlate' })),
      'field a has a format and no pattern',
    ],
    [
      'limits the wrong way round',
      formOf(field('a', { kind: 'number', minimum: 2, maximum: 1 })),
      'field a has a minimum above its maximum',
    ],
    [
      'days the wrong way round',
      formOf(field('a', { kind: 'date', formatMinimum: 'today', formatMaximum: 'today-1' })),
      'field a has a formatMinimum after its formatMaximum',
    ],
    [
      'a day that is none',
      formOf(field('a', { kind: 'date', formatMinimum: '2026-02-30' })),
      'field a has the limit 2026-02-30, which is no day',
    ],
    ['two fields of one name', formOf(field('a'), field('a')), 'field a is there twice'],
    [
      'a name of every object',
      formOf(field('constructor')),
      'field constructor has a name that belongs to every object',
    ],
    [
      'a keyword of another kind',
      formOf(field('a', { maxItems: 2 })),
      'field a has maxItems, which a field of kind text cannot have',
    ],
    [
      'a choice of nothing',
      formOf(field('a', { kind: 'choice' })),
      'field a has no oneOf to choose from',
    ],
    [
      'a group without fields',
      formOf(field('a', { kind: 'group', itemTitle: title })),
      'field a is a group without fields',
    ],
    [
      'a group that asks nothing',
      formOf(group({ fields: [field('fullName', { required: false })] })),
      'field members is a group without a field that every item must answer',
    ],
    ['too many items', formOf(group({ maxItems: 1000 })), 'field members has maxItems above 50'],
    [
      'a name within a group that the form has',
      formOf(field('fullName'), group()),
      'field members.fullName has the name of a field of the form',
    ],
    [
      'the place of a document that is not asked for',
      formOf(field('a', { kind: 'file', attachment: 'passport' })),
      'field a is the place of the document passport, which the service does not ask for',
    ],
    [
      'a section that is not there',
      formOf(field('a', { section: 'x' })),
      'step only has a field in the section x, which it does not have',
    ],
    [
      'a section without fields',
      { steps: [{ name: 'only', title, sections: [{ name: 'x', title }], fields: [field('a')] }] },
      'section x of step only has no field',
    ],
  ])('%s', (_, form, line) => expect(checkForm(form)).toContain(line));

  it('names the conditions of a cycle', () => {
    expect(
      checkForm(
        formOf(
          yesNo('a', { showWhen: { field: 'b', equals: true } }),
          yesNo('b', { showWhen: { field: 'a', equals: true } }),
        ),
      ),
    ).toContain('conditions go in a circle: a -> b -> a');
  });
  it.each<[string, unknown, RegExp]>([
    [
      'a language',
      formOf(field('a', { title: { 'ar-EG': 'س', 'en-US': 'q' } })),
      /^steps\.0\.fields\.0\.title\.ur-PK: /,
    ],
    [
      'a group within a group',
      formOf(group({ fields: [group()] })),
      /^steps\.0\.fields\.0\.fields\.0/,
    ],
    ['an unknown keyword', formOf(field('a', { placeholder: 'x' })), /placeholder/],
    ['nothing', null, /^the form: /],
    ['a text', 'form', /^the form: /],
  ])('a wrong shape: %s', (_, form, line) => expect(checkForm(form).join('\n')).toMatch(line));
  it('refuses conditions that are nested too deep', () => {
    let deep: Loose = { field: 'a', equals: true };
    for (let level = 0; level < 200_000; level += 1) deep = { not: deep };
    expect(checkForm(formOf(yesNo('a'), field('b', { showWhen: deep })))).toHaveLength(1);
  });
});

describe('patterns', () => {
  it.each([
    '^[0-9]{9}$',
    "^[A-Za-z][A-Za-z '-]*$",
    '^[0-9]{3}/?[0-9]{4}/?[0-9]{1,10}$',
    '^([A-Z]{1,2}|[0-9]{1,2})$',
    '^\\p{L}+$',
    '(?:/[0-9]{2})*',
    '^.+@.+$',
    '[\\]a]+',
    '[^\\]]{1,9}',
  ])('takes %s', (pattern) => expect(findPatternProblem(pattern, 200)).toBeUndefined());
  it.each([
    '(a+)+',
    '(a|a)*',
    '(.*,)+x',
    'a*a*a*b',
    '(?=a)a',
    '(a)\\1',
    '(?<=a)b',
    '((a{1,9}){1,9}){1,9}',
    '.*.*.*',
    '[]|(a+)+b|[]',
    '[^]|(a+)+b',
  ])('refuses %s', (pattern) => expect(findPatternProblem(pattern, 200)).toBeDefined());
  it('accepted patterns are fast on the worst text', () => {
    const before = Date.now();
    for (const pattern of [
      '^.+@.+$',
      '^[a-z]*[a-z]*$',
      '^(?:/[0-9]{2})*$',
      '^[0-9]{3}/?[0-9]{4}/?[0-9]{1,10}$',
    ]) {
      expect(findPatternProblem(pattern, 200)).toBeUndefined();
      for (const text of ['a'.repeat(200), `${'@'.repeat(199)}\n`, `${'/12'.repeat(66)}x`])
        new RegExp(`^(?:${pattern})$`, 'u').test(text);
    }
    // A slow pattern takes minutes; the limit allows for a busy machine.
    expect(Date.now() - before).toBeLessThan(5000);
  });
});

declare global {
  // The contract has no Node types, so the test runner reads the file.
  interface ImportMeta {
    glob: (
      pattern: string,
      options: { eager: true; import: 'default'; query?: string },
    ) => Record<string, unknown>;
  }
}

describe('docs/service-forms.md', () => {
  const pages = import.meta.glob('../../../docs/service-forms.md', {
    eager: true,
    import: 'default',
    query: '?raw',
  });
  it('shows a valid form', () => {
    const page = String(Object.values(pages)[0]);
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    expect(checkForm(JSON.parse(example), ['studentCard'])).toEqual([]);
  });
});
