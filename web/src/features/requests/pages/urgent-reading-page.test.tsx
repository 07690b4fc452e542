import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { profileRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getProfile } from '@diwan/contract/people/users';
import { openUrgently } from '@diwan/contract/staff/urgent-reading';

async function openPage(readsUrgently: boolean) {
  signInAs('Employee');
  await useLanguageOfTest('en-US');
  answerCall(getProfile, profileRecord({ allAgencies: false, agencies: [], readsUrgently }));
  await renderPage('/requests/urgent');
}
const field = (name: string) => page.getByRole('textbox', { name });

it('says who gives the right to an employee without it', async () => {
  await openPage(false);
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent('You do not have the right to read urgently');
  expect(page.getByRole('button', { name: 'Open the request to read' }).elements()).toEqual([]);
});

it('asks for everything, and shows what is wrong beside its field', async () => {
  let error = 'IncorrectPassword' as 'IncorrectPassword' | 'RequestInScope';
  const asked = answerCall(openUrgently, () => {
    throw refuse(400, error, `message of ${error}`);
  });
  await openPage(true);
  const open = page.getByRole('button', { name: 'Open the request to read' });
  await expect.element(page.getByRole('main')).toMatchTextContent('Others learn of it immediately');
  await open.click();
  const main = page.getByRole('main');
  await expect.element(main).toMatchTextContent('Enter the request number');
  await expect.element(main).toMatchTextContent('Confirm that you know this');
  expect(asked).toEqual([]);
  await field('Request number').fill('DW-2026-100200');
  await page.getByRole('radio', { name: 'Someone’s life or health is in danger' }).click();
  await field('What happened, and what do you need to know?').fill('too short');
  await page.getByLabelText('Password', { exact: true }).fill('secret');
  await page.getByRole('checkbox').click();
  await open.click();
  await expect.element(main).toMatchTextContent('Enter at least 20 characters');
  expect(asked).toEqual([]);
  await field('What happened, and what do you need to know?').fill(
    'The hospital needs the blood group now',
  );
  await open.click();
  await expect
    .element(page.getByLabelText('Password', { exact: true }))
    .toHaveAccessibleDescription(/message of IncorrectPassword/);
  error = 'RequestInScope';
  await open.click();
  await expect
    .element(field('Request number'))
    .toHaveAccessibleDescription(/message of RequestInScope/);
  expect(asked[1]?.body).toEqual({
    requestNumber: 'DW-2026-100200',
    reason: 'danger',
    reasonText: 'The hospital needs the blood group now',
    password: 'secret',
    isConfirmed: true,
  });
});
