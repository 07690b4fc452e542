import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { answerRequest, requestPath } from '#testing/answer-request.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  deleteSnippet,
  getSnippets,
  saveSnippet,
  type Snippet,
} from '@diwan/contract/people/snippets';
import { rejectRequest } from '@diwan/contract/requests/request-actions';

const own: Snippet = {
  snippetId: '10000000-0000-4000-8000-000000000001',
  name: 'Clearer photo',
  messageAr: 'أرفق صورة أوضح',
  messageEn: 'Attach a clearer photo',
  messageUr: '',
  isShared: false,
  canChange: true,
  version: 2,
};
const shared: Snippet = {
  ...own,
  snippetId: '10000000-0000-4000-8000-000000000002',
  name: 'Closed',
  messageAr: '',
  messageEn: 'The office is closed',
  isShared: true,
  canChange: false,
  owner: 'Noura',
};

const dialog = () => page.getByRole('dialog');
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name });
const box = (name: string | RegExp) => dialog().getByRole('textbox', { name });

beforeEach(async () => {
  signInAs('Employee');
  await useLanguageOfTest('en-US');
});

it('lists, adds, changes and deletes texts', async () => {
  answerCall(getSnippets, [own, shared]);
  const saved = answerCall(saveSnippet, ({ body }) => {
    if ((body as { name: string }).name === 'Closed')
      throw refuse(400, 'SnippetNameTaken', 'You already have a text with this name.');
    return [own];
  });
  const deleted = answerCall(deleteSnippet, []);
  await renderPage('/requests/saved-texts');
  const theirs = page.getByRole('listitem').filter({ hasText: 'The office is closed' });
  await expect.element(theirs).toMatchTextContent('Shared by \u2068Noura\u2069');
  await expect.element(theirs).toMatchTextContent('Not written: Arabic, Urdu');
  expect(theirs.getByRole('button').elements()).toHaveLength(0);

  await page.getByRole('button', { name: 'Add a text' }).click();
  await inDialog('Save text').click();
  await expect.element(box('Name of the text')).toHaveFocus();
  await box('Name of the text').fill('Closed');
  await inDialog('Save text').click();
  await expect.element(dialog()).toMatchTextContent('Write the text in at least one language');
  await box('English').fill('Closed today');
  await inDialog('Save text').click();
  await expect.element(dialog()).toMatchTextContent('You already have a text with this name.');
  await box('Name of the text').fill('Closed today');
  await inDialog('Save text').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .poll(() => saved.at(-1)?.body)
    .toEqual({
      name: 'Closed today',
      messageAr: '',
      messageEn: 'Closed today',
      messageUr: '',
      isShared: false,
    });
  await page.getByRole('button', { name: 'Edit: Clearer photo' }).click();
  await box('اردو').fill('واضح تصویر لگائیں');
  await inDialog('Save text').click();
  await expect
    .poll(() => saved.at(-1)?.body)
    .toMatchObject({
      snippetId: own.snippetId,
      version: 2,
      messageUr: 'واضح تصویر لگائیں',
    });
  await page.getByRole('button', { name: 'Delete: Clearer photo' }).click();
  await inDialog('Delete text').click();
  await expect.element(page.getByText('No saved texts yet')).toBeVisible();
  await expect.poll(() => deleted.map(({ body }) => body)).toEqual([{ snippetId: own.snippetId }]);
});

it('inserts a text into a message, says so, and keeps a new one', async () => {
  const record = requestRecordOf({
    attachments: [],
    allowedActions: ['reject'],
    applicantLanguage: 'ur-PK',
    version: 4,
  });
  answerRequest(record);
  answerCall(getSnippets, [own, shared]);
  const saved = answerCall(saveSnippet, [own, shared]);
  answerCall(rejectRequest, record);
  await renderPage(requestPath(record));
  await page.getByRole('button', { name: /Reject/ }).click();
  const choose = async (name: string) => {
    await inDialog(/Insert a saved text/).click();
    await page.getByRole('option', { name }).click();
  };
  await choose('Clearer photo');
  // The others are folded until something is written in them.
  await expect.element(box(/^English/)).toHaveValue('Attach a clearer photo');
  await expect
    .element(
      dialog()
        .getByRole('status')
        .filter({ hasText: /From the saved text “Clearer photo”/ }),
    )
    .toMatchTextContent('not written in the applicant’s language');
  // An unchanged text is replaced; what was typed stays.
  await choose('Closed');
  await expect.element(box(/^English/)).toHaveValue('The office is closed');
  await box(/^English/).fill('My own words');
  await expect.element(dialog().getByText(/From the saved text/)).not.toBeInTheDocument();
  await dialog().getByText('Save this text for later').click();
  await inDialog('Save text').click();
  await expect.element(dialog()).toMatchTextContent('Enter a name for the text');
  await box('Name of the text').fill('Own');
  await inDialog('Save text').click();
  await expect
    .poll(() => saved.map(({ body }) => body))
    .toEqual([
      {
        name: 'Own',
        messageAr: '',
        messageEn: 'My own words',
        messageUr: '',
        isShared: false,
      },
    ]);
  await choose('Closed');
  await expect.element(box(/^English/)).toHaveValue('My own words\n\nThe office is closed');
});
