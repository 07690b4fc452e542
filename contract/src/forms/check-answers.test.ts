import { describe, expect, it } from 'vitest';
import { resolveDateLimit } from '../wire/days.ts';
import {
  checkAnswers,
  checkStep,
  listRequiredDocuments,
  isFieldShown,
  isStepShown,
} from './check-answers.ts';
import { emirates } from './emirates.ts';
import type { FormField, ServiceForm } from './forms.ts';

const today = '2026-11-21';
const text = (words: string) => ({ 'ar-EG': words, 'en-US': words, 'ur-PK': words });

function fieldOf(kind: FormField['kind'], more: Partial<FormField> = {}): FormField {
  return { name: 'answer', kind, title: text('Question'), required: true, ...more };
}
function formOf(...fields: FormField[]): ServiceForm {
  return { steps: [{ name: 'only', title: text('Step'), fields }] };
}
function checkOne(field: FormField, raw: unknown) {
  const { answers, issues } = checkAnswers(formOf(field), { [field.name]: raw }, today);
  return issues[0] ? issues[0].code : answers[field.name];
}

const platePattern = '^([A-Z]{1,2}|[0-9]{1,2})$';
const plateField = fieldOf('text', { format: 'vehiclePlate', pattern: platePattern });
const options = [
  { const: 'owner', title: text('Owner') },
  { const: 'agent', title: text('Agent') },
];

describe('stores valid answers in one spelling', () => {
  it.each<[string, FormField, unknown, unknown]>([
    ['trims', fieldOf('text'), '  محمد  ', 'محمد'],
    ['composes letters', fieldOf('text'), 'e\u0301', 'é'],
    ['one line stays one line', fieldOf('text'), 'a\r\nb\tc', 'a b c'],
    ['the lines of a long text stay', fieldOf('longText'), 'a\r\nb', 'a\nb'],
    ['strips bidi controls', fieldOf('text'), '\u202Eabc\u2066d\u200F', 'abcd'],
    ['strips other marks', fieldOf('text'), '\uFEFFab\u200Bc\u00ADd\u2060', 'abcd'],
    ['a joiner in a plate', plateField, '٥\u200D٠', '50'],
    ['marks in a date', fieldOf('date'), '\u200E2026-02-\u200C28', '2026-02-28'],
    ['the joiner of Urdu stays', fieldOf('text'), 'می\u200Cروم', 'می\u200Cروم'],
    ['an Arabic letter of a plate', plateField, 'ب', 'B'],
    ['a stretched letter of a plate', plateField, 'هـ', 'H'],
    ['Arabic digits of a plate', plateField, '٥٠', '50'],
    ['number', fieldOf('number'), 12, 12],
    ['number in Arabic-Indic digits', fieldOf('number'), '١٬٢٣٤', 1234],
    ['number in Urdu digits', fieldOf('number'), '۴۲', 42],
    ['money in fils', fieldOf('money', { minimum: 0 }), 150_050, 150_050],
    ['date', fieldOf('date'), '٢٠٢٦-٠٢-٢٨', '2026-02-28'],
    ['leap day', fieldOf('date'), '2028-02-29', '2028-02-29'],
    ['choice', fieldOf('choice', { oneOf: options }), 'agent', 'agent'],
    [
      'choices once each, in order',
      fieldOf('choices', { oneOf: options }),
      ['agent', 'owner', 'agent'],
      ['owner', 'agent'],
    ],
    ['no is an answer', fieldOf('yesNo'), false, false],
    ['Emirates ID', fieldOf('emiratesId'), '784 1984 1234567 4', '784-1984-1234567-4'],
    ['mobile with a zero', fieldOf('mobile'), '050 123-4567', '+971501234567'],
    ['mobile with 00971', fieldOf('mobile'), '00971 55 123 4567', '+971551234567'],
    ['mobile with +971', fieldOf('mobile'), '+971 (56) 123 4567', '+971561234567'],
    ['mobile as short as it gets', fieldOf('mobile'), '581234567', '+971581234567'],
    ['mobile in Arabic-Indic digits', fieldOf('mobile'), '٠٥٢١٢٣٤٥٦٧', '+971521234567'],
    ['mobile with its plus on the other side', fieldOf('mobile'), '٩٧١٥٢١٢٣٤٥٦٧+', '+971521234567'],
    [
      'mobile copied from a link, with strokes, in wide digits',
      fieldOf('mobile'),
      'tel:０５０/１２３－４５６７',
      '+971501234567',
    ],
    ['e-mail', fieldOf('email'), ' sara@example.ae ', 'sara@example.ae'],
    ['e-mail with Arabic digits', fieldOf('email'), 'sara٢٠@example.ae', 'sara20@example.ae'],
    [
      'IBAN copied with its name',
      fieldOf('iban'),
      'IBAN: AE07 0331 2345 6789 0123 456',
      'AE070331234567890123456',
    ],
    [
      'IBAN without its country',
      fieldOf('iban'),
      '070331234567890123456',
      'AE070331234567890123456',
    ],
    ['Emirates ID with strokes', fieldOf('emiratesId'), '784/1984/1234567/4', '784-1984-1234567-4'],
    [
      'Emirates ID with minus signs',
      fieldOf('emiratesId'),
      '784\u22121984\u22121234567\u22124',
      '784-1984-1234567-4',
    ],
    ['tax number copied with its name', fieldOf('trn'), 'TRN: 100123456700003', '100123456700003'],
    ['IBAN', fieldOf('iban'), 'ae07 0331 2345 6789 0123 456', 'AE070331234567890123456'],
    ['tax number', fieldOf('trn'), '100-123456700003', '100123456700003'],
    ['nationality', fieldOf('nationality'), 'PK', 'PK'],
    ['emirate', fieldOf('emirate'), emirates[0], emirates[0]],
    [
      'pattern with digits of another set',
      fieldOf('text', { pattern: '^[0-9]{4}$' }),
      '١٢٣٤',
      '1234',
    ],
    ['pattern that wants capitals', fieldOf('text', { pattern: '^[A-Z]{3}$' }), 'abc', 'ABC'],
  ])('%s', (_, field, raw, stored) => expect(checkOne(field, raw)).toEqual(stored));
});

describe('names invalid answers', () => {
  it.each<[string, FormField, unknown, string]>([
    ['missing', fieldOf('text'), undefined, 'required'],
    ['null', fieldOf('text'), null, 'required'],
    ['empty', fieldOf('text'), '', 'required'],
    ['no choice', fieldOf('choices', { oneOf: options }), [], 'required'],
    ['blank', fieldOf('text'), ' \u00A0\u3000', 'whitespace'],
    ['blank where nothing is asked for', fieldOf('text', { required: false }), '   ', 'whitespace'],
    ['only invisible characters', fieldOf('text'), '\u200B\u200D', 'whitespace'],
    ['100 000 characters', fieldOf('text'), 'a'.repeat(100_000), 'tooLong'],
    ['100 000 characters of e-mail', fieldOf('email'), 'a@'.repeat(50_000), 'tooLong'],
    ['a little too long', fieldOf('text', { maxLength: 3 }), 'abcd', 'tooLong'],
    ['too short', fieldOf('text', { minLength: 3 }), 'ab', 'tooShort'],
    ['NUL', fieldOf('text'), 'a\u0000', 'unreadableText'],
    ['half a character', fieldOf('text'), 'a\uD83D', 'unreadableText'],
    ['pattern', fieldOf('text', { pattern: '^[0-9]+$' }), 'a', 'pattern'],
    ['an object', fieldOf('text'), { a: 1 }, 'wrongType'],
    ['a number as text', fieldOf('text'), 5, 'wrongType'],
    ['letters as a number', fieldOf('number'), 'ten', 'wrongType'],
    ['a comma that groups no thousands', fieldOf('number'), '1,5', 'wrongType'],
    ['an Arabic comma that groups none', fieldOf('money'), '١٬٥', 'wrongType'],
    ['not a number', fieldOf('number'), Number.NaN, 'wrongType'],
    ['a fraction', fieldOf('money'), 1.5, 'notAWholeNumber'],
    ['an enormous number', fieldOf('number'), 1e300, 'tooLarge'],
    ['too small', fieldOf('number', { minimum: 1 }), 0, 'tooSmall'],
    ['too large', fieldOf('number', { maximum: 1 }), 2, 'tooLarge'],
    ['30 February', fieldOf('date'), '2026-02-30', 'date'],
    ['another order', fieldOf('date'), '28/02/2026', 'date'],
    [
      'yesterday where it must be today or later',
      fieldOf('date', { formatMinimum: 'today' }),
      '2026-11-20',
      'dateTooEarly',
    ],
    ['too late', fieldOf('date', { formatMaximum: 'today+30' }), '2026-12-22', 'dateTooLate'],
    ['a choice that is not offered', fieldOf('choice', { oneOf: options }), 'king', 'notAllowed'],
    ['one choice for several', fieldOf('choices', { oneOf: options }), 'owner', 'wrongType'],
    ['yes as a text', fieldOf('yesNo'), 'true', 'wrongType'],
    [
      'Emirates ID with a wrong last digit',
      fieldOf('emiratesId'),
      '784-1984-1234567-8',
      'emiratesId',
    ],
    ['land line', fieldOf('mobile'), '04 123 4567', 'mobile'],
    ['foreign mobile', fieldOf('mobile'), '+20 100 123 4567', 'mobile'],
    ['e-mail', fieldOf('email'), 'sara@example', 'email'],
    [
      'IBAN without its country and with a wrong digit',
      fieldOf('iban'),
      '070331234567890123457',
      'iban',
    ],
    ['IBAN of another country', fieldOf('iban'), 'GB33BUKB20201555555555', 'iban'],
    ['IBAN with a wrong digit', fieldOf('iban'), 'AE070331234567890123457', 'iban'],
    ['tax number', fieldOf('trn'), '200123456700003', 'trn'],
    ['nationality', fieldOf('nationality'), 'QQ', 'notAllowed'],
    ['emirate', fieldOf('emirate'), 'constructor', 'notAllowed'],
  ])('%s', (_, field, raw, code) => expect(checkOne(field, raw)).toBe(code));

  it('names money limits in dirhams', () => {
    expect(
      checkAnswers(formOf(fieldOf('money', { minimum: 5000 })), { answer: 1 }, today).issues,
    ).toEqual([{ field: 'answers.answer', code: 'tooSmall', params: { minimum: 50 } }]);
  });
  it('uses the text of the form for its pattern', () => {
    const patternMessage = text('Nine digits');
    expect(
      checkAnswers(
        formOf(fieldOf('text', { pattern: '^[0-9]{9}$', patternMessage })),
        { answer: 'x' },
        today,
      ).issues[0]?.message,
    ).toEqual(patternMessage);
  });
  it('a broken or costly pattern neither throws nor hangs', () => {
    expect(checkOne(fieldOf('text', { pattern: '[' }), 'a')).toBe('a');
    const before = Date.now();
    checkOne(fieldOf('text', { pattern: '^[a-z]+@([a-z]+\\.)+[a-z]+$' }), `${'a'.repeat(199)}!`);
    // A pattern that hangs takes minutes; the limit allows for a busy machine.
    expect(Date.now() - before).toBeLessThan(5000);
  });
});

describe('fields that are not shown', () => {
  const form = formOf(
    fieldOf('choice', { name: 'who', oneOf: options }),
    fieldOf('yesNo', { name: 'hasLetter', showWhen: { field: 'who', in: ['agent'] } }),
    fieldOf('text', { name: 'letterNumber', showWhen: { field: 'hasLetter', in: [true] } }),
  );
  const letterNumber = form.steps[0]!.fields[2]!;

  it('are neither asked nor stored', () => {
    expect(
      checkAnswers(form, { who: 'owner', hasLetter: true, letterNumber: '\u0000' }, today),
    ).toEqual({ answers: { who: 'owner' }, issues: [] });
  });
  it('are asked when their condition is met', () => {
    expect(checkAnswers(form, { who: 'agent', hasLetter: true }, today).issues).toEqual([
      { field: 'answers.letterNumber', code: 'required' },
    ]);
    expect(isFieldShown(form, letterNumber, { who: 'agent', hasLetter: true })).toBe(true);
  });
  it('hide the fields that depend on them', () => {
    expect(isFieldShown(form, letterNumber, { who: 'owner', hasLetter: true })).toBe(false);
  });
  it('stay hidden when they depend on themselves', () => {
    const circle = formOf(
      fieldOf('yesNo', { name: 'one', showWhen: { field: 'two', in: [true] } }),
      fieldOf('yesNo', { name: 'two', showWhen: { field: 'one', in: [true] } }),
    );
    expect(checkAnswers(circle, { one: true, two: true }, today)).toEqual({
      answers: {},
      issues: [],
    });
  });
});

describe('conditions', () => {
  const shownWith = (
    showWhen: FormField['showWhen'],
    answers: Record<string, unknown>,
  ): boolean => {
    const fields = [
      fieldOf('choice', { name: 'who', oneOf: options }),
      fieldOf('choices', { name: 'some', oneOf: options }),
      fieldOf('number', { name: 'count' }),
      fieldOf('date', { name: 'day' }),
      fieldOf('text', { name: 'note', required: false }),
    ];
    const last = fieldOf('text', { name: 'last', showWhen });
    return isFieldShown(formOf(...fields, last), last, answers, today);
  };
  it.each<[string, NonNullable<FormField['showWhen']>, Record<string, unknown>, boolean]>([
    ['equals', { field: 'who', equals: 'owner' }, { who: 'owner' }, true],
    ['equals another', { field: 'who', equals: 'owner' }, { who: 'agent' }, false],
    [
      'equals one of several',
      { field: 'some', equals: 'agent' },
      { some: ['owner', 'agent'] },
      true,
    ],
    ['a number in between', { field: 'count', minimum: 2, maximum: 4 }, { count: '٣' }, true],
    ['a number above', { field: 'count', minimum: 2, maximum: 4 }, { count: 5 }, false],
    ['so many choices', { field: 'some', minimum: 2 }, { some: ['owner'] }, false],
    [
      'a day of long ago',
      { field: 'day', formatMaximum: 'today-6570' },
      { day: '2000-01-01' },
      true,
    ],
    [
      'a day of yesterday',
      { field: 'day', formatMaximum: 'today-6570' },
      { day: '2026-11-20' },
      false,
    ],
    ['answered', { field: 'note', answered: true }, { note: 'x' }, true],
    ['answered with spaces', { field: 'note', answered: true }, { note: '  ' }, false],
    ['not answered', { field: 'note', answered: false }, {}, true],
    [
      'all of them',
      {
        all: [
          { field: 'who', equals: 'owner' },
          { field: 'count', minimum: 1 },
        ],
      },
      { who: 'owner', count: 0 },
      false,
    ],
    [
      'any of them',
      {
        any: [
          { field: 'who', equals: 'owner' },
          { field: 'count', minimum: 1 },
        ],
      },
      { who: 'owner', count: 0 },
      true,
    ],
    ['not', { not: { field: 'who', equals: 'owner' } }, { who: 'agent' }, true],
    ['a wrong answer is none', { field: 'count', minimum: 0 }, { count: 'ten' }, false],
  ])('%s', (_, condition, answers, expected) =>
    expect(shownWith(condition, answers)).toBe(expected),
  );

  it('of steps and sections apply to their fields', () => {
    const first = { name: 'first', title: text('1'), fields: [fieldOf('yesNo', { name: 'more' })] };
    const second = {
      name: 'second',
      title: text('2'),
      showWhen: { field: 'more', equals: true },
      sections: [{ name: 'part', title: text('P'), showWhen: { field: 'more', equals: true } }],
      fields: [
        fieldOf('text', { name: 'plain' }),
        fieldOf('text', { name: 'inside', section: 'part' }),
      ],
    };
    const form: ServiceForm = { steps: [first, second] };
    expect(isStepShown(form, second, { more: false }, today)).toBe(false);
    expect(checkAnswers(form, { more: false, plain: 'x', inside: 'y' }, today)).toEqual({
      answers: { more: false },
      issues: [],
    });
    expect(checkAnswers(form, { more: true }, today).issues.map((issue) => issue.field)).toEqual([
      'answers.plain',
      'answers.inside',
    ]);
  });
  it('make an answer required', () => {
    const form = formOf(
      fieldOf('yesNo', { name: 'more' }),
      fieldOf('text', {
        name: 'why',
        required: false,
        requiredWhen: { field: 'more', equals: true },
      }),
    );
    expect(checkAnswers(form, { more: false }, today).issues).toEqual([]);
    expect(checkAnswers(form, { more: true }, today).issues).toEqual([
      { field: 'answers.why', code: 'required' },
    ]);
  });
});

describe('groups', () => {
  const family = fieldOf('group', {
    name: 'members',
    itemTitle: text('Member'),
    minItems: 1,
    maxItems: 3,
    fields: [
      fieldOf('text', { name: 'fullName' }) as never,
      fieldOf('yesNo', { name: 'isStudent', required: false }) as never,
      fieldOf('text', { name: 'school', showWhen: { field: 'isStudent', equals: true } }) as never,
      fieldOf('address', { name: 'home', required: false }) as never,
    ],
  });
  const check = (members: unknown) => checkAnswers(formOf(family), { members }, today);

  it('store each item in one spelling and drop fields that the item does not ask', () => {
    expect(
      check([
        { fullName: ' سارة ', school: 'x' },
        { fullName: 'B', isStudent: true, school: 'Al Noor' },
      ]),
    ).toEqual({
      answers: {
        members: [{ fullName: 'سارة' }, { fullName: 'B', isStudent: true, school: 'Al Noor' }],
      },
      issues: [],
    });
  });
  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['answers.members required']],
    ['no items', [], ['answers.members required']],
    ['an empty item', [{}], ['answers.members.0.fullName required']],
    [
      'a problem in the second item',
      [{ fullName: 'A' }, { fullName: 'a\u0000' }],
      ['answers.members.1.fullName unreadableText'],
    ],
    [
      'a part of an address',
      [{ fullName: 'A', home: { area: 'x' } }],
      ['answers.members.0.home.emirate required'],
    ],
    [
      'too many',
      Array.from({ length: 10_000 }, () => ({ fullName: 'A' })),
      ['answers.members tooManyItems'],
    ],
    ['an object', { fullName: 'A' }, ['answers.members wrongType']],
    ['texts', ['A'], ['answers.members.0 wrongType']],
    ['lists in lists', [[['A']]], ['answers.members.0 wrongType']],
    [
      'a field that it does not have',
      [{ fullName: 'A', salary: 1 }],
      ['answers.members.0.salary unknownField'],
    ],
    [
      'a name of every object',
      [JSON.parse('{"fullName":"A","__proto__":{"x":1}}')],
      ['answers.members.0.__proto__ unknownField'],
    ],
  ])('name %s', (_, members, named) =>
    expect(check(members).issues.map((issue) => `${issue.field} ${issue.code}`)).toEqual(named),
  );
});

describe('addresses', () => {
  const check = (home: unknown, required = true) =>
    checkAnswers(formOf(fieldOf('address', { name: 'home', required })), { home }, today);
  it('are stored by part', () => {
    expect(check({ emirate: 'dubai', area: ' ديرة ', makani: '١٢٣٤٥ ٦٧٨٩٠', street: '' })).toEqual({
      answers: { home: { emirate: 'dubai', area: 'ديرة', makani: '1234567890' } },
      issues: [],
    });
  });
  it.each<[string, unknown, boolean, string[]]>([
    ['nothing', undefined, true, ['answers.home.emirate required', 'answers.home.area required']],
    ['nothing where none is needed', {}, false, []],
    [
      'half an address where none is needed',
      { street: '7' },
      false,
      ['answers.home.emirate required', 'answers.home.area required'],
    ],
    [
      'a Makani number',
      { emirate: 'dubai', area: 'x', makani: '123' },
      true,
      ['answers.home.makani makani'],
    ],
    ['a text', 'Deira', true, ['answers.home wrongType']],
    [
      'an object as a part',
      { emirate: 'dubai', area: { a: 1 } },
      true,
      ['answers.home.area wrongType'],
    ],
    [
      'an unknown part',
      { emirate: 'dubai', area: 'x', planet: 'y' },
      true,
      ['answers.home.planet unknownField'],
    ],
  ])('name %s', (_, home, required, named) =>
    expect(check(home, required).issues.map((issue) => `${issue.field} ${issue.code}`)).toEqual(
      named,
    ),
  );
});

describe('documents in a step', () => {
  const rule = (name: string, required: boolean) => ({
    name,
    title: text(name),
    required,
    mediaTypes: ['application/pdf' as const],
    maximumBytes: 1000,
    maximumCount: 1,
  });
  const form = formOf(
    fieldOf('yesNo', { name: 'hasLetter' }),
    fieldOf('file', {
      name: 'letterPlace',
      attachment: 'letter',
      required: true,
      showWhen: { field: 'hasLetter', equals: true },
    }),
  );
  it('are asked for with their field', () => {
    const asked = (answers: Record<string, unknown>) =>
      listRequiredDocuments(
        form,
        [rule('letter', false), rule('passport', true)],
        answers,
        today,
      ).map((each) => [each.rule.name, each.rule.required, each.isAsked]);
    expect(asked({ hasLetter: true })).toEqual([
      ['letter', true, true],
      ['passport', true, true],
    ]);
    expect(asked({ hasLetter: false })).toEqual([
      ['letter', false, false],
      ['passport', true, true],
    ]);
  });
  it('have no answer', () => {
    expect(checkAnswers(form, { hasLetter: true, letterPlace: 'x' }, today)).toEqual({
      answers: { hasLetter: true },
      issues: [{ field: 'answers.letterPlace', code: 'unknownField' }],
    });
  });
});

describe('checkAnswers and checkStep', () => {
  it('name fields that the form does not have', () => {
    const sent = JSON.parse('{"answer":"a","__proto__":"x","extra":1}') as Record<string, unknown>;
    expect(
      checkAnswers(formOf(fieldOf('text')), sent, today).issues.map(
        (issue) => `${issue.field} ${issue.code}`,
      ),
    ).toEqual(['answers.__proto__ unknownField', 'answers.extra unknownField']);
  });
  it('accept a field with the name of an object method', () => {
    expect(
      checkAnswers(formOf(fieldOf('text', { name: 'constructor' })), {}, today).issues[0]?.code,
    ).toBe('required');
  });
  it('check one step with the answers of all steps', () => {
    const form: ServiceForm = {
      steps: [
        ...formOf(fieldOf('yesNo', { name: 'first' })).steps,
        ...formOf(fieldOf('text', { name: 'second', showWhen: { field: 'first', in: [true] } }))
          .steps,
      ],
    };
    expect(checkStep(form, 1, {}, today)).toEqual([]);
    expect(checkStep(form, 1, { first: true }, today)).toEqual([
      { field: 'answers.second', code: 'required' },
    ]);
  });
  it('count days over the end of a year', () =>
    expect(resolveDateLimit('today+41', today)).toBe('2027-01-01'));
});
