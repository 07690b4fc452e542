import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { renderComponent, useLanguageOfTest } from '../../../testing/render-page.tsx';
import { FormFields, FormFieldsSummary } from './form-fields.tsx';
import { useAnswersForm } from './use-answers-form.ts';

const title = { 'ar-EG': 'حقل', 'en-US': 'Field', 'ur-PK': 'خانہ' };

function Sample({ field, onSubmit }: { field: FormField; onSubmit: (answer: unknown) => void }) {
  const step = { name: 'step', title, fields: [field] };
  const form: ServiceForm = { steps: [step] };
  const answersForm = useAnswersForm({ form, stepIndex: 0, answers: {} });
  return (
    <form noValidate onSubmit={answersForm.submit(({ field: answer }) => onSubmit(answer))}>
      <FormFieldsSummary form={form} answersForm={answersForm} />
      <FormFields form={form} step={step} answersForm={answersForm} />
      <button type="submit">Send</button>
    </form>
  );
}

async function renderField(parts: Partial<FormField> & Pick<FormField, 'kind'>) {
  const answers: unknown[] = [];
  const field: FormField = { name: 'field', title, required: true, ...parts };
  await renderComponent(<Sample field={field} onSubmit={(answer) => answers.push(answer)} />);
  return answers;
}

const send = () => page.getByRole('button', { name: 'Send' }).click();

beforeEach(() => useLanguageOfTest('en-US'));

it.each([
  ['text', '   ', /Fill in this field|Spaces alone/, 'Sara', 'Sara'],
  ['mobile', '04 123 4567', /UAE mobile number/, '٠٥٠ ١٢٣ ٤٥٦٧', '+971501234567'],
  ['email', 'sara@example', /e-mail address/, 'sara@example.com', 'sara@example.com'],
  [
    'emiratesId',
    '784-1990-1234567-1',
    /15 digits and begins with 784/,
    '784-1990-1234567-6',
    '784-1990-1234567-6',
  ],
  [
    'iban',
    'AE070331234567890123457',
    /The IBAN is not right/,
    'ae07 0331 2345 6789 0123 456',
    'AE070331234567890123456',
  ],
  ['trn', '200123', /tax registration number is not right/, '100123456789012', '100123456789012'],
  ['number', 'x', /not right/, '١٢', 12],
  ['money', 'ten', /not right/, '12.5', 1250],
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

it('leaves out an optional answer that is empty', async () => {
  const answers = await renderField({ kind: 'email', required: false });
  await send();
  await expect.poll(() => answers.length).toBe(1);
  expect(answers[0] ?? '').toBe('');
});
