import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse, refuseFields } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  getSearchQuestions,
  getSearchTerms,
  getSynonyms,
  markPopular,
  removeSearchQuestion,
  saveSearchQuestion,
  saveSynonyms,
  trySynonyms,
  type SearchTerm,
} from '@diwan/contract/catalogue/searches';

const term = (changes: Partial<SearchTerm>): SearchTerm => ({
  text: 'ملكية',
  language: 'ar-EG',
  searches: 40,
  results: 3,
  openings: 12,
  opened: [{ serviceId: 7, name: 'تجديد ملكية مركبة', openings: 12 }],
  ...changes,
});
const lost = term({ text: 'mulkiya', language: 'en-US', results: 0, openings: 0, opened: [] });
const group = { id: 4, words: ['mulkiya', 'vehicle card'] };

beforeEach(() => {
  signInAs('Admin');
  answerCall(getSynonyms, [group]);
  answerCall(getSearchQuestions, []);
  answerCall(getManagedAgencies, []);
});
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');
const words = dialog.getByLabelText('الكلمات، كل كلمة في سطر');
const open = () => renderPage('/dashboard/search');

it('shows what found nothing and what people opened, and filters by it', async () => {
  const asked = answerCall(getSearchTerms, pageOf([term({}), lost]));
  await open();
  const row = page.getByRole('row').filter({ hasText: 'mulkiya' });
  await expect.element(row).toMatchTextContent(/mulkiya.*الإنجليزية.*40.*بلا نتائج/);
  await expect
    .element(page.getByRole('row').filter({ hasText: 'ملكية' }))
    .toMatchTextContent('تجديد ملكية مركبة(12)');
  await page.getByRole('search').getByRole('button', { name: /عرض/ }).click();
  await page.getByRole('option', { name: 'بلا نتائج' }).click();
  await expect.poll(() => asked.at(-1)?.query.get('Only')).toBe('nothing');
  await expect.element(page.getByText('لم تُحفظ عمليات بحث اختبارية بعد')).toBeVisible();
});

it('makes an opened service popular and a search a test search by one click each', async () => {
  answerCall(getSearchTerms, pageOf([term({})]));
  const popular = answerCall(markPopular, { serviceId: 7, isPopular: true });
  const saved = { id: 1, language: 'ar-EG', text: 'ملكية', serviceId: 7, name: 'تجديد' } as const;
  const questions = answerCall(saveSearchQuestion, [saved]);
  const removed = answerCall(removeSearchQuestion, []);
  await open();
  await button('إضافة إلى الشائعة: تجديد ملكية مركبة').click();
  await expect.element(page.getByText('أُضيفت الخدمة إلى الشائعة').first()).toBeVisible();
  answerCall(getSearchQuestions, [saved]);
  await button('حفظ عملية بحث اختبارية نتيجتها: تجديد ملكية مركبة').click();
  await button('إزالة عملية البحث الاختبارية: ملكية').click();
  await expect
    .poll(() => questions.map(({ body }) => body))
    .toEqual([{ language: 'ar-EG', text: 'ملكية', serviceId: 7 }]);
  await expect.poll(() => removed.map(({ body }) => body)).toEqual([{ id: 1 }]);
  await expect
    .poll(() => popular.map(({ body }) => body))
    .toEqual([{ serviceId: 7, isPopular: true }]);
});

it('makes a synonym of a search that found nothing, after showing its effect', async () => {
  answerCall(getSearchTerms, pageOf([lost]));
  const better = [
    { text: 'mulkiya', language: 'en-US', service: 'Renew', before: 0, after: 1 } as const,
  ];
  const tried = answerCall(trySynonyms, ({ body }) => {
    if ((body as { words: string[] }).words.length < 2)
      throw refuseFields({ words: ['كلمتان على الأقل'] });
    return { questions: 356, better, worse: [] };
  });
  const saved = answerCall(saveSynonyms, [group]);
  await open();
  await button('إضافة مرادف لكلمة: mulkiya').click();
  await expect.element(words).toHaveValue('mulkiya');
  await button('تجربة الأثر').click();
  await expect.element(words).toBeInvalid();
  await expect.element(dialog.getByText('كلمتان على الأقل')).toBeVisible();
  await expect.element(words).toHaveFocus();
  await words.fill('mulkiya\nvehicle card');
  await button('تجربة الأثر').click();
  await expect.element(dialog.getByText('تتحسن: 1، وتسوء: 0')).toBeVisible();
  await expect.element(dialog.getByText(/كانت غير موجودة، وتصبح المرتبة 1/)).toBeVisible();
  await expect.poll(() => saved).toEqual([]);
  // What was not tried is not saved.
  await words.fill('mulkiya, vehicle card, card');
  await expect.element(button('حفظ المرادفات')).not.toBeInTheDocument();
  await button('تجربة الأثر').click();
  await button('حفظ المرادفات').click();
  await expect.element(dialog).not.toBeInTheDocument();
  const all = { words: ['mulkiya', 'vehicle card', 'card'] };
  await expect
    .poll(() => [tried.at(-1)?.body, saved.map(({ body }) => body)])
    .toEqual([all, [all]]);
});

it('warns before a removal that makes searches worse, and of the change of another admin', async () => {
  answerCall(getSearchTerms, pageOf([]));
  const worse = {
    text: 'mulkiya',
    language: 'en-US',
    service: 'Renew',
    before: 1,
    after: 0,
  } as const;
  answerCall(trySynonyms, { questions: 356, better: [], worse: [worse] });
  const saved = answerCall(saveSynonyms, () => {
    throw refuse(409, 'RecordHasChanged', 'عدّل شخص آخر هذا السجل');
  });
  await open();
  await expect.element(page.getByText('لا توجد عمليات بحث بعد')).toBeVisible();
  await button('تعديل المرادفات: mulkiya').click();
  await button('تجربة الحذف').click();
  // The button is gone: the focus is on the one of the next step.
  await expect.element(button('حذف المرادفات')).toHaveFocus();
  await expect.element(dialog.getByText(/كانت المرتبة 1، وتصبح غير موجودة/)).toBeVisible();
  await button('حذف المرادفات').click();
  await expect.element(dialog.getByText('عدّل شخص آخر هذا السجل')).toBeVisible();
  await expect.poll(() => saved.map(({ body }) => body)).toEqual([{ id: 4, known: group.words }]);
});

describe('of an agency administrator', () => {
  const agency = { id: 7, name: 'هيئة الطرق والمواصلات' };
  const [road, police] = [
    { ...agency, logo: '/a.svg' },
    { id: 8, name: 'شرطة دبي', logo: '/b.svg' },
  ];
  beforeEach(() => {
    signInAs('AgencyAdmin');
    answerCall(getSynonyms, [{ ...group, agency }]);
    answerCall(getSearchTerms, pageOf([term({}), lost]));
    answerCall(trySynonyms, { questions: 12, better: [], worse: [] });
  });

  it('says whose words they are, and offers what is of the agency alone', async () => {
    answerCall(getManagedAgencies, [road]);
    await open();
    await expect.element(page.getByText(/فُتحت منها إحدى خدماتك/)).toBeVisible();
    await expect
      .element(button('تعديل المرادفات: mulkiya'))
      .toMatchTextContent('mulkiya وvehicle card');
    await expect.element(page.getByText('(هيئة الطرق والمواصلات)')).not.toBeInTheDocument();
    await expect.element(button('إضافة إلى الشائعة: تجديد ملكية مركبة')).not.toBeInTheDocument();
    await page.getByRole('search').getByRole('button', { name: /عرض/ }).click();
    await expect.element(page.getByRole('option', { name: 'بلا نتائج' })).toBeVisible();
    await expect
      .element(page.getByRole('option', { name: 'لم تُفتح نتائجها' }))
      .not.toBeInTheDocument();
    await page.getByRole('option', { name: 'بلا نتائج' }).click();
    await button('إضافة مرادفات').click();
    await expect.element(dialog.getByText(/لا تجد هذه الكلمات إلا خدمات الجهة/)).toBeVisible();
    await expect.element(dialog.getByRole('combobox')).not.toBeInTheDocument();
  });

  it('of several agencies chooses one, and is shown an error when none is chosen', async () => {
    answerCall(getManagedAgencies, [road, police]);
    const tried = answerCall(trySynonyms, ({ body }) => {
      if (!('agencyId' in (body as object))) throw refuseFields({ agencyId: ['اختر جهة تديرها'] });
      return { questions: 12, better: [], worse: [] };
    });
    const saved = answerCall(saveSynonyms, [group]);
    await open();
    await expect
      .element(button('تعديل المرادفات: mulkiya'))
      .toMatchTextContent('mulkiya وvehicle card(هيئة الطرق والمواصلات)');
    await button('إضافة مرادفات').click();
    await words.fill('mulkiya\nvehicle card');
    await button('تجربة الأثر').click();
    await expect.element(dialog.getByText('اختر جهة تديرها')).toBeVisible();
    await dialog.getByRole('combobox', { name: /الجهة/ }).fill('شرطة');
    await page.getByRole('option', { name: 'شرطة دبي' }).click();
    await button('تجربة الأثر').click();
    await button('حفظ المرادفات').click();
    const body = { words: ['mulkiya', 'vehicle card'], agencyId: 8 };
    await expect.poll(() => [tried.at(-1)?.body, saved.at(-1)?.body]).toEqual([body, body]);
  });
});
