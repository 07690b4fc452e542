import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkAnswers, checkStep, dayOfLimit, emirates, isFieldShown } from './check-answers.ts';
import { attachmentRule, fieldKinds, serviceForm, type FormField, type ServiceForm } from './forms.ts';

declare global {
  // The contract knows nothing of Node, so the files are read by the test runner.
  interface ImportMeta {
    glob: (pattern: string, options: { eager: true; import: 'default' }) => Record<string, unknown>;
  }
}

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

const options = [{ const: 'owner', title: text('Owner') }, { const: 'agent', title: text('Agent') }];

describe('good answers are kept in one spelling', () => {
  it.each<[string, FormField, unknown, unknown]>([
    ['trims', fieldOf('text'), '  محمد  ', 'محمد'],
    ['composes letters', fieldOf('text'), 'e\u0301', 'é'],
    ['one line stays one line', fieldOf('text'), 'a\r\nb\tc', 'a b c'],
    ['long text keeps its lines', fieldOf('longText'), 'a\r\nb', 'a\nb'],
    ['strips bidi controls', fieldOf('text'), '\u202Eabc\u2066d\u200F', 'abcd'],
    ['keeps the joiner that Urdu needs', fieldOf('text'), 'می\u200Cروم', 'می\u200Cروم'],
    ['number', fieldOf('number'), 12, 12],
    ['number in Arabic-Indic digits', fieldOf('number'), '١٬٢٣٤', 1234],
    ['number in Urdu digits', fieldOf('number'), '۴۲', 42],
    ['money in fils', fieldOf('money', { minimum: 0 }), 150_050, 150_050],
    ['date', fieldOf('date'), '٢٠٢٦-٠٢-٢٨', '2026-02-28'],
    ['leap day', fieldOf('date'), '2028-02-29', '2028-02-29'],
    ['choice', fieldOf('choice', { oneOf: options }), 'agent', 'agent'],
    ['choices once each, in order', fieldOf('choices', { oneOf: options }), ['agent', 'owner', 'agent'], ['owner', 'agent']],
    ['no is an answer', fieldOf('yesNo'), false, false],
    ['Emirates ID', fieldOf('emiratesId'), '784 1984 1234567 4', '784-1984-1234567-4'],
    ['mobile with a zero', fieldOf('mobile'), '050 123-4567', '+971501234567'],
    ['mobile with 00971', fieldOf('mobile'), '00971 55 123 4567', '+971551234567'],
    ['mobile with +971', fieldOf('mobile'), '+971 (56) 123 4567', '+971561234567'],
    ['mobile as short as it gets', fieldOf('mobile'), '581234567', '+971581234567'],
    ['mobile in Arabic-Indic digits', fieldOf('mobile'), '٠٥٢١٢٣٤٥٦٧', '+971521234567'],
    ['e-mail', fieldOf('email'), ' sara@example.ae ', 'sara@example.ae'],
    ['IBAN', fieldOf('iban'), 'ae07 0331 2345 6789 0123 456', 'AE070331234567890123456'],
    ['tax number', fieldOf('trn'), '100-123456700003', '100123456700003'],
    ['nationality', fieldOf('nationality'), 'PK', 'PK'],
    ['emirate', fieldOf('emirate'), emirates[0], emirates[0]],
    ['pattern with digits of another set', fieldOf('text', { pattern: '^[0-9]{4}$' }), '١٢٣٤', '1234'],
    ['pattern that wants capitals', fieldOf('text', { pattern: '^[A-Z]{3}$' }), 'abc', 'ABC'],
  ])('%s', (_, field, raw, kept) => expect(checkOne(field, raw)).toEqual(kept));
});

describe('wrong answers are named', () => {
  it.each<[string, FormField, unknown, string]>([
    ['missing', fieldOf('text'), undefined, 'required'],
    ['null', fieldOf('text'), null, 'required'],
    ['empty', fieldOf('text'), '', 'required'],
    ['no choice', fieldOf('choices', { oneOf: options }), [], 'required'],
    ['blank', fieldOf('text'), ' \u00A0\u3000', 'whitespace'],
    ['blank where nothing is asked for', fieldOf('text', { required: false }), '   ', 'whitespace'],
    ['only characters that nobody sees', fieldOf('text'), '\u200B\u200D', 'whitespace'],
    ['100 000 characters', fieldOf('text'), 'a'.repeat(100_000), 'tooLong'],
    ['100 000 characters of e-mail', fieldOf('email'), 'a@'.repeat(50_000), 'tooLong'],
    ['a little too long', fieldOf('text', { maxLength: 3 }), 'abcd', 'tooLong'],
    ['too short', fieldOf('text', { minLength: 3 }), 'ab', 'tooShort'],
    ['NUL', fieldOf('text'), 'a\u0000', 'unreadableText'],
    ['half a character', fieldOf('text'), 'a\uD83D', 'unreadableText'],
    ['pattern', fieldOf('text', { pattern: '^[0-9]+$' }), 'a', 'pattern'],
    ['an object', fieldOf('text'), { a: 1 }, 'wrongType'],
    ['a number as text', fieldOf('text'), 5, 'wrongType'],
    ['words as a number', fieldOf('number'), 'ten', 'wrongType'],
    ['not a number', fieldOf('number'), Number.NaN, 'wrongType'],
    ['a fraction', fieldOf('money'), 1.5, 'notAWholeNumber'],
    ['an enormous number', fieldOf('number'), 1e300, 'tooLarge'],
    ['too small', fieldOf('number', { minimum: 1 }), 0, 'tooSmall'],
    ['too large', fieldOf('number', { maximum: 1 }), 2, 'tooLarge'],
    ['30 February', fieldOf('date'), '2026-02-30', 'date'],
    ['another order', fieldOf('date'), '28/02/2026', 'date'],
    ['yesterday where it must be today or later', fieldOf('date', { formatMinimum: 'today' }), '2026-11-20', 'dateTooEarly'],
    ['too late', fieldOf('date', { formatMaximum: 'today+30' }), '2026-12-22', 'dateTooLate'],
    ['a choice that is not offered', fieldOf('choice', { oneOf: options }), 'king', 'notAllowed'],
    ['one choice for several', fieldOf('choices', { oneOf: options }), 'owner', 'wrongType'],
    ['yes as a word', fieldOf('yesNo'), 'true', 'wrongType'],
    ['Emirates ID with a wrong last digit', fieldOf('emiratesId'), '784-1984-1234567-8', 'emiratesId'],
    ['land line', fieldOf('mobile'), '04 123 4567', 'mobile'],
    ['foreign mobile', fieldOf('mobile'), '+20 100 123 4567', 'mobile'],
    ['e-mail', fieldOf('email'), 'sara@example', 'email'],
    ['IBAN of another country', fieldOf('iban'), 'GB33BUKB20201555555555', 'iban'],
    ['IBAN with a wrong digit', fieldOf('iban'), 'AE070331234567890123457', 'iban'],
    ['tax number', fieldOf('trn'), '200123456700003', 'trn'],
    ['nationality', fieldOf('nationality'), 'QQ', 'notAllowed'],
    ['emirate', fieldOf('emirate'), 'constructor', 'notAllowed'],
  ])('%s', (_, field, raw, code) => expect(checkOne(field, raw)).toBe(code));

  it('a limit of money is named in dirhams', () => {
    expect(checkAnswers(formOf(fieldOf('money', { minimum: 5000 })), { answer: 1 }, today).issues).toEqual([{ field: 'answers.answer', code: 'tooSmall', params: { minimum: 50 } }]);
  });
  it('the form speaks for its pattern', () => {
    const patternMessage = text('Nine digits');
    expect(checkAnswers(formOf(fieldOf('text', { pattern: '^[0-9]{9}$', patternMessage })), { answer: 'x' }, today).issues[0]?.message).toEqual(patternMessage);
  });
  it('a broken or costly pattern neither throws nor hangs', () => {
    expect(checkOne(fieldOf('text', { pattern: '[' }), 'a')).toBe('a');
    const before = Date.now();
    checkOne(fieldOf('text', { pattern: '^[a-z]+@([a-z]+\\.)+[a-z]+$' }), `${'a'.repeat(199)}!`);
    expect(Date.now() - before).toBeLessThan(500);
  });
});

describe('fields that are not shown', () => {
  const form = formOf(
    fieldOf('choice', { name: 'who', oneOf: options }),
    fieldOf('yesNo', { name: 'hasLetter', showWhen: { field: 'who', in: ['agent'] } }),
    fieldOf('text', { name: 'letterNumber', showWhen: { field: 'hasLetter', in: [true] } }),
  );
  const letterNumber = form.steps[0]!.fields[2]!;

  it('are neither asked nor kept', () => {
    expect(checkAnswers(form, { who: 'owner', hasLetter: true, letterNumber: '\u0000' }, today)).toEqual({ answers: { who: 'owner' }, issues: [] });
  });
  it('are asked once their condition holds', () => {
    expect(checkAnswers(form, { who: 'agent', hasLetter: true }, today).issues).toEqual([{ field: 'answers.letterNumber', code: 'required' }]);
    expect(isFieldShown(form, letterNumber, { who: 'agent', hasLetter: true })).toBe(true);
  });
  it('hide what hangs on them', () => {
    expect(isFieldShown(form, letterNumber, { who: 'owner', hasLetter: true })).toBe(false);
  });
  it('that hang on themselves stay hidden', () => {
    const circle = formOf(fieldOf('yesNo', { name: 'one', showWhen: { field: 'two', in: [true] } }), fieldOf('yesNo', { name: 'two', showWhen: { field: 'one', in: [true] } }));
    expect(checkAnswers(circle, { one: true, two: true }, today)).toEqual({ answers: {}, issues: [] });
  });
});

describe('the rest', () => {
  it('names what the form does not ask', () => {
    const sent = JSON.parse('{"answer":"a","__proto__":"x","extra":1}') as Record<string, unknown>;
    expect(checkAnswers(formOf(fieldOf('text')), sent, today).issues.map((issue) => `${issue.field} ${issue.code}`)).toEqual(['answers.__proto__ unknownField', 'answers.extra unknownField']);
  });
  it('a field may be called like a method of objects', () => {
    expect(checkAnswers(formOf(fieldOf('text', { name: 'constructor' })), {}, today).issues[0]?.code).toBe('required');
  });
  it('judges one step with the answers of all', () => {
    const form: ServiceForm = { steps: [...formOf(fieldOf('yesNo', { name: 'first' })).steps, ...formOf(fieldOf('text', { name: 'second', showWhen: { field: 'first', in: [true] } })).steps] };
    expect(checkStep(form, 1, {}, today)).toEqual([]);
    expect(checkStep(form, 1, { first: true }, today)).toEqual([{ field: 'answers.second', code: 'required' }]);
  });
  it('counts days over the end of a year', () => expect(dayOfLimit('today+41', today)).toBe('2027-01-01'));
});

/** mulberry32: the same numbers on every run, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('any form with any answers', () => {
  const pieces: unknown[] = ['', ' ', 'owner', 'agent', 'a\u0000', '\uDC00', '\u202E', '٠٥٠١٢٣٤٥٦٧', '0501234567', '784-1984-1234567-4', 'AE070331234567890123456', '100123456700003', 'a@b.ae', 'dubai', 'PK', '2026-11-21',
    '2026-13-01', '-0', -0, 0, 7, 1.5, 1e308, Number.NaN, -1, true, false, null, undefined, [], ['owner'], ['owner', 'owner', 'x'], [1], {}, { length: 3 }, 'x'.repeat(5000), 'ﷺ'.repeat(50), 'e\u0301', '12', '١٢'];

  it('never throws, and what it kept is kept again', () => {
    const random = randomFrom(20_261_121);
    const pick = <T,>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const names = ['alpha', 'beta', 'gamma', 'delta', 'constructor', 'toString'];
    let accepted = 0;
    for (let round = 0; round < 4000; round += 1) {
      const fields = names.slice(0, 1 + Math.floor(random() * names.length)).map((name) => fieldOf(pick(fieldKinds), {
        name, required: random() < 0.3, oneOf: options, ...(random() < 0.2 ? { minimum: 0, maximum: 100 } : {}), ...(random() < 0.2 ? { formatMinimum: 'today', maxLength: 12 } : {}),
        ...(random() < 0.2 ? { pattern: '^[A-Z0-9]+$' } : {}), ...(random() < 0.4 ? { showWhen: { field: pick(names), in: [pick(['owner', 'agent', 'dubai', true, false])] } } : {}),
      }));
      const form = formOf(...fields);
      const asked = random() < 0.9 ? fields.map((field) => field.name) : [...names, 'unknown'];
      const sent = Object.fromEntries(asked.filter(() => random() < 0.6).map((name) => [name, pick(pieces)]));
      const first = checkAnswers(form, sent, today);
      const second = checkAnswers(form, first.answers, today);
      expect(JSON.stringify(second.answers)).toBe(JSON.stringify(first.answers));
      expect(second.issues.filter((issue) => issue.code !== 'required')).toEqual([]);
      expect(JSON.stringify(checkAnswers(form, JSON.parse(JSON.stringify(first.answers)) as Record<string, unknown>, today).answers)).toBe(JSON.stringify(first.answers));
      if (first.issues.length === 0) {
        accepted += 1;
        expect(second.issues).toEqual([]);
      }
    }
    // The property says nothing if everything is refused.
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('the forms of the demo', () => {
  const files = import.meta.glob('../../api/seed/catalogue/forms/*.json', { eager: true, import: 'default' });
  const shape = z.object({ form: serviceForm, attachments: z.array(attachmentRule) });

  it('are there', () => expect(Object.keys(files).length).toBeGreaterThan(0));
  it.each(Object.entries(files))('%s', (_, file) => {
    const { form } = shape.parse(file);
    const fields = form.steps.flatMap((step) => step.fields);
    expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
    for (const field of fields) {
      if (field.pattern !== undefined) expect(() => new RegExp(field.pattern!, 'u')).not.toThrow();
      if (field.kind === 'choice' || field.kind === 'choices') expect(field.oneOf, field.name).toBeDefined();
      if (field.showWhen) expect(fields.findIndex((other) => other.name === field.showWhen!.field)).toBeLessThan(fields.indexOf(field));
      if (field.showWhen) expect(fields.some((other) => other.name === field.showWhen!.field), field.name).toBe(true);
    }
    const required = fields.filter((field) => field.required && !field.showWhen).map((field) => `answers.${field.name}`);
    expect(checkAnswers(form, {}, today).issues.map((issue) => issue.field)).toEqual(required);
  });
});
