import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { findAxeProblems } from '#testing/find-accessibility-problems.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getAttachmentTypes,
  getUsualAttachmentTypes,
  orderAttachmentTypes,
  saveAttachmentType,
  type AttachmentType,
} from '@diwan/contract/content/attachment-types';

const typeOf = (id: number, name: string, more: Partial<AttachmentType> = {}): AttachmentType => ({
  id,
  name: { 'ar-EG': 'مستند', 'en-US': name, 'ur-PK': 'دستاویز' },
  mediaTypes: ['application/pdf'],
  maximumBytes: 5_242_880,
  maximumCount: 1,
  isRetired: false,
  version: 1,
  ...more,
});
const types = [typeOf(1, 'Passport'), typeOf(2, 'Trade licence', { version: 4 })];
const dialog = page.getByRole('dialog');
const button = (name: string | RegExp) => page.getByRole('button', { name });

beforeEach(async () => {
  signInAs('Admin');
  answerCall(getAttachmentTypes, types);
  await useLanguageOfTest('en-US');
});

it('adds a type, and changes one that somebody else has changed meanwhile', async () => {
  let version = 4;
  const saved = answerCall(saveAttachmentType, (received) => {
    const sent = received.body as { version?: number };
    if (sent.version !== undefined && sent.version !== version)
      throw refuse(400, 'RecordHasChanged', 'changed');
    return types;
  });
  await renderPage('/dashboard/attachments?show=types');
  await button('Add a type of document').click();
  for (const [language, text] of [
    ['العربية', 'صورة'],
    ['English', 'Photo'],
    ['اردو', 'تصویر'],
  ] as const)
    await dialog.getByRole('textbox', { name: language }).first().fill(text);
  await dialog.getByRole('textbox', { name: /Maximum number/ }).fill('11');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText('Enter a whole number from 1 to 10')).toBeVisible();
  await dialog.getByRole('textbox', { name: /Maximum number/ }).fill('2');
  await dialog.getByRole('checkbox', { name: 'PDF' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => saved[0]?.body)
    .toMatchObject({
      name: { 'en-US': 'Photo' },
      mediaTypes: ['image/jpeg', 'image/png'],
      maximumBytes: 5_242_880,
      maximumCount: 2,
    });
  version = 5;
  answerCall(getAttachmentTypes, [types[0]!, { ...types[1]!, version, maximumCount: 3 }]);
  await button(/Edit .*Trade licence/).click();
  await dialog.getByRole('checkbox', { name: /Stop using this type/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await button('Save my version').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => saved.at(-1)?.body).toMatchObject({ id: 2, version: 5, isRetired: true });
});

it('puts types in order; the page has no accessibility problems', async () => {
  const ordered = answerCall(orderAttachmentTypes, types);
  await renderPage('/dashboard/attachments?show=types');
  await expect.element(page.getByText('Passport')).toBeVisible();
  expect(await findAxeProblems()).toEqual([]);
  await button('Change the order').click();
  await dialog.getByRole('button', { name: /Trade licence.* up/ }).click();
  await dialog.getByRole('button', { name: 'Save the order' }).click();
  await expect.poll(() => ordered[0]?.body).toEqual({ ids: [2, 1] });
});

it('opens the usual types by its address, as the first steps link to them', async () => {
  answerCall(getUsualAttachmentTypes, []);
  await renderPage('/dashboard/attachments?show=types&add=usual');
  await expect.element(dialog.getByRole('heading', { name: 'Add the usual ones' })).toBeVisible();
});
