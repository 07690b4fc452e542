import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { singleKinds, type FormField, type ServiceForm } from '@diwan/contract/forms/forms';
import { FormFields, FormFieldsSummary } from './form-fields.tsx';
import { useAnswersForm } from './use-answers-form.ts';

const title = { 'ar-EG': 'حقل', 'en-US': 'Field', 'ur-PK': 'خانہ' };

interface SampleProps {
  field: FormField;
  /** What is asked before it. */
  before?: FormField[];
  answers?: Record<string, unknown>;
  onAnswers?: (answers: Record<string, unknown>) => void;
  onSubmit: (answer: unknown) => void;
}

function Sample({ field, before = [], answers = {}, onAnswers, onSubmit }: SampleProps) {
  const step = { name: 'step', title, fields: [...before, field] };
  const form: ServiceForm = { steps: [step] };
  const answersForm = useAnswersForm({ form, stepIndex: 0, answers, onAnswers });
  return (
    <form noValidate onSubmit={answersForm.submit(({ field: answer }) => onSubmit(answer))}>
      <FormFieldsSummary form={form} answersForm={answersForm} />
      <FormFields form={form} step={step} answersForm={answersForm} />
      <button type="submit">Send</button>
    </form>
  );
}

const plate = { 'ar-EG': 'رقم اللوحة', 'en-US': 'Plate number', 'ur-PK': 'پلیٹ نمبر' };
const emirate = { 'ar-EG': 'الإمارة', 'en-US': 'Emirate', 'ur-PK': 'امارت' };
const partner = { 'ar-EG': 'شريك', 'en-US': 'Partner', 'ur-PK': 'شراکت دار' };
const question = { 'ar-EG': 'لمن البطاقة؟', 'en-US': 'Who is it for?', 'ur-PK': 'کس کے لیے ہے؟' };
const english = (text: string) => ({ ...plate, 'en-US': text });

async function renderField(
  parts: Partial<FormField> & Pick<FormField, 'kind'>,
  before?: FormField[],
) {
  const answers: unknown[] = [];
  const field: FormField = { name: 'field', title, required: true, ...parts };
  await renderComponent(
    <Sample field={field} before={before} onSubmit={(answer) => answers.push(answer)} />,
  );
  return answers;
}

const send = () => page.getByRole('button', { name: 'Send' }).click();

beforeEach(() => useLanguageOfTest('en-US'));

it.each([
  ['text', '   ', /Enter the field|Spaces alone/, 'Sara', 'Sara'],
  ['mobile', '04 123 4567', /UAE mobile number/, '٠٥٠ ١٢٣ ٤٥٦٧', '+971501234567'],
  ['email', 'sara@example', /email address/, 'sara@example.com', 'sara@example.com'],
  [
    'emiratesId',
    '784-1990-1234567-1',
    /15-digit Emirates ID number/,
    '784-1990-1234567-6',
    '784-1990-1234567-6',
  ],
  [
    'iban',
    'AE070331234567890123457',
    /Enter an IBAN/,
    'ae07 0331 2345 6789 0123 456',
    'AE070331234567890123456',
  ],
  ['trn', '200123', /15-digit tax registration number/, '100123456789012', '100123456789012'],
  ['number', 'x', /Write a number, for example/, '١٢', 12],
  ['money', 'ten', /Write an amount, for example/, '12.5', 1250],
] as const)(
  'explains an invalid %s and sends a valid one',
  async (kind, wrong, error, right, sent) => {
    const answers = await renderField({ kind, maxLength: kind === 'text' ? 20 : undefined });
    const field = page.getByRole('textbox', { name: 'Field' });
    await send();
    await expect.element(field).toBeInvalid();
    await field.fill(wrong);
    await userEvent.keyboard('{Tab}');
    await expect.element(page.getByText(error).first()).toBeVisible();
    await send();
    expect(answers).toEqual([]);
    await field.fill(right);
    await expect.element(field).toBeValid();
    await send();
    await expect.poll(() => answers).toEqual([sent]);
  },
);

it('asks for one of the choices', async () => {
  const answers = await renderField({
    kind: 'choice',
    oneOf: ['one', 'two'].map((value) => ({
      const: value,
      title: { 'ar-EG': value, 'en-US': value, 'ur-PK': value },
    })),
  });
  await send();
  await expect.element(page.getByText(/Choose/).first()).toBeVisible();
  await page.getByRole('radio', { name: 'two' }).click();
  await send();
  await expect.poll(() => answers).toEqual(['two']);
});

it('takes a whole date in its first field and refuses a day that does not exist', async () => {
  const answers = await renderField({ kind: 'date' });
  const day = page.getByRole('textbox', { name: 'Day' });
  await day.fill('30/02/2020');
  await expect.element(page.getByRole('textbox', { name: 'Year' })).toHaveValue('2020');
  await send();
  await expect.element(page.getByText(/Enter a real date/).first()).toBeVisible();
  expect(answers).toEqual([]);
  await day.fill('٢٨');
  await send();
  await expect.poll(() => answers).toEqual(['2020-02-28']);
});

it('opens the first item of a group that an answer of the same step brings into view', async () => {
  const answers = await renderField(
    {
      kind: 'group',
      itemTitle: partner,
      minItems: 1,
      showWhen: { field: 'hasPartners', equals: true },
      fields: [{ name: 'partnerName', kind: 'text', title: plate, required: true }],
    },
    [{ name: 'hasPartners', kind: 'yesNo', title: question, required: true }],
  );
  const name = page.getByRole('textbox', { name: 'Plate number' });
  await expect.element(name).not.toBeInTheDocument();
  await page.getByRole('radio', { name: 'Yes' }).click();
  await name.fill('Sara');
  await page.getByRole('radio', { name: 'No', exact: true }).click();
  await expect.element(name).not.toBeInTheDocument();
  await page.getByRole('radio', { name: 'Yes' }).click();
  await expect.element(name).toHaveValue('Sara');
  await send();
  await expect.poll(() => answers).toEqual([[{ partnerName: 'Sara' }]]);
});

it('leaves out an optional answer that is empty', async () => {
  const answers = await renderField({ kind: 'email', required: false });
  await send();
  await expect.poll(() => answers.length).toBe(1);
  expect(answers[0] ?? '').toBe('');
});

const inner: FormField = { name: 'partnerName', kind: 'text', title, required: true };

it.each([
  ['en-US', { kind: 'text', title: plate }, 'Enter the plate number'],
  ['ar-EG', { kind: 'text', title: plate }, 'أدخل رقم اللوحة'],
  ['ur-PK', { kind: 'text', title: plate }, 'پلیٹ نمبر درج کریں'],
  ['en-US', { kind: 'iban', title: english('IBAN') }, 'Enter the IBAN'],
  [
    'en-US',
    { kind: 'emiratesId', title: english('Emirates ID number') },
    'Enter the Emirates ID number',
  ],
  ['en-US', { kind: 'date', title: english('Date of loss') }, 'Enter the date of loss'],
  ['en-US', { kind: 'text', title: english('What is damaged') }, 'Enter what is damaged'],
  ['en-US', { kind: 'text', title: english('Your role') }, 'Enter your role'],
  ['ar-EG', { kind: 'emirate', title: emirate }, 'اختر الإمارة'],
  ['ur-PK', { kind: 'emirate', title: emirate }, 'امارت منتخب کریں'],
  ['en-US', { kind: 'emirate', title: emirate }, 'Choose the emirate'],
  ['en-US', { kind: 'yesNo', title: question }, 'Choose yes or no'],
  ['ar-EG', { kind: 'text', title: question }, 'أجب عن هذا السؤال'],
  ['en-US', { kind: 'text', title: plate, requiredMessage: english('Say it') }, 'Say it'],
  [
    'en-US',
    { kind: 'group', minItems: 0, title: plate, itemTitle: partner, fields: [inner as never] },
    'Add at least one partner',
  ],
] as const)('in %s names what is missing: %o', async (language, parts, message) => {
  await useLanguageOfTest(language);
  await renderField(parts as unknown as Parameters<typeof renderField>[0]);
  if (parts.kind === 'group') await page.getByRole('button', { name: 'Remove partner 1' }).click();
  await send();
  await expect.element(page.getByText(message, { exact: true })).toBeVisible();
});

it.each([
  [
    { kind: 'text', pattern: '^[0-9]{9}$', patternMessage: english('Enter 9 digits') },
    'Enter 9 digits',
  ],
  [{ kind: 'text', minLength: 6, maxLength: 30 }, '6 to 30 characters'],
  [{ kind: 'longText', minLength: 20, maxLength: 2000 }, 'At least 20 characters'],
  [{ kind: 'number', minimum: 1, maximum: 45 }, 'From 1 to 45'],
  [{ kind: 'money', minimum: 100_000, maximum: 10_000_000_000 }, 'AED\u00A01,000 or more'],
  [{ kind: 'date', formatMaximum: 'today' }, 'Today or earlier'],
  [
    { kind: 'date', formatMinimum: '2026-01-31', formatMaximum: '2027-01-31' },
    'From 31 Jan 2026 to 31 Jan 2027',
  ],
] as const)('states the rule of %o before an answer fails it', async (parts, rule) => {
  await renderField(parts as unknown as Parameters<typeof renderField>[0]);
  await expect.element(page.getByText(rule, { exact: true })).toBeVisible();
});

it('shows a rule once where the description or the error says it', async () => {
  await renderField({
    kind: 'text',
    description: english('9 digits, on the bill'),
    pattern: '^[0-9]{9}$',
    patternMessage: english('Enter 9 digits'),
  });
  await expect.element(page.getByText('9 digits, on the bill')).toBeVisible();
  await expect.element(page.getByText('Enter 9 digits')).not.toBeInTheDocument();
  await page.getByRole('textbox').fill('12');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText('Enter 9 digits')).toBeVisible();
});

it('shows the Latin letter for an Arabic letter of a plate', async () => {
  const answers = await renderField({
    kind: 'text',
    format: 'vehiclePlate',
    pattern: '^([A-Z]{1,2}|[0-9]{1,2})$',
    patternMessage: english('One or two letters'),
  });
  const field = page.getByRole('textbox');
  await field.fill('ب');
  await userEvent.keyboard('{Tab}');
  await expect.element(field).toHaveValue('B');
  await send();
  await expect.poll(() => answers).toEqual(['B']);
});

it('shows the title of a group unless the heading of its step says the same', async () => {
  const inner: FormField = { name: 'inner', kind: 'text', title: plate, required: true };
  const heightOf = (name: string) =>
    page.getByText(name, { exact: true }).first().element().closest('legend')?.clientHeight ?? 0;
  await renderField({ kind: 'group', title: partner, itemTitle: plate, fields: [inner as never] });
  await expect.poll(() => heightOf('Partner')).toBeGreaterThan(10);
  await renderField({ kind: 'group', itemTitle: plate, fields: [inner as never] });
  await expect.element(page.getByRole('group', { name: 'Field', exact: true })).toBeInTheDocument();
  expect(heightOf('Field')).toBeLessThan(2);
});

it('opens the keyboard of digits for a pattern of digits', async () => {
  await renderField({ kind: 'text', pattern: '^(19|20)[0-9]{2}$', maxLength: 4 });
  await expect
    .element(page.getByRole('textbox', { name: 'Field' }))
    .toHaveAttribute('inputmode', 'numeric');
});

/** What somebody types or chooses in a field of each kind, and what it shows when they leave it. */
const box = () => page.getByRole('textbox').first();
const typings: Record<(typeof singleKinds)[number], () => Promise<unknown>> = {
  text: () => box().fill('Sara'),
  longText: () => box().fill('Two\nlines'),
  number: () => box().fill('١٥'),
  money: () => box().fill('125000.5'),
  date: () => box().fill('28/2/2020'),
  choice: () => page.getByRole('radio', { name: 'two' }).click(),
  choices: () => page.getByRole('checkbox', { name: 'two' }).click(),
  yesNo: () => page.getByRole('radio', { name: 'Yes' }).click(),
  emiratesId: () => box().fill('784199012345676'),
  mobile: () => box().fill('٠٥٠١٢٣٤٥٦٧'),
  email: () => box().fill('sara@example.com'),
  iban: () => box().fill('ae070331234567890123456'),
  trn: () => box().fill('100123456789012'),
  nationality: async () => {
    await page.getByRole('combobox').fill('Jord');
    await page.getByRole('option', { name: 'Jordan' }).click();
  },
  emirate: () => page.getByRole('radio', { name: 'Dubai' }).click(),
  address: async () => {
    await page.getByRole('textbox', { name: /Area/ }).fill('Al Barsha');
    await page.getByRole('textbox', { name: /Street/ }).fill('Street 4');
    await page.getByRole('textbox', { name: /Makani/ }).fill('1234567890');
  },
};

const shownNow = () =>
  [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map((input) =>
    ['radio', 'checkbox'].includes(input.type) ? input.checked : input.value,
  );

it.each(singleKinds.flatMap((kind) => [[kind, false] as const, [kind, true] as const]))(
  'shows a stored %s as it was when its author left it, in an item of a group: %s',
  async (kind, isInItem) => {
    const options = ['one', 'two'].map((value) => ({ const: value, title: english(value) }));
    const single: FormField = {
      name: isInItem ? 'inner' : 'field',
      kind,
      title: plate,
      required: kind !== 'address',
      ...(kind === 'choice' || kind === 'choices' ? { oneOf: options } : {}),
    };
    const field: FormField = isInItem
      ? {
          name: 'field',
          kind: 'group',
          title,
          itemTitle: partner,
          minItems: 1,
          required: true,
          fields: [single as never],
        }
      : single;
    let draft: Record<string, unknown> = {};
    const sent: unknown[] = [];
    const show = (answers: Record<string, unknown>) =>
      renderComponent(
        <Sample
          key={JSON.stringify(answers)}
          field={field}
          answers={answers}
          onAnswers={(values) => (draft = values)}
          onSubmit={(answer) => sent.push(answer)}
        />,
      );
    const first = await show({});
    await typings[kind]();
    // A tab would lead to the month of a date.
    (document.activeElement as HTMLElement).blur();
    await expect.poll(shownNow).toContainEqual(expect.toSatisfy(Boolean));
    const left = shownNow();
    if (kind !== 'address') {
      await send();
      await expect.poll(() => sent.length).toBe(1);
    }
    await first.unmount();
    // A draft, and what a correction, an objection or a copied request begin with.
    const stored = JSON.parse(JSON.stringify(draft)) as Record<string, unknown>;
    const cleaned =
      kind === 'address'
        ? JSON.parse(JSON.stringify(draft).replace('12345 67890', '1234567890'))
        : { field: sent[0] };
    for (const answers of [stored, cleaned]) {
      const again = await show(answers as Record<string, unknown>);
      await expect.poll(shownNow).toEqual(left);
      await again.unmount();
    }
  },
);

it.each([
  ['number', '1,5', 'Write a number, for example 1,500'],
  ['money', '1,5', 'Write an amount, for example 1,500.50'],
  ['money', '12.345', 'Write an amount, for example 1,500.50'],
] as const)(
  'keeps a %s that is not clear, %s, in the draft, and asks about it after a reload',
  async (kind, typed, message) => {
    const drafts: Record<string, unknown>[] = [];
    const field: FormField = { name: 'field', kind, title, required: true };
    const sent: unknown[] = [];
    const sample = (answers: Record<string, unknown>) => (
      <Sample
        field={field}
        answers={answers}
        onAnswers={(values) => drafts.push(values)}
        onSubmit={(answer) => sent.push(answer)}
      />
    );
    const box = page.getByRole('textbox', { name: 'Field' });
    const first = await renderComponent(sample({}));
    await box.fill(typed);
    await expect.poll(() => drafts.at(-1)).toEqual({ field: typed });
    // Drafts are stored as JSON.
    const stored = JSON.parse(JSON.stringify(drafts.at(-1))) as Record<string, unknown>;
    await first.unmount();
    await renderComponent(sample(stored));
    await expect.element(box).toHaveValue(typed);
    await send();
    await expect.element(page.getByText(message)).toBeVisible();
    await box.fill('1,500');
    await send();
    await expect.poll(() => sent).toEqual([kind === 'money' ? 150_000 : 1500]);
  },
);

it.each([
  ['number', 12],
  ['money', 150_000],
  ['text', 'one'],
  ['longText', 'one'],
  ['mobile', '+971501234567'],
  ['email', 'a@example.ae'],
] as const)('can be emptied, a %s that a draft has, and is missing then', async (kind, stored) => {
  const sent: unknown[] = [];
  const field: FormField = { name: 'field', kind, title, required: true };
  await renderComponent(
    <Sample field={field} answers={{ field: stored }} onSubmit={(answer) => sent.push(answer)} />,
  );
  const box = page.getByRole('textbox', { name: 'Field' });
  await box.fill('');
  await expect.element(box).toHaveValue('');
  await send();
  await expect.element(box).toBeInvalid();
  await expect.element(box).toHaveValue('');
  expect(sent).toEqual([]);
});
