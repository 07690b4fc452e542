import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuseFields } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getPortalDetails, savePortalDetails } from '@diwan/contract/content/portal-details';
import { getChanges } from '@diwan/contract/people/changes';
import { getPortalReadiness } from '@diwan/contract/portal/readiness';

const text = (name: string) => ({ 'ar-EG': `${name} ع`, 'en-US': name, 'ur-PK': `${name} ا` });
const blank = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };
const details = {
  name: text('Services'),
  shortName: blank,
  supportPhone: '800 1234',
  supportEmail: '',
  supportHours: blank,
  social: [{ name: 'X', url: 'https://x.example' }],
  cards: [],
  banner: blank,
  version: 3,
};
const main = page.getByRole('main');
const name = () => main.getByRole('group', { name: 'اسم البوابة' }).getByLabelText('English');

beforeEach(() => {
  answerCall(getPortalDetails, details);
  answerCall(getPortalReadiness, { done: ['name'], isFirstDayHidden: true });
  answerCall(getChanges, pageOf([]));
  signInAs('Admin');
});

it('saves what was typed over the version that was shown', async () => {
  const sent = answerCall(savePortalDetails, { ...details, version: 4 });
  await renderPage('/dashboard/portal');
  await name().fill('Sharjah');
  await main.getByRole('button', { name: 'إضافة رابط' }).click();
  await main.getByRole('button', { name: 'إزالة الرابط الجديد' }).click();
  await main.getByRole('button', { name: 'حفظ', exact: true }).click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({
    version: 3,
    name: { ...text('Services'), 'en-US': 'Sharjah' },
    social: details.social,
  });
  expect(sent[0]?.body).not.toHaveProperty('logo');
});

it('shows an error beside its field, and what is missing before going live', async () => {
  await renderPage('/dashboard/portal');
  await expect.element(name()).toHaveValue('Services');
  answerCall(savePortalDetails, () => {
    throw refuseFields({ 'name.en-US': ['Plain text only'] });
  });
  await main.getByRole('button', { name: 'حفظ', exact: true }).click();
  await expect.element(main.getByText('Plain text only')).toBeVisible();
  const missing = main.getByRole('region', { name: 'قبل الإطلاق' });
  await expect.element(missing.getByText('SEAL_CERTIFICATE_FILE')).toBeVisible();
  expect(missing.getByRole('link', { name: 'تسمية البوابة' }).elements()).toEqual([]);
});
