import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { findFines } from '@diwan/contract/requests/request-costs';
import { FormDocuments } from './form-documents.ts';
import { FormFields } from './form-fields.tsx';
import { useAnswersForm } from './use-answers-form.ts';

const text = (name: string) => ({ 'ar-EG': name, 'en-US': name, 'ur-PK': name });
const plate: FormField = { name: 'plate', kind: 'text', title: text('Plate'), required: true };
const fines: FormField = {
  name: 'fines',
  kind: 'fines',
  title: text('Your fines'),
  required: true,
  register: 'rtaParking',
  findBy: ['plate'],
};
const step = { name: 'fines', title: text('Fines'), fields: [plate, fines] };
const form: ServiceForm = { steps: [step] };
/** The plate is asked in an earlier step, and all of its fines are paid. */
const payAll = { name: 'due', title: text('Due'), fields: [{ ...fines, payAll: true }] };
const renewal: ServiceForm = { steps: [{ ...step, fields: [plate] }, payAll] };
const due = [
  { number: 'PF-1', place: 'Deira', on: '2025-01-02', amount: 15_000, isInRequest: false },
  { number: 'PF-2', place: 'Al Satwa', on: '2025-03-04', amount: 20_000, isInRequest: false },
  { number: 'PF-3', place: 'Dubai Marina', on: '2025-05-06', amount: 50_000, isInRequest: true },
];

const onSubmit = vi.fn();
function Sample({ answers = {}, isNew = true }: { answers?: object; isNew?: boolean }) {
  const answersForm = useAnswersForm({ form, stepIndex: 0, answers: { ...answers } });
  return (
    <FormDocuments
      value={{ ...(isNew ? { serviceId: 7 } : {}), rules: [], uploads: {} as never, errors: {} }}
    >
      <form noValidate onSubmit={answersForm.submit((answered) => onSubmit(answered))}>
        <FormFields form={form} step={step} answersForm={answersForm} />
        <button type="submit">Send</button>
      </form>
    </FormDocuments>
  );
}

const find = () => page.getByRole('button', { name: 'Find fines' });
const send = () => page.getByRole('button', { name: 'Send' }).click();

function Renewal({ isNew = true, answers = {} }: { isNew?: boolean; answers?: object }) {
  const answersForm = useAnswersForm({
    form: renewal,
    stepIndex: 1,
    answers: { plate: '4193', ...answers },
  });
  return (
    <FormDocuments
      value={{ ...(isNew ? { serviceId: 7 } : {}), rules: [], uploads: {} as never, errors: {} }}
    >
      <form noValidate onSubmit={answersForm.submit((answered) => onSubmit(answered))}>
        <FormFields form={renewal} step={payAll} answersForm={answersForm} />
        <button type="submit">Send</button>
      </form>
    </FormDocuments>
  );
}

beforeEach(async () => {
  onSubmit.mockReset();
  await useLanguageOfTest('en-US');
  signInAs('Client');
});

it('finds fines when asked to, and sends those that were chosen', async () => {
  const received = answerCall(findFines, { fines: due });
  await renderComponent(<Sample />);
  await expect.element(find()).toBeDisabled();
  await page.getByRole('textbox', { name: 'Plate' }).fill('4123');
  expect(received).toHaveLength(0);
  await find().click();
  const deira = page.getByRole('checkbox', { name: /Deira/ });
  await expect.element(deira).toBeVisible();
  expect(received[0]?.body).toEqual({ serviceId: 7, field: 'fines', answers: { plate: '4123' } });
  await send();
  expect(onSubmit).not.toHaveBeenCalled();
  await expect.element(page.getByText('Choose at least one answer')).toBeVisible();
  await deira.click();
  await send();
  await expect.poll(() => onSubmit.mock.lastCall).toEqual([{ plate: '4123', fines: ['PF-1'] }]);
  await page.getByRole('button', { name: 'Choose all' }).click();
  await expect.element(page.getByText(/350.00/)).toBeVisible();
  await send();
  // What another open request pays cannot be chosen.
  await expect
    .poll(() => onSubmit.mock.lastCall)
    .toEqual([{ plate: '4123', fines: ['PF-1', 'PF-2'] }]);
});

it('forgets the fines of a plate that was changed, and says that none are due', async () => {
  const received = answerCall(findFines, ({ body }) => ({
    fines: (body as { answers: { plate: string } }).answers.plate === '4123' ? due : [],
  }));
  await renderComponent(<Sample answers={{ plate: '4123', fines: ['PF-1', 'PF-9'] }} />);
  // The chosen fines of a draft are looked up again; one that was paid meanwhile is left out.
  await expect.element(page.getByRole('checkbox', { name: /Deira/ })).toBeChecked();
  expect(received).toHaveLength(1);
  await send();
  await expect.poll(() => onSubmit.mock.lastCall).toEqual([{ plate: '4123', fines: ['PF-1'] }]);
  await userEvent.type(page.getByRole('textbox', { name: 'Plate' }), '0');
  await expect.element(page.getByRole('checkbox', { name: /Deira/ })).not.toBeInTheDocument();
  await find().click();
  await expect.element(page.getByText('No fines are due')).toBeVisible();
  onSubmit.mockReset();
  await send();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('keeps the answers while the register cannot be reached', async () => {
  answerCall(findFines, () => {
    throw refuse(503, 'FinesRegisterUnreachable', 'The register of fines cannot be reached.');
  });
  await renderComponent(<Sample answers={{ plate: '4123', fines: ['PF-1'] }} />);
  await expect.element(page.getByText('The register of fines cannot be reached.')).toBeVisible();
  await send();
  await expect.poll(() => onSubmit.mock.lastCall).toEqual([{ plate: '4123', fines: ['PF-1'] }]);
});

it('does not change the fines of a request that was sent', async () => {
  await renderComponent(<Sample isNew={false} answers={{ plate: '4123', fines: ['PF-1'] }} />);
  await expect.element(page.getByText('PF-1')).toBeVisible();
  await expect.element(page.getByText(/do not change/)).toBeVisible();
});

it('shows what is due without a choice, and what is in another request', async () => {
  const received = answerCall(findFines, { fines: due });
  await renderComponent(<Renewal />);
  await expect.element(page.getByText(/850.00/)).toBeVisible();
  expect(received[0]?.body).toMatchObject({ answers: { plate: '4193' } });
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument();
  await expect.element(page.getByText(/Pay it there or withdraw/)).toBeVisible();
  await send();
  await expect.poll(() => onSubmit.mock.lastCall).toBeDefined();
});

it('goes on when nothing is due, and says what happens while the register is silent', async () => {
  answerCall(findFines, { fines: [] });
  await renderComponent(<Renewal />);
  await expect.element(page.getByText('Nothing is added to the cost.')).toBeVisible();
  await expect.element(page.getByText(/optional/)).not.toBeInTheDocument();
  answerCall(findFines, () => {
    throw refuse(503, 'FinesRegisterUnreachable', 'The register of fines cannot be reached.');
  });
  await page.getByRole('button', { name: 'Find again' }).click();
  await expect.element(page.getByText(/sent once the register answers/)).toBeVisible();
  await send();
  await expect.poll(() => onSubmit.mock.lastCall).toBeDefined();
});

it('shows what a request that was sent pays, or that nothing was due', async () => {
  await renderComponent(<Renewal isNew={false} answers={{ fines: ['LF-1'] }} />);
  await expect.element(page.getByText('LF-1')).toBeVisible();
  await expect.element(page.getByText(/part of the cost of this request/)).toBeVisible();
  await renderComponent(<Renewal isNew={false} />);
  await expect.element(page.getByText('No fines are due')).toBeVisible();
});
