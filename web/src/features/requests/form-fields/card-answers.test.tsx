import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { readIdentityCard, type ReadCardReply } from '@diwan/contract/requests/attachments';
import { CardAnswers } from './card-answers.tsx';
import { FormFields } from './form-fields.tsx';
import { useAnswersForm } from './use-answers-form.ts';

const title = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
const readAs = (part: NonNullable<FormField['readFrom']>['part']) => ({
  attachment: 'passport',
  part,
});
const form: ServiceForm = {
  steps: [
    {
      name: 'holder',
      title: title('Holder'),
      fields: [
        {
          name: 'fullName',
          kind: 'text',
          title: title('Full name'),
          required: true,
          readFrom: readAs('name'),
        },
        {
          name: 'nationality',
          kind: 'nationality',
          title: title('Nationality'),
          required: true,
          readFrom: readAs('nationality'),
        },
        {
          name: 'expiry',
          kind: 'date',
          title: title('Expiry date'),
          required: true,
          readFrom: readAs('expiryDate'),
          formatMinimum: 'today',
        },
      ],
    },
  ],
};
const picture = (attachmentId: string) => ({
  attachmentId,
  name: 'passport',
  fileName: 'passport.jpg',
  size: 1,
  mediaType: 'image/jpeg',
});
const [front, back] = [
  '5f0c6a3e-8d0e-4d39-9d6e-0a4d2f7b1c01',
  '5f0c6a3e-8d0e-4d39-9d6e-0a4d2f7b1c02',
] as const;

const card: ReadCardReply = {
  kind: 'passport',
  isExpired: false,
  name: 'PRIYA ANAND KUMAR',
  documentNumber: 'Z1234567',
  birthDate: '1990-03-15',
  expiryDate: '2090-11-22',
  nationality: 'IN',
};

function Sample({ ids = [front], answers = {} }: { ids?: string[]; answers?: object }) {
  const answersForm = useAnswersForm({ form, stepIndex: 0, answers: { ...answers } });
  return (
    <>
      <CardAnswers
        form={form}
        answersForm={answersForm}
        attachment="passport"
        pictures={ids.map(picture)}
      />
      <FormFields form={form} step={form.steps[0]!} answersForm={answersForm} />
    </>
  );
}

const read = () => page.getByRole('region', { name: 'Read from your document' });
const fullName = () => page.getByRole('textbox', { name: 'Full name' });

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Client');
});

it('fills in what the person confirms, each answer or all', async () => {
  answerCall(readIdentityCard, card);
  await renderComponent(<Sample />);
  await expect.element(read()).toMatchTextContent('India');
  await expect.element(fullName()).toHaveValue('');
  await page.getByRole('button', { name: 'Use: Full name' }).click();
  await expect.element(fullName()).toHaveValue('Priya Anand Kumar');
  await expect.element(page.getByRole('textbox', { name: 'Year' })).toHaveValue('');
  await page.getByRole('button', { name: 'Use these answers' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Year' })).toHaveValue('2090');
  await expect.element(page.getByRole('combobox', { name: 'Nationality' })).toHaveValue('India');
  await expect.element(read()).toMatchTextContent('These answers are filled in');
});

it('says that a document has expired and does not suggest its day', async () => {
  answerCall(readIdentityCard, { ...card, isExpired: true, expiryDate: '2020-02-01' });
  await renderComponent(<Sample />);
  await expect.element(page.getByText(/expired on .1 Feb 2020/)).toBeVisible();
  await expect.element(read()).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: 'Use: Expiry date' }))
    .not.toBeInTheDocument();
});

it('reads the other side of a card where the newest picture shows no lines', async () => {
  const sent = answerCall(readIdentityCard, ({ params }) => (params[0] === front ? card : {}));
  await renderComponent(<Sample ids={[front, back]} />);
  await expect.element(read()).toBeVisible();
  await expect.poll(() => sent).toHaveLength(2);
});

it('explains a picture without a card, and a reading that failed', async () => {
  answerCall(readIdentityCard, {});
  await renderComponent(<Sample />);
  await expect.element(page.getByText(/We could not read this picture/)).toBeVisible();
  await expect.element(fullName()).toHaveValue('');
});

it('reads again after a failure', async () => {
  let isBusy = true;
  answerCall(readIdentityCard, () => {
    if (isBusy) throw refuse(503, 'ServerBusy');
    return card;
  });
  await renderComponent(<Sample />);
  await expect.element(page.getByText(/cannot be read now/)).toBeVisible();
  isBusy = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(read()).toBeVisible();
});

it('does not read a document whose answers are all given', async () => {
  const sent = answerCall(readIdentityCard, card);
  await renderComponent(
    <Sample answers={{ fullName: 'A', nationality: 'IN', expiry: '2090-01-01' }} />,
  );
  await expect.element(fullName()).toHaveValue('A');
  await expect.poll(() => sent).toEqual([]);
});
