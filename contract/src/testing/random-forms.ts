import fc from 'fast-check';
import { addressParts } from '../forms/address-answers.ts';
import { checkForm } from '../forms/check-form.ts';
import { emirates } from '../forms/emirates.ts';
import type { Condition } from '../forms/form-conditions.ts';
import { fineKeyKinds, singleKinds, type FormField, type ServiceForm } from '../forms/forms.ts';

const words = fc.constantFrom('Owner', 'المالك', 'مالک', 'a <b> & "c"', 'x'.repeat(60));
const localized = words.map((word) => ({ 'ar-EG': word, 'en-US': word, 'ur-PK': word }));
const oneOf = [
  { const: 'owner', title: { 'ar-EG': 'مالك', 'en-US': 'Owner', 'ur-PK': 'مالک' } },
  { const: 'agent', title: { 'ar-EG': 'وكيل', 'en-US': 'Agent', 'ur-PK': 'نمائندہ' } },
];
const limit = fc.constantFrom('today', 'today-30', 'today+365', '2026-01-01');

/** A comparison that a field of its kind can meet. */
function comparisonWith(field: FormField): fc.Arbitrary<Condition> {
  const { name } = field;
  const answered = fc.boolean().map((value): Condition => ({ field: name, answered: value }));
  switch (field.kind) {
    case 'yesNo':
      return fc.oneof(
        answered,
        fc.boolean().map((value): Condition => ({ field: name, equals: value })),
      );
    case 'choice':
    case 'choices':
      return fc.oneof(
        answered,
        fc.constantFrom('owner', 'agent').map((value): Condition => ({ field: name, in: [value] })),
      );
    case 'emirate':
      return fc.constantFrom(...emirates).map((value): Condition => ({ field: name, in: [value] }));
    case 'number':
    case 'money':
    case 'group':
      return fc.oneof(
        answered,
        fc.integer({ min: 0, max: 5 }).map((value): Condition => ({
          field: name,
          minimum: value,
          ...(field.kind === 'group' ? {} : { maximum: value + 1000 }),
        })),
      );
    case 'date':
      return fc.oneof(
        answered,
        limit.map((value): Condition => ({ field: name, formatMinimum: value })),
      );
    default:
      return answered;
  }
}

function conditionOn(fields: readonly FormField[]): fc.Arbitrary<Condition> {
  const leaf = fc.constantFrom(...fields).chain(comparisonWith);
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: leaf.map((not): Condition => ({ not })) },
    {
      weight: 1,
      arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all): Condition => ({ all })),
    },
    {
      weight: 1,
      arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
    },
  );
}

const single = (name: string): fc.Arbitrary<FormField> =>
  fc
    .record({
      kind: fc.constantFrom(...singleKinds),
      title: localized,
      description: fc.option(localized, { nil: undefined }),
      required: fc.boolean(),
      strict: fc.boolean(),
    })
    .map(({ kind, title, description, required, strict }) => ({
      name,
      kind,
      title,
      description,
      required,
      ...(kind === 'choice' || kind === 'choices' ? { oneOf } : {}),
      ...(strict && kind === 'text'
        ? { minLength: 2, maxLength: 12, pattern: '^[A-Z0-9]{2,12}$' }
        : {}),
      ...(strict && (kind === 'number' || kind === 'money')
        ? { minimum: 0, maximum: 100_000 }
        : {}),
      ...(strict && kind === 'date'
        ? { formatMinimum: 'today-40000', formatMaximum: 'today' }
        : {}),
    }));

const group = (name: string): fc.Arbitrary<FormField> =>
  fc
    .record({
      title: localized,
      required: fc.boolean(),
      inner: fc.tuple(...['One', 'Two', 'Three'].map((end) => single(`${name}${end}`))),
      minItems: fc.integer({ min: 0, max: 2 }),
      maxItems: fc.integer({ min: 2, max: 4 }),
      linked: fc.boolean(),
    })
    .map(({ title, required, inner, minItems, maxItems, linked }) => {
      const fields = inner.map((field, index): FormField =>
        index === 0
          ? { ...field, required: true }
          : { ...field, ...(linked ? { showWhen: { field: `${name}One`, answered: true } } : {}) },
      );
      return {
        name,
        kind: 'group',
        title,
        itemTitle: title,
        required,
        fields,
        minItems,
        maxItems,
      } as FormField;
    });

/** Fines are found by the first field that has one answer, where there is one. */
function withFines(fields: readonly FormField[]): readonly FormField[] {
  const key = fields.find(({ kind }) => fineKeyKinds.includes(kind));
  if (!key) return fields;
  const { title, required } = key;
  const findBy = [key.name];
  return [...fields, { name: 'owed', kind: 'fines', title, required, register: 'plates', findBy }];
}

/** Forms that pass `checkForm`, with every kind of field, conditions, sections and groups. */
export const forms: fc.Arbitrary<ServiceForm> = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.boolean())
  .chain(([count, hasGroup]) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, index) => single(`field${index}`)),
      ...(hasGroup ? [group('items')] : []),
    ),
  )
  .map(withFines)
  .chain((fields) =>
    fc.tuple(
      ...fields.map((field, index) =>
        index === 0
          ? fc.constant(field)
          : fc
              .option(conditionOn(fields.slice(0, index)), { nil: undefined, freq: 2 })
              .map((showWhen): FormField => ({ ...field, ...(showWhen ? { showWhen } : {}) })),
      ),
    ),
  )
  .chain((fields) =>
    fc.tuple(
      fc.constant(fields),
      fc.integer({ min: 1, max: fields.length }),
      fc.boolean(),
      fields.length > 1 ? conditionOn(fields.slice(0, 1)) : fc.constant(undefined),
    ),
  )
  .map(([fields, cut, hasSection, when]): ServiceForm => {
    const title = { 'ar-EG': 'خطوة', 'en-US': 'Step', 'ur-PK': 'مرحلہ' };
    const later = fields.slice(cut).map((field): FormField => ({
      ...field,
      ...(hasSection ? { section: 'part' } : {}),
      ...(!field.required && when ? { requiredWhen: when } : {}),
    }));
    return {
      steps: [
        { name: 'first', title, fields: fields.slice(0, cut) },
        ...(later.length > 0
          ? [
              {
                name: 'second',
                title,
                ...(when && hasSection
                  ? { sections: [{ name: 'part', title, showWhen: when }] }
                  : hasSection
                    ? { sections: [{ name: 'part', title }] }
                    : {}),
                fields: later,
              },
            ]
          : []),
      ],
    };
  })
  .filter((form) => checkForm(form).length === 0);

const good: Record<string, readonly unknown[]> = {
  text: ['AB12', 'محمد'],
  longText: ['a\nb'],
  number: [0, 7, '١٢'],
  money: [0, 150_050],
  date: ['2020-02-29', '2026-11-21'],
  choice: ['owner', 'agent'],
  choices: [['owner'], ['agent', 'owner']],
  yesNo: [true, false],
  emiratesId: ['784-1984-1234567-4', '784198412345674'],
  mobile: ['0501234567', '٠٥٠١٢٣٤٥٦٧'],
  email: ['a@b.ae'],
  iban: ['AE07 0331 2345 6789 0123 456'],
  trn: ['100123456700003'],
  nationality: ['PK'],
  emirate: ['dubai'],
  address: [
    { emirate: 'dubai', area: 'Deira' },
    { emirate: 'ajman', area: 'x', makani: '12345 67890', landmark: 'مسجد' },
  ],
  fines: [['PF100'], ['PF100', 'PF200', 'PF100']],
  file: [undefined],
};
const bad: readonly unknown[] = [
  '',
  ' ',
  '\u202E',
  'a\u0000',
  '\uDC00',
  '<script>alert(1)</script>',
  'x'.repeat(5000),
  '2026-13-01',
  -0,
  -1,
  1.5,
  1e308,
  Number.NaN,
  null,
  undefined,
  [],
  {},
  [1],
  [[]],
  [{}],
  { length: 3 },
  { a: { b: { c: 1 } } },
  { constructor: 1 },
  'constructor',
  JSON.parse('{"__proto__":{"x":1}}'),
  Array.from({ length: 30 }, () => ({})),
];

function answerTo(field: FormField): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constantFrom(...bad), fc.jsonValue({ maxDepth: 3 }));
  if (field.kind === 'address')
    return fc.oneof(
      fc.constantFrom(...(good.address ?? [])),
      fc.dictionary(
        fc.constantFrom(...addressParts, 'unknown'),
        fc.oneof(fc.constant('dubai'), wrong),
      ),
      wrong,
    );
  if (field.kind === 'group')
    return fc.oneof(
      { weight: 3, arbitrary: fc.array(answersOf(field.fields ?? []), { maxLength: 5 }) },
      { weight: 1, arbitrary: wrong },
    );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...(good[field.kind] ?? [''])) },
    { weight: 1, arbitrary: wrong },
  );
}

function answersOf(fields: readonly FormField[]): fc.Arbitrary<Record<string, unknown>> {
  const asked = fc.record(
    Object.fromEntries(fields.map((field) => [field.name, answerTo(field)])),
    { requiredKeys: [] },
  );
  return fc.oneof(
    { weight: 5, arbitrary: asked },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          asked,
          fc.dictionary(fc.string({ maxLength: 60 }), fc.constantFrom(...bad), { maxKeys: 3 }),
        )
        .map(([one, other]) => ({ ...other, ...one })),
    },
  );
}

/** Answers as people, mistakes and attackers send them. */
export function answersTo(form: ServiceForm): fc.Arbitrary<Record<string, unknown>> {
  return answersOf(form.steps.flatMap((step) => step.fields));
}
