import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import type { FieldChange } from '@diwan/contract/people/changes';
import { ChangedFields } from './change-history.tsx';

it('shows stored numbers and codes in words, and texts as they are', async () => {
  await useLanguageOfTest('en-US');
  await renderComponent(
    <ChangedFields
      entity="payout"
      fields={[
        { field: 'amount', before: 12_345, after: 500 },
        { field: 'rate', before: 150, after: 0 },
        { field: 'provider', before: 'reserve', after: 'paypro' },
        { field: 'payee', after: 'n-genius' },
        { field: 'state', before: 'waiting', after: 'booked' },
        { field: 'paidOn', after: '2026-11-24' },
        { field: 'isWaiting', before: true, after: false },
        { field: 'note', after: 'values.state.waiting' },
        { field: 'unheardOf', after: 'https://example.com/state' },
      ]}
    />,
  );
  const value = (name: string) =>
    [...document.querySelectorAll('dt')]
      .find(({ textContent }) => textContent === name)
      ?.parentElement?.textContent.replaceAll('\u00A0', ' ');
  await expect.element(page.getByText('Amount', { exact: true })).toBeVisible();
  expect(value('Amount')).toBe('AmountBefore: AED 123.45After: AED 5.00');
  expect(value('Percent of the amount')).toContain('Before: 1.5After: 0');
  expect(value('Payment provider')).toContain('Before: PayPro, second accountAfter: PayPro');
  expect(value('Owed to')).toContain('After: N-Genius Online');
  expect(value('State')).toContain('Before: Waiting for a second personAfter: Booked');
  expect(value('Transfer date')).toContain('After: 24 Nov 2026');
  expect(value('Waiting for a second person')).toContain('Before: YesAfter: No');
  expect(value('Reason')).toContain('After: values.state.waiting');
  expect(value('unheardOf')).toContain('After: https://example.com/state');
});

it('shows the emirate of an agency, a company and a seller in words', async () => {
  for (const entity of ['agency', 'company', 'seller'] as const) {
    const { unmount } = await renderComponent(
      <ChangedFields entity={entity} fields={[{ field: 'emirate', after: 'rasAlKhaimah' }]} />,
    );
    await expect.element(page.getByText('رأس الخيمة')).toBeVisible();
    await unmount();
  }
});

it('names the fields of a thing as its own page does', async () => {
  await renderComponent(
    <ChangedFields
      entity="certificateTemplate"
      fields={[{ field: 'validity', after: '{"kind":"none"}' }]}
    />,
  );
  await expect.element(page.getByText('الصلاحية', { exact: true })).toBeVisible();
});

it('shows names for ids, and structures in words', async () => {
  await useLanguageOfTest('en-US');
  const text = (word: string) => ({ 'ar-EG': word, 'en-US': word, 'ur-PK': word });
  await renderComponent(
    <>
      <ChangedFields
        entity="paymentRule"
        fields={[
          { field: 'agencyId', before: 3, beforeNames: ['Ministry of Justice'] },
          { field: 'serviceId', after: 2_000_000, afterNames: ['2000000'] },
          { field: 'method', before: 'card', after: 'bankAccount' },
        ]}
      />
      <ChangedFields
        entity="announcement"
        fields={[
          {
            field: 'audience',
            before: '{"names":["Employee","Client"],"of":"roles"}',
            after: '{"id":3,"of":"agency"}',
            afterNames: ['Ministry of Economy'],
          },
        ]}
      />
      <ChangedFields
        entity="service"
        fields={[
          {
            field: 'fees',
            before: '[]',
            after: JSON.stringify([{ name: 'a', title: text('Fee'), amount: 12_050 }]),
          },
          { field: 'others', before: '', after: 'terms, form' },
        ]}
      />
      <ChangedFields
        entity="catalogue"
        fields={[{ field: 'agencies', after: '{"created":2,"changed":0,"unchanged":40}' }]}
      />
      <ChangedFields
        entity="workflow"
        fields={[
          {
            field: 'changes',
            after: JSON.stringify([
              { kind: 'statusRenamed', status: text('Under study') },
              { kind: 'transitionAdded', action: 'create', from: null, to: text('New') },
            ]),
          },
          { field: 'unheardOf', after: '{"a":[1,2]}' },
        ]}
      />
      <ChangedFields
        entity="text"
        fields={[{ field: 'texts.ar-EG.few', before: 'طلبات', after: 'طلبات جديدة' }]}
      />
    </>,
  );
  await expect.element(page.getByText('طلبات جديدة')).toBeVisible();
  const shown = () =>
    Object.fromEntries(
      [...document.querySelectorAll('dt')].map((name) => [
        name.textContent,
        name.parentElement?.innerText
          .replaceAll(/[\u00A0\s]+/g, ' ')
          .replaceAll(/[\u2068\u2069]/g, ''),
      ]),
    );
  await expect.poll(shown).toEqual({
    Agency: 'Agency Before: Ministry of Justice',
    Service: 'Service After: 2000000',
    'Method of payment': 'Method of payment Before: Card After: Bank account',
    For: 'For Before: A role: Employees and Customers After: The services of an agency: Ministry of Economy',
    Fees: 'Fees Before: Empty After: Fee: AED 120.50',
    'Also changed': 'Also changed Before: Empty After: Terms and Form',
    'Government agencies': 'Government agencies After: Added: 2',
    Changes:
      'Changes After: Status renamed: Under study New action: Send, from Not sent yet to New',
    unheardOf: 'unheardOf After: Show the details',
    'Arabic, for 3 to 10': 'Arabic, for 3 to 10 Before: طلبات After: طلبات جديدة',
  });
  const arabic = document.querySelector('bdi[lang="ar-EG"]');
  expect(arabic?.getAttribute('dir')).toBe('rtl');
});

describe('a published change of a service', () => {
  const texts = (arabic: string, english: string, urdu: string) => ({
    'ar-EG': arabic,
    'en-US': english,
    'ur-PK': urdu,
  });
  const step = texts('بياناتك', 'Your details', 'آپ کی تفصیلات');
  const copies = texts('عدد النسخ', 'Number of copies', 'نقول کی تعداد');
  const delivery = texts('التوصيل', 'Delivery', 'ترسیل');
  const fee = texts('رسم النسخة', 'Fee of a copy', 'نقل کی فیس');
  const fields: FieldChange[] = [
    {
      field: 'agencyId',
      before: 1,
      after: 2,
      place: {
        kind: 'changed',
        part: 'service',
        path: [],
        named: [
          { code: '1', title: texts('بلدية دبي', 'Dubai Municipality', 'دبئی میونسپلٹی') },
          { code: '2', title: texts('وزارة العدل', 'Ministry of Justice', 'وزارت انصاف') },
        ],
      },
    },
    {
      field: 'title',
      language: 'en-US',
      before: 'Copies',
      after: 'Number of copies',
      place: { kind: 'changed', part: 'field', path: [step, copies], fieldKind: 'number' },
    },
    {
      field: 'showWhen',
      after: '{"equals":"home","field":"delivery"}',
      place: {
        kind: 'changed',
        part: 'field',
        path: [step, copies],
        fieldKind: 'number',
        named: [
          {
            code: 'delivery',
            title: delivery,
            kind: 'choice',
            oneOf: [{ const: 'home', title: texts('إلى المنزل', 'To your home', 'گھر تک') }],
          },
        ],
      },
    },
    {
      field: 'pattern',
      before: '[0-9]',
      after: '[1]',
      place: { kind: 'changed', part: 'field', path: [step, copies], fieldKind: 'text' },
    },
    {
      field: 'minimum',
      before: 5000,
      after: 10_000,
      place: { kind: 'changed', part: 'field', path: [step, delivery], fieldKind: 'money' },
    },
    {
      field: 'accounts',
      before: '["individual"]',
      after: '["individual","company"]',
      place: { kind: 'changed', part: 'fee', path: [fee] },
    },
    {
      field: 'amount',
      before: 5000,
      after: 7550,
      place: { kind: 'changed', part: 'fee', path: [fee] },
    },
    { field: '', place: { kind: 'removed', part: 'field', path: [step, delivery] } },
  ];
  const words = {
    'ar-EG': [
      'تغيّر: الخدمة الجهة قبل: بلدية دبي بعد: وزارة العدل',
      'تغيّر: سؤال بياناتك – عدد النسخ العنوان (الإنجليزية) قبل: Copies بعد: Number of copies',
      'تغيّر: سؤال بياناتك – عدد النسخ يظهر عندما قبل: لا شيء بعد: التوصيل يساوي إلى المنزل',
      'تغيّر: سؤال بياناتك – عدد النسخ النمط قبل: [0-9] بعد: [1]',
      'تغيّر: سؤال بياناتك – التوصيل أصغر قيمة قبل: 50.00 درهم بعد: 100.00 درهم',
      'تغيّر: بند رسوم رسم النسخة من يدفع الرسوم قبل: فرد بعد: فرد وشركة',
      'تغيّر: بند رسوم رسم النسخة المبلغ قبل: 50.00 درهم بعد: 75.50 درهم',
      'أُزيل: سؤال بياناتك – التوصيل',
    ],
    'en-US': [
      'Changed: Service Agency Before: Dubai Municipality After: Ministry of Justice',
      'Changed: Question Your details – Number of copies Title (English) Before: Copies After: Number of copies',
      'Changed: Question Your details – Number of copies Show when Before: nothing After: Delivery is To your home',
      'Changed: Question Your details – Number of copies Pattern Before: [0-9] After: [1]',
      'Changed: Question Your details – Delivery Minimum value Before: AED 50.00 After: AED 100.00',
      'Changed: Fee Fee of a copy Who pays it Before: Person After: Person and Company',
      'Changed: Fee Fee of a copy Amount Before: AED 50.00 After: AED 75.50',
      'Removed: Question Your details – Delivery',
    ],
    'ur-PK': [
      'تبدیل: خدمت ادارہ پہلے: دبئی میونسپلٹی بعد میں: وزارت انصاف',
      'تبدیل: سوال آپ کی تفصیلات – نقول کی تعداد عنوان (انگریزی) پہلے: Copies بعد میں: Number of copies',
      'تبدیل: سوال آپ کی تفصیلات – نقول کی تعداد کب دکھایا جائے پہلے: کچھ نہیں بعد میں: ترسیل: گھر تک',
      'تبدیل: سوال آپ کی تفصیلات – نقول کی تعداد پیٹرن پہلے: [0-9] بعد میں: [1]',
      'تبدیل: سوال آپ کی تفصیلات – ترسیل کم از کم قدر پہلے: 50.00 درہم بعد میں: 100.00 درہم',
      'تبدیل: فیس نقل کی فیس کون ادا کرے پہلے: فرد بعد میں: فرد اور کمپنی',
      'تبدیل: فیس نقل کی فیس رقم پہلے: 50.00 درہم بعد میں: 75.50 درہم',
      'ہٹایا گیا: سوال آپ کی تفصیلات – ترسیل',
    ],
  };

  for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const)
    it(`names its parts and values in words: ${language}`, async () => {
      await useLanguageOfTest(language);
      await renderComponent(<ChangedFields entity="service" fields={fields} />);
      await expect.element(page.getByRole('listitem').nth(7)).toBeVisible();
      const items = [...document.querySelectorAll('li')].map((item) =>
        item.innerText.replaceAll(/[\u200E\u200F\u061C\u2068\u2069]/g, '').replaceAll(/\s+/g, ' '),
      );
      expect(items).toEqual(words[language]);
    });
});
