import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  agencyRecords,
  categoryRecords,
  pageOf,
  serviceSummaries,
} from '#testing/admin-records.ts';
import { answerCall, noConnection, refuse } from '#testing/answer-calls.ts';
import { partnerSummaryRecord } from '#testing/people-records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getManagedServices } from '@diwan/contract/catalogue/services';
import {
  prepareBulkChange,
  runCatalogueJob,
  type CatalogueJob,
} from '@diwan/contract/catalogue/transfer';
import { getAllPartners } from '@diwan/contract/people/partners';

it('refuses impossible values at their fields, then shows what would change', async () => {
  signInAs('Admin');
  answerCall(getManagedAgencies, agencyRecords);
  answerCall(getAllServiceCategory, categoryRecords);
  answerCall(getAllAccountTypes, []);
  answerCall(getManagedServices, pageOf(serviceSummaries(2)));
  answerCall(getAllPartners, pageOf([partnerSummaryRecord]));
  const sent = answerCall(prepareBulkChange, {
    jobId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e21',
    kind: 'bulk',
    state: 'ready',
    total: 2,
    done: 0,
    counts: { services: { created: 0, changed: 2, retired: 0, restored: 0, unchanged: 0 } },
    changes: [],
    changesCount: 2,
    problems: [],
    problemsCount: 0,
    warnings: [
      {
        list: 'services',
        row: 0,
        column: 'fees',
        heading: 'fees',
        message: 'من 20.00 إلى 1250.50',
      },
    ],
    warningsCount: 1,
  });
  await renderPage('/dashboard/services/bulk');
  const from = page.getByLabelText(/رسوم من/);
  await from.fill('100000001');
  await expect.element(from).toBeInvalid();
  await from.fill('');
  const preview = page.getByRole('button', { name: 'عرض التغييرات' });
  await expect.element(preview).toBeDisabled();
  const days = page.getByLabelText('أيام العمل');
  await days.fill('-3');
  await expect.element(days).toBeInvalid();
  // Arabic digits are numbers too.
  await days.fill('٤');
  await page.getByRole('button', { name: /تغيير الرسوم/ }).click();
  await page.getByRole('option', { name: 'بنسبة مئوية' }).click();
  const fees = page.getByLabelText('النسبة المئوية');
  await fees.fill('-200');
  await expect.element(fees).toBeInvalid();
  await expect.element(preview).toBeDisabled();
  await fees.fill('-١٠');
  const partner = page.getByRole('combobox', { name: 'مزود الخدمة' });
  // The list closes when the page of another test takes the focus.
  await vi.waitFor(async () => {
    await partner.fill('');
    await partner.fill('بلا مزود');
    await page.getByRole('option', { name: 'بلا مزود خدمة' }).click({ timeout: 2000 });
  }, 15_000);
  // Enter sends what is typed, although the field was not left.
  await page.getByPlaceholder('اسم الخدمة').fill(' رخصة ');
  await userEvent.keyboard('{Enter}');
  const make = page.getByRole('button', { name: 'تنفيذ تغييرين' });
  // Somebody looks at what becomes more than ten times as large.
  await expect.element(make).toBeDisabled();
  await expect.element(page.getByText('من 20.00 إلى 1250.50')).toBeVisible();
  await page.getByRole('checkbox', { name: 'تحققت من هذه المبالغ' }).click();
  await expect.element(make).toBeEnabled();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([
      {
        all: { name: 'رخصة' },
        workingDays: 4,
        fee: { change: 'percent', value: -10 },
        partnerId: null,
      },
    ]);
});

it('changes only the services that are chosen, by keyboard, over pages', async () => {
  signInAs('Admin');
  answerCall(getManagedAgencies, agencyRecords);
  answerCall(getAllServiceCategory, categoryRecords);
  answerCall(getAllAccountTypes, []);
  const services = serviceSummaries(3);
  answerCall(getManagedServices, { items: services, pageNumber: 1, totalCount: 3 });
  answerCall(getAllPartners, pageOf([partnerSummaryRecord]));
  const sent = answerCall(prepareBulkChange, () => {
    throw noConnection();
  });
  await renderPage('/dashboard/services/bulk');
  await page.getByRole('radio', { name: /الخدمات التي أختارها/ }).click();
  // The list has no such filters.
  await expect.element(page.getByLabelText(/رسوم من/)).not.toBeInTheDocument();
  const boxes = page.getByRole('checkbox', { name: /^اختيار ./ });
  await expect.poll(() => boxes.elements().length).toBe(4);
  (boxes.nth(1).element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  (boxes.nth(3).element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(page.getByText('خدمتان مختارتان')).toBeVisible();
  await page.getByLabelText('أيام العمل').fill('4');
  await page.getByRole('button', { name: 'عرض التغييرات' }).click();
  await expect
    .poll(() => sent[0]?.body)
    .toEqual({ serviceIds: [services[0]!.id, services[2]!.id], workingDays: 4 });
});

it('leaves out the services that are not ticked in the preview', async () => {
  signInAs('Admin');
  answerCall(getManagedAgencies, agencyRecords);
  answerCall(getAllServiceCategory, categoryRecords);
  answerCall(getAllAccountTypes, []);
  answerCall(getManagedServices, pageOf(serviceSummaries(2)));
  answerCall(getAllPartners, pageOf([partnerSummaryRecord]));
  const job: CatalogueJob = {
    jobId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e21',
    kind: 'bulk',
    state: 'ready',
    total: 2,
    done: 0,
    counts: { services: { created: 0, changed: 2, retired: 0, restored: 0, unchanged: 0 } },
    changes: ['first', 'second'].map((key) => ({
      list: 'services',
      key,
      name: key,
      action: 'changed',
      fields: [{ field: 'fees', before: '10.00', after: '12.00' }],
    })),
    changesCount: 2,
    problems: [],
    problemsCount: 0,
    warnings: [],
    warningsCount: 0,
  };
  answerCall(prepareBulkChange, job);
  const sent = answerCall(runCatalogueJob, () => {
    throw noConnection();
  });
  await renderPage('/dashboard/services/bulk');
  await page.getByLabelText('أيام العمل').fill('4');
  await page.getByRole('button', { name: 'عرض التغييرات' }).click();
  await page.getByRole('checkbox', { name: 'تضمين ⁨second⁩' }).click();
  await page.getByRole('button', { name: 'تنفيذ تغيير واحد' }).click();
  await expect.poll(() => sent[0]?.body).toEqual({ jobId: job.jobId, leftOut: ['second'] });
});

it('says that no service has the values, beside the form', async () => {
  signInAs('Admin');
  answerCall(getManagedAgencies, agencyRecords);
  answerCall(getAllServiceCategory, categoryRecords);
  answerCall(getAllAccountTypes, []);
  answerCall(getAllPartners, pageOf([partnerSummaryRecord]));
  answerCall(prepareBulkChange, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  await renderPage('/dashboard/services/bulk');
  await page.getByLabelText('أيام العمل').fill('4');
  await page.getByRole('button', { name: 'عرض التغييرات' }).click();
  await expect.element(page.getByText('لا توجد خدمة بهذه القيم')).toBeVisible();
});
