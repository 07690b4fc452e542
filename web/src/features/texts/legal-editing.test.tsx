import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import {
  getLegalOrder,
  previewLegalText,
  saveLegalOrder,
  type LegalOrder,
} from '@diwan/contract/content/legal-pages';
import { getText, type TextEntry } from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';

const titles: Record<string, string> = { use: 'الاستخدام', fees: 'الرسوم', law: 'القانون' };
const section = (key: string) => ({ key, title: titles[key] ?? key });
const orderOf = (version: number, shown: string[], removed: string[] = []): LegalOrder => ({
  page: 'privacy',
  version,
  shown: shown.map(section),
  removed: removed.map(section),
});
const button = (name: string | RegExp) => page.getByRole('button', { name });
const path = '/dashboard/texts?change=sections&of=privacy';

beforeEach(() => {
  signInAs('Admin');
  answerCall(getChanges, pageOf([]));
  answerCall(getLegalOrder, orderOf(2, ['use', 'fees'], ['law']));
});

it('moves, removes and brings back sections, and publishes them', async () => {
  const sent = answerCall(saveLegalOrder, orderOf(3, ['fees', 'law'], ['use']));
  await renderPage(path);
  await expect.element(page.getByRole('link', { name: 'الاستخدام' })).toBeVisible();
  await expect.element(button('نشر')).toBeDisabled();
  await button('نقل إلى أسفل: الاستخدام').click();
  await button(/^إعادة.*القانون/).click();
  await button('حذف: الاستخدام').click();
  await expect.element(page.getByText('لم يُنشر التغيير بعد.')).toBeVisible();
  answerCall(getLegalOrder, orderOf(3, ['fees', 'law'], ['use']));
  await button('نشر').click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ page: 'privacy', version: 2, shown: ['fees', 'law'] }]);
  await expect.element(button('نشر')).toBeDisabled();
});

it('offers the choice when somebody else has published meanwhile', async () => {
  answerCall(saveLegalOrder, () => {
    answerCall(getLegalOrder, orderOf(3, ['use']));
    throw refuse(400, 'RecordHasChanged');
  });
  await renderPage(path);
  await button('نقل إلى أسفل: الاستخدام').click();
  await button('نشر').click();
  const choice = page.getByRole('status').filter({ hasText: 'الاستخدام' });
  await expect.element(choice).toMatchTextContent('الرسوم');
  await choice.getByRole('button').last().click();
  await expect.element(button('نقل إلى أسفل: الرسوم')).not.toBeInTheDocument();
});

it('shows a text as people would read it, and says when it is older than what is typed', async () => {
  const plain = (text: string) => ({ form: '', shipped: text, text, isOverridden: false }) as const;
  const entry: TextEntry = {
    noun: 'legal',
    key: 'privacy.keeping.text',
    version: 0,
    texts: {
      'ar-EG': [plain('مدة الحفظ {{draftPeriod}}')],
      'en-US': [plain('Kept {{draftPeriod}}')],
      'ur-PK': [plain('مدت {{draftPeriod}}')],
    },
  };
  answerCall(getText, entry);
  const asked = answerCall(previewLegalText, {
    sections: {
      'ar-EG': [{ id: 'keeping', title: 'الحفظ', text: 'مدة الحفظ 77 يومًا\n- بند' }],
      'en-US': [{ id: 'keeping', title: 'Keeping', text: 'Kept 77 days' }],
      'ur-PK': [],
    },
  });
  await renderPage('/dashboard/texts?text=legal:privacy.keeping.text');
  await button('معاينة قبل النشر').click();
  await expect.element(page.getByText('مدة الحفظ 77 يومًا')).toBeVisible();
  await expect.element(page.getByRole('listitem').getByText('بند', { exact: true })).toBeVisible();
  await expect.element(page.getByText('لا يظهر شيء من هذا القسم.')).toBeVisible();
  expect(asked.map(({ body }) => body)).toMatchObject([
    { key: 'privacy.keeping.text', texts: { 'en-US': 'Kept {{draftPeriod}}' } },
  ]);
  await page.getByRole('textbox', { name: 'English' }).fill('Kept for long');
  await expect.element(page.getByText('غيّرت النص بعد هذه المعاينة.')).toBeVisible();
});
