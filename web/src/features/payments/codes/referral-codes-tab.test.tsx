import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import {
  endReferralCode,
  getReferralCodes,
  getReferralCodeUses,
  saveReferralCode,
  type ReferralCode,
} from '@diwan/contract/payments/referral-codes';

const address = '/dashboard/payments?tab=codes';
const code = (changes: Partial<ReferralCode> = {}): ReferralCode => ({
  code: 'CAMPAIGN-26',
  name: { 'ar-EG': 'حملة', 'en-US': 'Campaign', 'ur-PK': 'مہم' },
  validFrom: '2026-11-01',
  uses: 0,
  state: 'active',
  version: 3,
  ...changes,
});
const used = code({ code: 'DESK-1', uses: 2, mostUses: 5 });
const ended = code({ code: 'OLD-1', uses: 1, state: 'ended' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  answerCall(getAgencyRecords, []);
});

it('lists codes by status; used ones cannot be changed, ended ones not ended again', async () => {
  const asked = answerCall(getReferralCodes, pageOf([code(), used, ended]));
  await renderPage(address);
  await expect.element(button('Change the code CAMPAIGN-26')).toBeVisible();
  await expect.element(button('End the code DESK-1')).toBeVisible();
  await expect.element(button('Requests with the code DESK-1')).toMatchTextContent('2 of 5');
  expect(button('Change the code DESK-1').query()).toBeNull();
  expect(button('End the code OLD-1').query()).toBeNull();
  await renderPage(`${address}&state=ended`);
  await expect.poll(() => asked.at(-1)?.query.get('State')).toBe('ended');
});

it('adds a code after clear errors, and says beside the code that it exists', async () => {
  answerCall(getReferralCodes, pageOf<ReferralCode>([]));
  let isTaken = true;
  const saved = answerCall(saveReferralCode, () => {
    if (isTaken) throw refuse(409, 'ReferralCodeTaken', 'This code exists already.');
    return code();
  });
  await renderPage(address);
  await expect.element(page.getByText('There are no referral codes yet')).toBeVisible();
  await button('Add referral code').click();
  const field = page.getByRole('textbox', { name: 'Code', exact: true });
  await field.fill('a b');
  await button('Save code').click();
  await expect.element(field).toHaveAccessibleDescription(/Enter 3 to 40 English letters/);
  expect(saved).toEqual([]);
  await field.fill('campaign-26');
  const names = page.getByRole('group', { name: 'What the code stands for' });
  for (const language of ['العربية', 'English', 'اردو'])
    await names.getByRole('textbox', { name: language }).fill('Campaign');
  await button('Save code').click();
  await expect.element(field).toHaveAccessibleDescription(/This code exists already/);
  isTaken = false;
  await button('Save code').click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(saved.at(-1)?.body).toMatchObject({
    code: 'campaign-26',
    version: 0,
    name: { 'ar-EG': 'Campaign', 'en-US': 'Campaign', 'ur-PK': 'Campaign' },
  });
});

it('ends the version that is seen, after a question', async () => {
  answerCall(getReferralCodes, pageOf([used]));
  const ends = answerCall(endReferralCode, { ...used, state: 'ended' });
  await renderPage(address);
  await button('End the code DESK-1').click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/cannot be undone/);
  expect(ends).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'End code' }).click();
  await expect.poll(() => ends.at(-1)?.body).toEqual({ code: 'DESK-1', version: 3 });
});

it('opens the requests that used a code', async () => {
  answerCall(getReferralCodes, pageOf([used]));
  const asked = answerCall(
    getReferralCodeUses,
    pageOf([
      {
        requestNumber: 'DW26-11111-22222',
        serviceName: 'Trade licence',
        total: 31_500,
        sentAt: '2026-11-20T08:00:00.000Z',
      },
    ]),
  );
  await renderPage(address);
  await button('Requests with the code DESK-1').click();
  await expect
    .element(page.getByRole('link', { name: 'DW26-11111-22222' }))
    .toHaveAttribute('href', expect.stringContaining('request-number=DW26-11111-22222'));
  expect(asked.at(-1)?.query.get('Code')).toBe('DESK-1');
});
