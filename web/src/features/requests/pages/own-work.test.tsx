import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { requestRecordOf, requestSummaryRecord } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { draftSummaryRecord } from '#testing/request-records.ts';
import { getServiceNameByServiceId } from '@diwan/contract/catalogue/services';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById, type RequestSummary } from '@diwan/contract/requests/requests';

const path = '/home/services/individuals';
const list = (name: string) => page.getByRole('region', { name });
const services = page.getByRole('tablist');

const toPay = requestSummaryRecord({
  requestId: 1,
  requestNumber: 'DW26-00000-00001',
  statusTone: 'waiting',
  allowedActions: ['pay'],
  due: 23_050,
});
const toCorrect = requestSummaryRecord({
  requestId: 2,
  requestNumber: 'DW26-00000-00002',
  serviceName: 'Passport Renewal',
  statusTone: 'waiting',
  allowedActions: ['update'],
});
const running = requestSummaryRecord({
  requestId: 3,
  requestNumber: 'DW26-00000-00003',
  serviceName: 'Police Clearance',
  statusName: 'Being processed',
  statusTone: 'progress',
  promisedBy: '2098-11-24',
  allowedActions: [],
});

/** Answers the lists: the statuses with ids below 3 and 5 wait for the applicant. */
function answerLists(
  waiting: RequestSummary[],
  current: RequestSummary[],
  finished: RequestSummary[] = [],
) {
  return answerCall(getRequestsByStatusId, ({ query }) =>
    pageOf(
      query.has('DateFrom') ? finished : query.get('StatusGroup') === 'waiting' ? waiting : current,
    ),
  );
}

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  answerHome();
});

it('begins with what needs the applicant, then what is under way, then what they have begun', async () => {
  signInAs('Client');
  answerLists([toPay, toCorrect], [running]);
  answerCall(getDrafts, [draftSummaryRecord({ serviceName: 'Good conduct' })]);
  const [sent] = requestRecordOf().history;
  if (!sent) throw new Error('The record has a history');
  answerCall(
    getRequestById,
    requestRecordOf({
      statusId: 5,
      history: [
        {
          ...sent,
          statusId: 5,
          action: 'return',
          marks: [{ field: 'attachments.passport', title: 'Passport copy', message: 'Unclear' }],
        },
      ],
    }),
  );
  await renderPage(path);
  const needed = list('Waiting for you (2)');
  await expect
    .element(needed.getByRole('link', { name: 'Pay AED 230.50' }))
    .toHaveAttribute('href', '/requests/request-details?request-number=DW26-00000-00001');
  await expect.element(needed.getByRole('link', { name: 'Correct: Passport copy' })).toBeVisible();
  await expect.element(list('In progress')).toMatchTextContent(/Being processed.*by Mon,? 24 Nov/);
  await expect
    .element(list('Not sent yet').getByRole('link', { name: 'Good conduct' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/requests\/Create\/.*#review$/));
  const headings = page.getByRole('main').getByRole('heading');
  await expect.element(headings.nth(0)).toHaveTextContent('Services for individuals');
  await expect.element(headings.nth(1)).toHaveTextContent('Waiting for you (2)');
  await expect
    .element(page.getByRole('link', { name: 'All requests' }))
    .toHaveAttribute('href', '/requests');
});

it('offers services that were completed about a year ago, unless they are under way again', async () => {
  signInAs('Client');
  const done = {
    statusTone: 'done' as const,
    allowedActions: [],
    createdAt: '2025-11-20T08:00:00Z',
  };
  const again = requestSummaryRecord({
    ...done,
    requestId: 7,
    serviceId: 70,
    serviceName: 'Licence',
  });
  const asked = answerLists(
    [],
    [{ ...running, serviceId: 71 }],
    [
      again,
      { ...again, requestId: 8 },
      { ...again, requestId: 9, serviceId: 71, serviceName: 'Under way' },
      { ...again, requestId: 10, serviceId: 72, serviceName: 'Rejected', statusTone: 'refused' },
    ],
  );
  answerCall(getServiceNameByServiceId, { name: 'Licence', replacedName: 'renew-licence' });
  await renderPage(path);
  const link = list('Completed about a year ago').getByRole('link');
  await expect.element(link).toHaveAttribute('href', '/requests/Create/renew-licence');
  await expect
    .element(list('Completed about a year ago'))
    .toMatchTextContent(/Licence.*Apply again.*Sent on 20 Nov 2025/);
  // Between ten and fourteen months ago.
  const days = asked.find(({ query }) => query.has('DateFrom'))?.query;
  const months = ['DateTo', 'DateFrom'].map((name) =>
    Math.round((Date.now() - Date.parse(days?.get(name) ?? '')) / (30.44 * 86_400_000)),
  );
  expect(months).toEqual([10, 14]);
});

it('shows the services together with the work, so that nothing moves', async () => {
  signInAs('CompanyUser');
  const { reply, release } = holdReply<void>();
  answerCall(getRequestsByStatusId, () => reply.then(() => pageOf([toPay])));
  await renderPage('/home/services/companies');
  await expect.element(services).not.toBeInTheDocument();
  release();
  await expect.element(list('Waiting for you (1)')).toBeVisible();
  await expect.element(services).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'All requests' }))
    .toHaveAttribute('href', '/companies/my-requests/new');
});

it.each(['without work', 'after an error'])('shows the services alone %s', async (state) => {
  signInAs('Client');
  if (state === 'after an error')
    answerCall(getRequestsByStatusId, () => {
      throw refuse(503, 'ServerBusy');
    });
  await renderPage(path);
  await expect.element(services).toBeVisible();
  expect(page.getByRole('link', { name: 'All requests' }).elements()).toEqual([]);
});

it('says of what they have begun that the service is closed', async () => {
  signInAs('Client');
  answerLists([], []);
  answerCall(getDrafts, [
    draftSummaryRecord({ serviceName: 'Good conduct', closure: { reason: 'Maintenance' } }),
  ]);
  await renderPage(path);
  await expect.element(list('Not sent yet')).toMatchTextContent('The service is closed for now');
  await expect.element(list('Not sent yet')).not.toMatchTextContent('Continue');
});
