import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '#lib/api/query-client.ts';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse, refuseFields } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import {
  getText,
  getTexts,
  previewTextImport,
  previewTextReplacement,
  saveText,
  saveTexts,
  type TextEntry,
} from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';
import { getNotifications } from '@diwan/contract/staff/notifications';
import type { BodyInputOf, ReplyOf } from '@diwan/contract/wire/call';

const plain = (text: string, shipped = text) =>
  ({ form: '', shipped, text, isOverridden: text !== shipped }) as const;
const question: TextEntry = {
  noun: 'home',
  key: 'question',
  version: 3,
  texts: {
    'ar-EG': [plain('كيف يمكننا مساعدتك؟')],
    'en-US': [plain('What do you need?', 'How can we help you?')],
    'ur-PK': [plain('ہم آپ کی کیا مدد کر سکتے ہیں؟')],
  },
};
const forms = (names: readonly ('one' | 'two' | 'few' | 'many' | 'other')[]) =>
  names.map((form) => ({ ...plain(`{{count}} ${form}`), form }));
const counted: TextEntry = {
  noun: 'home',
  key: 'servicesCount',
  version: 0,
  texts: {
    'ar-EG': forms(['one', 'two', 'few', 'many', 'other']),
    'en-US': forms(['one', 'other']),
    'ur-PK': forms(['one', 'other']),
  },
};
const counts = { overridden: 1, shippedChanged: 0, missing: 0, warned: 2 };

beforeEach(() => {
  signInAs('Admin');
  answerCall(getTexts, { ...pageOf([question, counted]), nouns: ['home', 'errors'], counts });
  answerCall(getText, question);
  answerCall(getChanges, pageOf([]));
});

const field = (name: string) => page.getByRole('textbox', { name });
const button = (name: string) => page.getByRole('button', { name });
const open = (path: string) => renderPage(`/dashboard/texts${path}`);

it('lists texts in three languages with the pages that show them, and opens one', async () => {
  await open('');
  const row = page
    .getByRole('row')
    .filter({ hasText: 'How' })
    .or(page.getByRole('row').filter({ hasText: 'What do you need?' }));
  await expect.element(row).toMatchTextContent(/كيف يمكننا مساعدتك.*What do you need.*کیا مدد/);
  await expect.element(row).toMatchTextContent('معدّل هنا');
  await expect.element(row.getByRole('link', { name: '/home' })).toBeVisible();
  await row.getByRole('link', { name: 'question' }).click();
  await expect.element(field('English')).toHaveValue('What do you need?');
});

it('saves what is edited, shows it, and takes it back', async () => {
  const sent = answerCall(saveText, (received) => {
    const { version, texts } = received.body as BodyInputOf<typeof saveText>;
    const english = plain(texts[0]?.text ?? '', 'How can we help you?');
    return {
      entry: {
        ...question,
        version: version + 1,
        texts: { ...question.texts, 'en-US': [english] },
      },
      textsVersion: 'abc',
    };
  });
  await open('?text=home%3Aquestion');
  await expect.element(page.getByText('How can we help you?')).toBeVisible();
  await field('English').fill('What can we do?');
  await expect.element(page.getByText('نص واحد غير محفوظ')).toBeVisible();
  await button('حفظ النصوص').click();
  await button('التراجع عن التعديل').click();
  await expect.element(field('English')).toHaveValue('What do you need?');
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        noun: 'home',
        key: 'question',
        version: 3,
        texts: [{ language: 'en-US', form: '', text: 'What can we do?' }],
      },
      {
        noun: 'home',
        key: 'question',
        version: 4,
        texts: [{ language: 'en-US', form: '', text: 'What do you need?' }],
      },
    ]);
  expect(document.documentElement.dataset['texts']).toBe('abc');
  delete document.documentElement.dataset['texts'];
});

/** The question with another English text, as the server has it after a save. */
const savedQuestion = (version: number, english: string): TextEntry => ({
  ...question,
  version,
  texts: { ...question.texts, 'en-US': [plain(english, 'How can we help you?')] },
});

it('discards what is typed since the last save, not what is saved', async () => {
  answerCall(saveText, () => {
    const entry = savedQuestion(4, 'What can we do?');
    answerCall(getText, entry);
    return { entry, textsVersion: '' };
  });
  await open('?text=home%3Aquestion');
  await field('English').fill('What can we do?');
  await button('حفظ النصوص').click();
  await expect.element(button('التراجع عن التعديل')).toBeVisible();
  await field('English').fill('What else?');
  // Somebody else saves another text, and the page reads it.
  const read = answerCall(getText, savedQuestion(5, 'Theirs'));
  await queryClient.invalidateQueries({ queryKey: [getText.name] });
  expect(read).toHaveLength(1);
  await button('تجاهل التغييرات').click();
  await expect.element(field('English')).toHaveValue('What can we do?');
  await expect.element(button('تجاهل التغييرات')).not.toBeInTheDocument();
  await expect.element(button('حفظ النصوص')).toBeDisabled();
});

it('takes a change back when the server has, and keeps what is typed meanwhile', async () => {
  const undone = holdReply<ReplyOf<typeof saveText>>();
  const sent = answerCall(saveText, ({ body }) => {
    const { version, texts } = body as BodyInputOf<typeof saveText>;
    if (sent.length === 2) throw refuse(500, 'InternalServerError', 'Try again');
    if (sent.length === 3) return undone.reply;
    return { entry: savedQuestion(version + 1, texts[0]?.text ?? ''), textsVersion: '' };
  });
  await open('?text=home%3Aquestion');
  await field('English').fill('What can we do?');
  await button('حفظ النصوص').click();
  await button('التراجع عن التعديل').click();
  // A refused one leaves the saved text, and can be sent again.
  await expect.element(page.getByText('Try again')).toBeVisible();
  await expect.element(field('English')).toHaveValue('What can we do?');
  await expect.element(button('حفظ النصوص')).toBeDisabled();
  await button('التراجع عن التعديل').click();
  await expect.poll(() => sent).toHaveLength(3);
  await expect.element(field('English')).toHaveValue('What can we do?');
  await field('اردو').fill('میرا');
  undone.release({ entry: savedQuestion(5, 'What do you need?'), textsVersion: '' });
  await expect.element(field('English')).toHaveValue('What do you need?');
  await expect.element(field('اردو')).toHaveValue('میرا');
  await expect.element(page.getByText('نص واحد غير محفوظ')).toBeVisible();
});

it('shows a wrong text at its field, and has what was typed after another page', async () => {
  answerCall(saveText, () => {
    throw refuseFields({ 'texts.en-US': ['Write plain text'] });
  });
  const { unmount } = await open('?text=home%3Aquestion');
  await field('English').fill('<b>What</b>');
  await button('حفظ النصوص').click();
  await expect.element(field('English')).toBeInvalid();
  await expect.element(field('English')).toHaveFocus();
  await expect.element(page.getByText('Write plain text')).toBeVisible();
  await unmount();
  await open('?text=home%3Aquestion');
  await expect.element(field('English')).toHaveValue('<b>What</b>');
  await button('تجاهل التغييرات').click();
  await expect.element(field('English')).toHaveValue('What do you need?');
});

it('shows both texts when somebody else was quicker', async () => {
  answerCall(saveText, () => {
    throw refuse(400, 'RecordHasChanged', 'تغيّر');
  });
  await open('?text=home%3Aquestion');
  await field('English').fill('Mine');
  answerCall(getText, {
    ...question,
    version: 4,
    texts: { ...question.texts, 'en-US': [plain('Theirs', 'How can we help you?')] },
  });
  await button('حفظ النصوص').click();
  const choice = page.getByRole('status').filter({ hasText: 'Theirs' });
  await expect.element(choice).toMatchTextContent('Mine');
  await choice.getByRole('button').last().click();
  await expect.element(field('English')).toHaveValue('Theirs');
});

it('keeps what is typed in the tab, asks before it is closed, and shows a conflict on return', async () => {
  const { unmount } = await open('?text=home%3Aquestion');
  await field('English').fill('Mine');
  await expect
    .poll(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
    .toBe(false);
  await unmount();
  // A page that is loaded again has nothing in memory.
  queryClient.clear();
  const theirs = {
    ...question,
    version: 4,
    texts: { ...question.texts, 'en-US': [plain('Theirs', 'How can we help you?')] },
  };
  answerCall(getText, theirs);
  const sent = answerCall(saveText, ({ body }) => {
    if ((body as BodyInputOf<typeof saveText>).version === 3) throw refuse(409, 'RecordHasChanged');
    return { entry: { ...theirs, version: 5 }, textsVersion: '' };
  });
  await open('?text=home%3Aquestion');
  await expect.element(field('English')).toHaveValue('Mine');
  await button('حفظ النصوص').click();
  await expect.element(page.getByText('Theirs')).toBeVisible();
  await button('حفظ نسختي').click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([{ version: 3 }, { version: 4, texts: [{ language: 'en-US', text: 'Mine' }] }]);
});

it('keeps what is typed while a text is saved, and leaves other texts alone', async () => {
  const ours = { ...plain('Ours', 'Shipped now'), shippedThen: 'Shipped then' };
  const entry = { ...question, texts: { ...question.texts, 'en-US': [ours] } };
  answerCall(getText, entry);
  const sent = answerCall(saveText, async ({ body }) => {
    const { version, texts } = body as BodyInputOf<typeof saveText>;
    if (version === 4) await field('English').fill('Mine, and more');
    const english = plain(texts[0]?.text ?? '', 'Shipped now');
    return {
      entry: { ...entry, version: version + 1, texts: { ...entry.texts, 'en-US': [english] } },
      textsVersion: '',
    };
  });
  await open('?text=home%3Aquestion');
  await field('اردو').fill('میرا');
  await button('الاحتفاظ بنصنا').click();
  await expect.element(page.getByText('Shipped then')).not.toBeInTheDocument();
  await expect.element(field('اردو')).toHaveValue('میرا');
  await field('English').fill('Mine');
  await button('حفظ النصوص').click();
  await expect.poll(() => sent).toHaveLength(2);
  await expect.element(page.getByText('نص واحد غير محفوظ')).toBeVisible();
  await expect.element(field('English')).toHaveValue('Mine, and more');
});

it('has a field for each plural form of each language', async () => {
  answerCall(getText, counted);
  await open('?text=home%3AservicesCount');
  await expect.element(field('العربية، من 3 إلى 10')).toHaveValue('{{count}} few');
  expect(page.getByRole('textbox').elements()).toHaveLength(9);
});

it('shows a shipped text that has changed, and keeps ours', async () => {
  answerCall(getText, {
    ...question,
    texts: {
      ...question.texts,
      'en-US': [{ ...plain('Ours', 'Shipped now'), shippedThen: 'Shipped then' }],
    },
  });
  const sent = answerCall(saveText, { entry: question, textsVersion: '' });
  await open('?text=home%3Aquestion');
  await expect.element(page.getByText('Shipped then')).toBeVisible();
  await expect.element(page.getByText('Shipped now')).toBeVisible();
  await button('الاحتفاظ بنصنا').click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([{ texts: [{ language: 'en-US', form: '', text: 'Ours' }] }]);
});

it('a page that is open shows a text that somebody corrects with the next reply, and keeps what is typed', async () => {
  await open('?text=home%3Aquestion');
  await field('English').fill('What can we do?');
  await expect.element(button('حفظ النصوص')).toBeVisible();
  const { fetch } = window;
  let corrected: string | undefined = 'احفظها الآن';
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    // What cannot be loaded keeps its texts.
    if (String(input).startsWith('/locales/ar-EG/shell.json')) throw new TypeError('no connection');
    const reply = await fetch(input, init);
    if (!String(input).startsWith('/locales/ar-EG/texts.json') || corrected === undefined)
      return reply;
    return new Response((await reply.text()).replace('حفظ النصوص', corrected));
  });
  let version = 'c0ffee';
  answerCall(
    getNotifications,
    () =>
      Response.json(
        { items: [], pageNumber: 1, totalCount: 0, unreadCount: 0 },
        { headers: { 'texts-version': version } },
      ) as never,
  );
  await queryClient.invalidateQueries({ queryKey: [getNotifications.name] });
  await expect.element(button('احفظها الآن')).toBeVisible();
  await expect.element(field('English')).toHaveValue('What can we do?');
  await expect.element(page.getByRole('button', { name: /حسابي/ })).toBeVisible();
  expect(document.documentElement.dataset['texts']).toBe('c0ffee');

  [corrected, version] = [undefined, 'none'];
  await queryClient.invalidateQueries({ queryKey: [getNotifications.name] });
  await expect.element(button('حفظ النصوص')).toBeVisible();
  expect(document.documentElement.dataset['texts']).toBeUndefined();
});

const place = (key: string, problem?: string) => ({
  noun: 'home',
  key,
  version: 2,
  language: 'en-US' as const,
  form: '' as const,
  before: `Old ${key}`,
  after: `New ${key}`,
  ...(problem ? { problem } : {}),
});

it('replaces a wording in the chosen places, and takes it back', async () => {
  const asked = answerCall(previewTextReplacement, {
    places: [place('one'), place('two'), place('three', 'Keep {{count}}')],
    totalCount: 3,
  });
  const sent = answerCall(saveTexts, { saved: 1, textsVersion: '' });
  await open('?change=replace');
  await field('العبارة كما كُتبت تمامًا').fill('Old');
  await field('تُستبدل بـ').fill('New');
  await button('عرض المواضع').click();
  await expect.element(page.getByText('Keep {{count}}')).toBeVisible();
  expect(Object.fromEntries(asked[0]!.query)).toMatchObject({ Find: 'Old', Replace: 'New' });
  await page.getByRole('checkbox', { name: /home:two/ }).click();
  await button('حفظ موضع واحد').click();
  const saved = { noun: 'home', key: 'one', language: 'en-US', form: '' };
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ places: [{ ...saved, version: 2, text: 'New one' }] }]);
  await button('تراجع').click();
  await expect
    .poll(() => sent[1]?.body)
    .toEqual({ places: [{ ...saved, version: 3, text: 'Old one' }] });
});

it('shows what an archive changes and what is wrong before it is imported', async () => {
  answerCall(previewTextImport, {
    places: [place('one')],
    totalCount: 1,
    problems: [{ file: 'web/public/locales/en-US/home.json', key: 'gone', problem: 'No such key' }],
  });
  await open('?change=import');
  await expect.element(button('اختيار ملف مضغوط')).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const files = new DataTransfer();
  files.items.add(new File(['PK archive'], 'texts.zip', { type: 'application/zip' }));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.element(page.getByText(/home\.json: gone/)).toBeVisible();
  await expect.element(page.getByText('No such key')).toBeVisible();
  await expect.element(button('حفظ موضع واحد')).toBeEnabled();
});
