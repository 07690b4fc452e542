import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import * as calls from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { answerCall, refuse } from '../../testing/answer-calls.ts';
import { renderPage, signInAs } from '../../testing/render-page.tsx';

const text = (english: string) => ({ 'ar-EG': 'نص', 'en-US': english, 'ur-PK': 'متن' });
const document: DraftDocument = {
  replacedName: 'extract',
  name: text('Extract'),
  description: text('An extract'),
  agencyId: 1,
  categoryId: 1,
  accountTypeIds: [1],
  form: { steps: [] },
  attachments: [],
  eligibility: [],
  fees: [],
  terms: text('Terms'),
  steps: [text('Send')],
  result: text('Result'),
  issuesDocument: false,
  workingDays: 3,
  workflowId: null,
  availableFrom: null,
  availableUntil: null,
};
const design: calls.ServiceDesign = {
  serviceId: 7,
  document,
  version: 2,
  isPublished: true,
  isRetired: false,
  isOutdated: false,
  problems: [],
};
const button = (name: string) => page.getByRole('button', { name });
const json = page.getByRole('textbox', { name: 'الخدمة بصيغة JSON' });

async function open(shown: calls.ServiceDesign = design) {
  answerCall(calls.getServiceDesign, shown);
  answerCall(calls.getServiceVersions, []);
  answerCall(calls.compareServiceVersions, []);
  signInAs('Admin');
  await renderPage('/dashboard/services/7');
  await expect.element(json).toBeVisible();
}

it('saves what was typed with the version that was read; a refusal keeps the text', async () => {
  await open();
  const sent = answerCall(calls.saveServiceDraft, () => {
    throw refuse(400, 'RecordHasChanged', 'عدّله شخص آخر');
  });
  await json.fill(JSON.stringify({ ...document, workingDays: 9 }));
  await button('حفظ المسودة').click();
  await expect.element(page.getByText('عدّله شخص آخر')).toBeVisible();
  expect(sent[0]?.body).toMatchObject({ serviceId: 7, version: 2 });
  await expect.element(json).toHaveValue(JSON.stringify({ ...document, workingDays: 9 }));
});

it('does not save broken JSON, and does not publish a draft with errors', async () => {
  const problem = {
    severity: 'error' as const,
    code: 'accountTypeMissing' as const,
    place: 'accountTypeIds',
    params: {},
  };
  await open({ ...design, problems: [problem] });
  await expect.element(page.getByText('accountTypeIds', { exact: true })).toBeVisible();
  await expect.element(button('النشر الآن')).toBeDisabled();
  await json.fill('{');
  await expect.element(button('حفظ المسودة')).toBeDisabled();
  await expect.element(page.getByText(/ليس JSON صالحًا/)).toBeVisible();
});
