import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse, refuseFields } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getCertificateTemplate,
  getCertificateTemplates,
  previewCertificate,
  saveCertificateTemplate,
  type Validity,
} from '@diwan/contract/content/certificates';
import { getChanges } from '@diwan/contract/people/changes';

const main = page.getByRole('main');
const inLanguages = (text: string) => ({
  'ar-EG': `${text} عربي`,
  'en-US': text,
  'ur-PK': `${text} اردو`,
});
const template = {
  serviceId: 7,
  serviceName: 'Renew a licence',
  title: inLanguages('Certificate'),
  body: inLanguages('{{applicant}}'),
  validity: { kind: 'none' } as Validity,
  isActive: true,
  version: 3,
};

async function open(path: string) {
  await useLanguageOfTest('en-US');
  answerCall(getCertificateTemplates, [template]);
  answerCall(getCertificateTemplate, {
    serviceName: 'Renew a licence',
    template,
    fields: [
      { name: 'tradeName', title: 'Trade name', isGroup: false, isDate: false },
      { name: 'until', title: 'Last day of the lease', isGroup: false, isDate: true },
      { name: 'partners', title: 'Partners', isGroup: true, isDate: false },
    ],
  });
  answerCall(getChanges, pageOf([]));
  signInAs('Admin');
  return renderPage(path);
}
const english = (legend: string) =>
  main.getByRole('group', { name: legend }).getByRole('textbox', { name: 'English' });

it('lists the templates with their state, and opens one', async () => {
  const { router } = await open('/dashboard/certificates');
  await expect.element(main.getByText('In use')).toBeVisible();
  await main.getByRole('link', { name: 'Edit the template: Renew a licence' }).click();
  expect(router.state.location.search).toBe('?edit=7');
  await expect.element(english('Title of the certificate')).toHaveValue('Certificate');
  await expect.element(main.getByText('{{field.tradeName}}', { exact: true })).toBeVisible();
});

it('keeps what was typed, names a wrong placeholder, and saves', async () => {
  await open('/dashboard/certificates?edit=7');
  const text = english('Text of the certificate');
  await text.fill('');
  await main.getByRole('button', { name: 'Save the template' }).click();
  await expect.element(main.getByText('Write the text in all languages')).toBeVisible();
  await text.fill('{{wrong}}');
  answerCall(saveCertificateTemplate, () => {
    throw refuseFields({ 'body.en-US': ['Not filled in: wrong'] });
  });
  await main.getByRole('button', { name: 'Save the template' }).click();
  await expect.element(main.getByText('Not filled in: wrong')).toBeVisible();
  await expect.element(text).toHaveValue('{{wrong}}');
  await text.fill('For {{applicant}}');
  const sent = answerCall(saveCertificateTemplate, template);
  await main.getByRole('button', { name: 'Save the template' }).click();
  await expect.element(page.getByText('The template is saved')).toBeVisible();
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({ serviceId: 7, version: 3, isActive: true });
});

it('shows what a colleague saved meanwhile, and saves over it on request', async () => {
  await open('/dashboard/certificates?edit=7');
  await english('Title of the certificate').fill('Mine');
  answerCall(getCertificateTemplate, {
    serviceName: 'Renew a licence',
    template: { ...template, title: { ...template.title, 'en-US': 'Theirs' }, version: 4 },
    fields: [],
  });
  answerCall(saveCertificateTemplate, () => {
    throw refuse(409, 'RecordHasChanged');
  });
  await main.getByRole('button', { name: 'Save the template' }).click();
  await expect.element(main.getByText('Theirs')).toBeVisible();
  const sent = answerCall(saveCertificateTemplate, template);
  await main.getByRole('button', { name: 'Save my version' }).click();
  await expect.poll(() => sent[0]?.body).toMatchObject({ version: 4, title: { 'en-US': 'Mine' } });
});

it('makes a preview of what is typed, in each language', async () => {
  await open('/dashboard/certificates?edit=7');
  const sent = answerCall(previewCertificate, { content: btoa('%PDF-1.7') });
  await main.getByRole('button', { name: 'Preview in العربية' }).click();
  await expect.poll(() => sent[0]?.body).toMatchObject({ serviceId: 7, language: 'ar-EG' });
});

it('asks how long certificates are valid, and sends the rule', async () => {
  await open('/dashboard/certificates?edit=7');
  const sent = answerCall(saveCertificateTemplate, template);
  const saveButton = main.getByRole('button', { name: 'Save the template' });
  await main.getByRole('radio', { name: /Until a day that the applicant answers/ }).click();
  await saveButton.click();
  await expect.element(main.getByText('Choose a date field')).toBeVisible();
  await main.getByRole('radio', { name: /For a period/ }).click();
  await main.getByRole('textbox', { name: 'How many' }).fill('0');
  await saveButton.click();
  await expect.element(main.getByText('Enter a whole number from 1 to 100')).toBeVisible();
  await main.getByRole('textbox', { name: 'How many' }).fill('3');
  await saveButton.click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([{ validity: { kind: 'period', count: 3, unit: 'years' } }]);
});

it('offers the answers of a group as a table and as a list', async () => {
  await open('/dashboard/certificates?edit=7');
  for (const shown of ['{{field.partners}}', '{{list.partners}}', '{{validUntil}}'])
    await expect.element(main.getByText(shown, { exact: true })).toBeVisible();
  expect(main.getByText('{{list.tradeName}}', { exact: true }).elements()).toEqual([]);
});
