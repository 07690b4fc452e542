import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { groupRecord } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderComponent, signInAs } from '#testing/render-page.tsx';
import {
  getAgencyRecords,
  orderAgencies,
  saveAgency,
  saveAgencyDiscounts,
} from '@diwan/contract/catalogue/agencies';
import { uploadLogo } from '@diwan/contract/catalogue/logos';
import { AgenciesPage } from '../agencies-page.tsx';

const agencies = [
  groupRecord(1, 'شرطة دبي'),
  { ...groupRecord(2, 'بلدية دبي'), servicesCount: 0, version: 4, administratorsCount: 0 },
  { ...groupRecord(3, 'جهة قديمة'), isRetired: true, servicesCount: 0 },
];

beforeEach(() => {
  signInAs('Admin');
  answerCall(getAgencyRecords, agencies);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');
const field = (name: string) => dialog.getByRole('textbox', { name });
const save = dialog.getByRole('button', { name: 'حفظ', exact: true });

it('adds an agency in three languages with a logo; a refused file says why', async () => {
  const sent = answerCall(saveAgency, agencies);
  const uploads = answerCall(uploadLogo, () => {
    if (uploads.length === 1) throw refuse(400, 'LogoNotUsable', 'فيه برنامج');
    return { logo: '/logos/uploaded/0123456789abcdef0123456789abcdef.svg' };
  });
  await renderComponent(<AgenciesPage />);
  await button('إضافة جهة').click();
  await field('العربية').fill('هيئة البيئة');
  await save.click();
  await expect.element(field('English')).toBeInvalid();
  await field('English').fill('هيئة البيئة');
  await expect.element(dialog.getByText(/ليس مكتوبًا|أبجدية|بحروف/).first()).toBeVisible();
  await field('English').fill('Environment Agency');
  await field('اردو').fill('ماحولیات کا ادارہ');
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const choose = async () => {
    const files = new DataTransfer();
    files.items.add(new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }));
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  await choose();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('فيه برنامج');
  await choose();
  await expect.poll(() => uploads.length).toBe(2);
  await expect
    .element(dialog.getByRole('img', { name: 'الشعار الحالي' }))
    .toHaveAttribute('src', expect.stringContaining('/logos/uploaded/'));
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        name: {
          'ar-EG': 'هيئة البيئة',
          'en-US': 'Environment Agency',
          'ur-PK': 'ماحولیات کا ادارہ',
        },
        centres: null,
        logo: '/logos/uploaded/0123456789abcdef0123456789abcdef.svg',
        emirate: null,
      },
    ]);
});

it('shows the centres of an agency, asks for them in every language, and takes them away', async () => {
  const centres = { 'ar-EG': 'المركز الرئيسي', 'en-US': 'Main centre', 'ur-PK': 'مرکزی سینٹر' };
  answerCall(getAgencyRecords, [{ ...agencies[0]!, centres }]);
  const sent = answerCall(saveAgency, agencies);
  await renderComponent(<AgenciesPage />);
  const open = page.getByRole('button', { name: /^تعديل .*شرطة دبي/ });
  const inGroup = dialog.getByRole('group', { name: /عناوين مراكز الخدمة/ });
  const centresIn = (language: string) =>
    inGroup.getByRole('textbox', { name: new RegExp(`^${language}`) });
  await open.click();
  await expect.element(centresIn('English')).toHaveValue('Main centre');
  await centresIn('English').fill('');
  await save.click();
  await expect.element(centresIn('English')).toBeInvalid();
  expect(sent).toEqual([]);
  await centresIn('العربية').fill('');
  await centresIn('اردو').fill('');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => sent.map(({ body }) => body)).toMatchObject([{ id: 1, centres: null }]);
});

it('gives a discount with a document, which needs its texts and a percentage', async () => {
  const [first, ...rest] = agencies.map((agency) => ({ ...agency, discounts: [] }));
  answerCall(getAgencyRecords, [first!, ...rest]);
  const sent = answerCall(saveAgencyDiscounts, first!);
  await renderComponent(<AgenciesPage />);
  await button('خصومات ⁨شرطة دبي⁩').click();
  await dialog.getByRole('button', { name: 'إضافة خصم' }).click();
  await save.click();
  await expect.element(field('English').first()).toBeInvalid();
  for (const [language, text] of [
    ['العربية', 'خصم أصحاب الهمم'],
    ['English', 'People of determination'],
    ['اردو', 'باہمت افراد'],
  ] as const) {
    await field(language).first().fill(text);
    await field(language).last().fill(`${text} 2`);
  }
  const rate = field('النسبة');
  await rate.fill('101');
  await save.click();
  await expect.element(rate).toBeInvalid();
  await rate.fill('100');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toMatchObject([
      {
        agencyId: 1,
        discounts: [
          {
            name: 'discount1',
            rate: 10_000,
            title: { 'en-US': 'People of determination' },
            evidence: { kind: 'document', title: { 'ur-PK': 'باہمت افراد 2' } },
          },
        ],
      },
    ]);
});

it('says that services use an agency, and shows both versions after a conflict', async () => {
  const theirs = { ...agencies[0]!, version: 9, logo: '/logos/agencies/dubai-police.svg' };
  let round = 0;
  const sent = answerCall(saveAgency, () => {
    round += 1;
    if (round === 1) throw refuse(400, 'GroupInUse', 'ترتبط به خدمات');
    if (round === 2) throw refuse(400, 'RecordHasChanged', 'تغيّر');
    return agencies;
  });
  await renderComponent(<AgenciesPage />);
  await page.getByRole('button', { name: /^تعديل .*شرطة دبي/ }).click();
  await field('English').fill('Police of Dubai');
  await dialog.getByRole('checkbox').click();
  await save.click();
  await expect.element(dialog.getByRole('checkbox')).toHaveAccessibleDescription(/ترتبط به خدمات/);
  await dialog.getByRole('checkbox').click();
  answerCall(getAgencyRecords, [theirs, ...agencies.slice(1)]);
  await save.click();
  const conflict = dialog.getByRole('status').or(dialog.getByRole('alert'));
  await expect.element(conflict.getByText('Police of Dubai')).toBeVisible();
  await conflict.getByRole('button').first().click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => sent.at(-1)?.body)
    .toMatchObject({ version: 9, name: { 'en-US': 'Police of Dubai' } });
});

it('puts agencies in order with the keyboard', async () => {
  const sent = answerCall(orderAgencies, agencies);
  await renderComponent(<AgenciesPage />);
  await button('تغيير الترتيب').click();
  const confirm = dialog.getByRole('button', { name: 'حفظ الترتيب' });
  await expect.element(confirm).toBeDisabled();
  const up = dialog.getByRole('button', { name: /بلدية دبي.* إلى أعلى/ });
  (up.element() as HTMLElement).focus();
  await up.click();
  // The button at the end of the list is disabled; the focus stays in the row.
  await expect.poll(() => document.activeElement?.closest('li')?.textContent).toMatch(/بلدية دبي/);
  await confirm.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ ids: [2, 1, 3] }]);
});

it('lets an administrator of agencies change discounts, and nothing else', async () => {
  signInAs('AgencyAdmin');
  answerCall(getAgencyRecords, [{ ...agencies[0]!, discounts: [], administratorsCount: 1 }]);
  await renderComponent(<AgenciesPage />);
  await expect.element(button('خصومات ⁨شرطة دبي⁩')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^تعديل/ })).not.toBeInTheDocument();
  await expect.element(button('إضافة جهة')).not.toBeInTheDocument();
});

it('says which agencies have no administrator, and since when', async () => {
  answerCall(getAgencyRecords, [
    { ...agencies[0]!, administratorsCount: 1 },
    {
      ...groupRecord(2, 'بلدية دبي'),
      administratorsCount: 0,
      administratorLostAt: '2026-11-20T05:00:00.000Z',
    },
  ]);
  await renderComponent(<AgenciesPage />);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect.element(row('بلدية دبي')).toMatchTextContent(/بلا مدير جهة · .*2026/);
  await expect.element(row('شرطة دبي')).not.toMatchTextContent('بلا مدير جهة');
});

it('leaves room between the search and the words of an empty list', async () => {
  answerCall(getAgencyRecords, []);
  await renderComponent(<AgenciesPage />);
  const empty = page.getByRole('heading', { name: /^لا توجد جهات بعد/ });
  await expect.element(empty).toBeVisible();
  const box = empty.element().closest('[data-surface]')!.getBoundingClientRect();
  const search = page.getByRole('button', { name: 'بحث' }).element().getBoundingClientRect();
  expect(box.top - search.bottom).toBeGreaterThanOrEqual(12);
});
