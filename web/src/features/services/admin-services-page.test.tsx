import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { agencyRecords, pageOf, serviceSummaries } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  getServiceDesigns,
  getWaitingPublications,
} from '@diwan/contract/catalogue/service-designs';
import { deleteService, getManagedServices } from '@diwan/contract/catalogue/services';

const rows = page.getByRole('main').getByRole('rowheader');
const opener = page.getByRole('button', { name: 'حذف \u2068خدمة رقم 2\u2069' });
const dialog = page.getByRole('dialog', { name: 'هل تريد حذف هذه الخدمة؟' });

async function open() {
  answerCall(getManagedAgencies, agencyRecords);
  answerCall(getServiceDesigns, []);
  answerCall(getWaitingPublications, []);
  answerCall(getManagedServices, pageOf(serviceSummaries(3)));
  signInAs('Admin');
  await renderPage('/dashboard/services');
  await opener.click();
  await expect.element(dialog).toBeVisible();
}

it('explains the consequences; the button and Escape keep the service', async () => {
  const sent = answerCall(deleteService, { id: 2 });
  await open();
  expect(dialog.getByRole('listitem').elements()).toHaveLength(4);
  await expect.element(dialog.getByText('خدمة رقم 2')).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await dialog.getByRole('button', { name: 'الإبقاء عليها' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await opener.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(rows.elements()).toHaveLength(3);
  await expect.poll(() => sent).toEqual([]);
});

it('shows a refusal and stays open, then deletes once', async () => {
  const { reply, release } = holdReply<{ id: number }>();
  const sent = answerCall(deleteService, () => {
    if (sent.length === 1) throw refuse(404, 'ServiceNotFound', 'حُذفت من قبل');
    return reply;
  });
  await open();
  const confirm = dialog.getByRole('button', { name: 'حذف الخدمة' });
  await confirm.click();
  await expect.element(page.getByText('حُذفت من قبل')).toBeVisible();
  await expect.element(dialog).toBeVisible();
  await confirm.dblClick();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  answerCall(getServiceDesigns, []);
  answerCall(getWaitingPublications, []);
  answerCall(getManagedServices, pageOf(serviceSummaries(2)));
  release({ id: 2 });
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('حُذفت الخدمة')).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.poll(() => sent.map(({ params }) => params)).toEqual([['2'], ['2']]);
});

it('has its actions in two rows of equal buttons on a phone', async () => {
  await page.viewport(390, 844);
  answerCall(getManagedAgencies, agencyRecords);
  answerCall(getServiceDesigns, []);
  answerCall(getManagedServices, pageOf(serviceSummaries(3)));
  answerCall(getWaitingPublications, []);
  signInAs('Admin');
  await renderPage('/dashboard/services');
  const names = ['استيراد أو تصدير', 'تعديل جماعي', 'الخدمات الموقوفة', 'خدمة جديدة'];
  const main = page.getByRole('main');
  const actions = names.map((name) =>
    main.getByRole('link', { name }).or(main.getByRole('button', { name })),
  );
  await expect.element(actions[0]!).toBeVisible();
  const boxes = actions.map((action) => action.element().getBoundingClientRect());
  expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(2);
  expect(new Set(boxes.map(({ width }) => Math.round(width))).size).toBe(1);
  expect(document.documentElement.scrollWidth).toBe(390);
});

it('offers no agency to who manages one, and the spelling of what it found instead', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getServiceDesigns, []);
  answerCall(getWaitingPublications, []);
  answerCall(getManagedAgencies, agencyRecords.slice(0, 1));
  const asked = answerCall(getManagedServices, ({ query }) => ({
    ...pageOf(serviceSummaries(1)),
    didYouMean: query.get('SearchKeyword') === 'pasport' ? 'passport' : undefined,
  }));
  signInAs('AgencyAdmin');
  const { address } = await renderPage('/dashboard/services?q=pasport');
  await page.getByRole('button', { name: 'passport', exact: true }).click();
  await expect.poll(address).toBe('/dashboard/services?q=passport');
  await expect.poll(() => asked.at(-1)?.query.get('SearchKeyword')).toBe('passport');
  await expect
    .element(page.getByRole('button', { name: 'passport', exact: true }))
    .not.toBeInTheDocument();
  expect(page.getByRole('search').getByText('Agency').elements()).toEqual([]);
});
