import { beforeEach, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { answerRequest } from '#testing/answer-request.ts';
import { profileRecord } from '#testing/people-records.ts';
import { agency, requestRecordOf, requestSummaryRecord } from '#testing/records.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { requestSummaries, statusRecords } from '#testing/request-records.ts';
import { getProfile } from '@diwan/contract/people/users';
import { getColleagues } from '@diwan/contract/processing/assignments';
import { receiveRequest, releaseRequest } from '@diwan/contract/requests/request-actions';
import {
  getAllStatuses,
  getAllRequestsByStatusId,
  getRequestsByStatusId,
  getRequestsCount,
  getVisibleAgencies,
  getVisibleServices,
} from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';
import { requestHub } from '@diwan/contract/wire/hubs';

const devtools = () =>
  cdp() as unknown as { send: (method: string, values: object) => Promise<unknown> };

beforeEach(() => {
  signInAs('Employee');
  answerCall(getAllStatuses, statusRecords);
  answerCall(getSavedFilters, []);
});

const rowOf = (number: string) => page.getByRole('row').filter({ hasText: number });
const linkOf = (number: string) => page.getByRole('link', { name: number });
const answerList = (...requests: ReturnType<typeof requestSummaries>) =>
  answerCall(getRequestsByStatusId, pageOf(requests));

/** Chooses in a select field by its label. */
async function choose(label: string, choice: string): Promise<void> {
  await page
    .getByRole('search')
    .getByRole('button', { name: new RegExp(`${label}$`) })
    .click();
  await page.getByRole('option', { name: choice, exact: true }).click();
}

it.each([
  [true, [], 'تطّلع على طلبات كل الجهات.'],
  [false, [agency], `تطّلع على طلبات \u2068${agency.name}\u2069.`],
  [false, [], 'لم تُحدد لك أي جهة، ولذلك لا تطّلع على أي طلب. راجع مدير النظام.'],
])('says whose requests the lists hold: all %s', async (allAgencies, agencies, text) => {
  answerCall(getProfile, profileRecord({ allAgencies, agencies }));
  answerList();
  await renderPage('/requests/all');
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});

it.each([
  ['one agency', [agency], undefined],
  ['two agencies', [agency, { id: 2, name: 'محاكم دبي' }], [agency.name, 'محاكم دبي']],
])('offers an employee of %s only these to filter by', async (_, agencies, offered) => {
  answerCall(getVisibleAgencies, agencies);
  answerCall(getProfile, profileRecord({ allAgencies: false, agencies }));
  answerList();
  await renderPage('/requests/all');
  const filter = page.getByRole('search').getByRole('button', { name: /الجهة$/ });
  await expect.element(page.getByText(`تطّلع على طلبات`, { exact: false }).first()).toBeVisible();
  if (offered) {
    await filter.click();
    const names = namesOf(page.getByRole('option'));
    expect(names.slice(1)).toEqual(offered);
  } else expect(filter.elements()).toEqual([]);
});

const team = { id: 5, name: 'المركبات' };
it.each([
  [[agency.id], [team], `لا تطّلع إلا على طلبات فرقك: \u2068${team.name}\u2069.`],
  [[agency.id], [], 'لست في أي فريق من فرق جهتك، ولذلك لا تطّلع على طلباتها. راجع مدير الجهة.'],
])('says whose requests a member of teams sees, limited to %s', async (limited, teams, text) => {
  const profile = { allAgencies: false, agencies: [agency], limitedAgencyIds: limited, teams };
  answerCall(getProfile, profileRecord(profile));
  answerList();
  await renderPage('/requests/all');
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  await expect
    .element(page.getByRole('search').getByRole('button', { name: /الفريق$/ }))
    .not.toBeInTheDocument();
});

it('limits the list to the work of a team for those who see more', async () => {
  answerCall(getProfile, profileRecord({ allAgencies: false, agencies: [agency], teams: [team] }));
  const sent = answerList();
  await renderPage('/requests/all');
  await choose('الفريق', team.name);
  await expect.poll(() => sent.at(-1)?.query.get('TeamId')).toBe('5');
});

it('says on paper when it was printed', async () => {
  answerList();
  await renderPage('/requests/all');
  const head = page.getByText(/^طُبع/);
  expect(head.elements()).toEqual([]);
  await devtools().send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    await expect.element(head).toBeVisible();
  } finally {
    await devtools().send('Emulation.setEmulatedMedia', { media: '' });
  }
});

it('shows number, due day, service, applicant and amount of each new request, due first', async () => {
  const sent = answerList(
    requestSummaryRecord({ promisedBy: '2020-01-05' }),
    requestSummaryRecord({
      requestId: 40,
      requestNumber: 'DW-2026-000040',
      applicantName: 'Ahmed Khan',
      promisedBy: undefined,
    }),
  );
  await renderPage('/requests/new');
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toMatchTextContent('الطلبات الجديدة');
  await expect.element(page.getByText('طلبان', { exact: true })).toBeVisible();
  const row = rowOf('DW-2026-000041');
  await expect.element(row).toMatchTextContent(/متأخر \d+ (يوم|يومًا|أيام)/);
  await expect.element(row).toMatchTextContent('تجديد ملكية مركبة');
  await expect.element(row).toMatchTextContent(agency.name);
  await expect.element(row).toMatchTextContent('مريم الشامسي');
  await expect.element(row).toMatchTextContent('360.50');
  await expect.element(rowOf('DW-2026-000040')).toMatchTextContent('Ahmed Khan');
  await expect.element(rowOf('DW-2026-000040')).not.toMatchTextContent('متأخر');
  await expect
    .poll(() => Object.fromEntries(sent[0]?.query ?? []))
    .toEqual({
      StatusIds: '3',
      SortBy: 'due',
      sortOrder: 'asc',
      PageNumber: '1',
      Take: '20',
      ln: 'ar-EG',
    });
});

it('names once who sends for a company, in the direction of the page', async () => {
  const actedFor = { name: 'شركة النور', isYou: false, by: 'company' } as const;
  answerList(
    requestSummaryRecord({ applicantName: 'Noura Demo', sentBy: { name: 'Noura Demo', actedFor } }),
    requestSummaryRecord({
      requestId: 40,
      requestNumber: 'DW-2026-000040',
      applicantName: 'Ahmed Khan',
      sentBy: { name: 'Noura Demo', actedFor },
    }),
  );
  await renderPage('/requests/new');
  await expect.element(rowOf('DW-2026-000041')).toMatchTextContent('شركة النور');
  const cellOf = (number: string) =>
    [...rowOf(number).element().querySelectorAll<HTMLElement>('[title*=Noura]')][0];
  expect(cellOf('DW-2026-000041')?.textContent?.match(/Noura/g)).toHaveLength(1);
  expect(getComputedStyle(cellOf('DW-2026-000041') as Element).direction).toBe('rtl');
  // A name that the user typed keeps its direction, the sentence behind it has that of the page.
  expect(getComputedStyle(cellOf('DW-2026-000040') as Element).direction).toBe('rtl');
  expect(cellOf('DW-2026-000040')?.querySelector('bdi')?.textContent).toBe('Ahmed Khan');
});

it('shows long names in two lines, and in compact rows the applicant alone in one', async () => {
  await page.viewport(1280, 900);
  const actedFor = { name: 'شركة النور', isYou: false, by: 'company' } as const;
  const serviceName = 'إصدار تصريح عمل جديد من خارج الإمارات للعاملين في القطاع الخاص';
  answerList(
    requestSummaryRecord({
      serviceName,
      applicantName: 'أحمد خان',
      sentBy: { name: 'Noura Demo', actedFor },
    }),
  );
  await renderPage('/requests/new');
  const row = rowOf('DW-2026-000041');
  const service = row.getByTitle(serviceName);
  const lines = () => {
    const { height } = service.element().getBoundingClientRect();
    return Math.round(height / parseFloat(getComputedStyle(service.element()).lineHeight));
  };
  await expect.poll(lines).toBe(2);
  await expect.element(row.getByText('نيابةً عن', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'صفوف متقاربة' }).click();
  await expect.poll(lines).toBe(1);
  await expect.element(row.getByText('نيابةً عن', { exact: false })).not.toBeVisible();
});

it('shows who holds each request of the list in progress', async () => {
  await useLanguageOfTest('en-US');
  answerList(
    requestSummaryRecord({
      requestNumber: 'DW-2026-000041',
      holder: { name: 'Salem', isYou: true },
    }),
    requestSummaryRecord({
      requestId: 40,
      requestNumber: 'DW-2026-000040',
      holder: { name: 'نورة الكعبي', isYou: false },
    }),
    requestSummaryRecord({ requestId: 39, requestNumber: 'DW-2026-000039' }),
  );
  await renderPage('/requests/processing');
  await expect.element(rowOf('DW-2026-000041')).toMatchTextContent('You');
  await expect.element(rowOf('DW-2026-000041')).not.toMatchTextContent('Salem');
  await expect.element(rowOf('DW-2026-000040')).toMatchTextContent('نورة الكعبي');
  await expect.element(rowOf('DW-2026-000039')).toMatchTextContent('Not assigned');
});

it('counts the requests of the lists in the header of an employee', async () => {
  answerCall(getRequestsCount, { newRequestsCount: 12, processingRequestsCount: 3, sequence: 0 });
  answerList();
  await renderPage('/requests/new');
  await expect.element(page.getByRole('link', { name: /الجديدة.*12/ }).first()).toBeVisible();
  await expect.element(page.getByRole('link', { name: /قيد الإنجاز.*3/ }).first()).toBeVisible();
});

it('shows placeholders until the list is loaded', async () => {
  const { reply, release } = holdReply<ReturnType<typeof pageOf<never>>>();
  answerCall(getRequestsByStatusId, () => reply);
  await renderPage('/requests/new');
  await expect.element(page.getByText('جارٍ التحميل…')).toBeInTheDocument();
  await expect.element(page.getByText('لا توجد طلبات جديدة')).not.toBeInTheDocument();
  release(pageOf([]));
  await expect.element(page.getByRole('heading', { name: 'لا توجد طلبات جديدة' })).toBeVisible();
  await expect.element(page.getByText('جارٍ التحميل…')).not.toBeInTheDocument();
  await expect.element(page.getByRole('table')).not.toBeInTheDocument();
});

it('explains an error and loads the list again', async () => {
  let isDown = true;
  answerCall(getRequestsByStatusId, () => {
    if (isDown) throw refuse(500, 'InternalServerError', 'حدث خطأ');
    return pageOf(requestSummaries(1));
  });
  await renderPage('/requests/new');
  const error = page.getByRole('alert').filter({ hasText: 'تعذر عرض الطلبات' });
  await expect.element(error).toMatchTextContent('الطلبات محفوظة ولم يتغير فيها شيء.');
  isDown = false;
  await error.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await expect.element(error).not.toBeInTheDocument();
});

it('sends each filter with the query and removes it by its chip', async () => {
  answerCall(getVisibleAgencies, [agency, { id: 2, name: 'محاكم دبي' }]);
  const ofAll = answerList(...requestSummaries(1));
  const sent = answerCall(getAllRequestsByStatusId, pageOf(requestSummaries(1)));
  const { address } = await renderPage('/requests/all');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await expect.poll(() => ofAll[0]?.query.has('StatusId')).toBe(false);
  await choose('الحالة', 'منجز');
  await expect.poll(() => sent.at(-1)?.query.get('StatusId')).toBe('9');
  await choose('في عهدة', 'الطلبات التي في عهدتي');
  await expect.poll(() => sent.at(-1)?.query.get('OnlyMine')).toBe('true');
  await choose('الموعد', 'متأخر');
  await expect.poll(() => sent.at(-1)?.query.get('Due')).toBe('late');
  await choose('الجهة', agency.name);
  await expect.poll(() => sent.at(-1)?.query.get('GovernmentAgencyId')).toBe(String(agency.id));
  await expect.poll(address).toBe(`/requests/all?status=9&mine=1&due=late&agency=${agency.id}`);
  await choose('في عهدة', 'غير مسند');
  await expect.poll(() => sent.at(-1)?.query.get('Holder')).toBe('nobody');
  await expect.poll(() => sent.at(-1)?.query.has('OnlyMine')).toBe(false);
  const count = ofAll.length;
  await page.getByRole('button', { name: 'إزالة: منجز' }).click();
  await expect
    .poll(() => ofAll.slice(count).map(({ query }) => query.has('StatusId')))
    .toEqual([false]);
  await page.getByRole('button', { name: 'مسح التصفية' }).click();
  await expect.poll(address).toBe('/requests/all');
});

it('shows the requests of a colleague', async () => {
  await useLanguageOfTest('en-US');
  const sara = '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b07';
  answerCall(getColleagues, [{ userId: sara, name: 'Sara' }]);
  const sent = answerList(...requestSummaries(1));
  const { address } = await renderPage('/requests/processing');
  await choose('Assigned to', 'Sara');
  await expect.poll(() => sent.at(-1)?.query.get('Holder')).toBe(sara);
  await expect.poll(address).toBe(`/requests/processing?holder=${sara}`);
  await page.getByRole('button', { name: 'Remove: Sara' }).click();
  await expect.poll(address).toBe('/requests/processing');
});

it('finds a service by typing and keeps it in the address', async () => {
  await useLanguageOfTest('en-US');
  const found = answerCall(getVisibleServices, [{ id: 12, name: 'Renew a licence' }]);
  const sent = answerList(...requestSummaries(1));
  const { address } = await renderPage('/requests/new');
  const field = page.getByRole('combobox', { name: 'Service' });
  await field.fill('licence');
  await expect.poll(() => found.at(-1)?.query.get('SearchKeyword')).toBe('licence');
  await page.getByRole('option', { name: 'Renew a licence' }).click();
  await expect.poll(() => sent.at(-1)?.query.get('ServiceId')).toBe('12');
  await expect.poll(address).toBe('/requests/new?service=12');
  await expect.element(field).toHaveValue('Renew a licence');
});

it('sorts by the heads of its columns, by mouse and keyboard', async () => {
  await useLanguageOfTest('en-US');
  const sent = answerList(...requestSummaries(2));
  const { address } = await renderPage('/requests/new');
  const head = (name: string) => page.getByRole('columnheader', { name });
  await expect.element(head('Due')).toHaveAttribute('aria-sort', 'ascending');
  await expect.element(head('Sent on')).toHaveAttribute('aria-sort', 'none');
  await head('Due').getByRole('button').click();
  await expect.element(head('Due')).toHaveAttribute('aria-sort', 'descending');
  await expect
    .poll(() => Object.fromEntries(sent.at(-1)?.query ?? []))
    .toMatchObject({
      SortBy: 'due',
      sortOrder: 'desc',
    });
  (head('Sent on').getByRole('button').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(head('Sent on')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(address).toBe('/requests/new?sort=desc');
  await expect.poll(() => sent.at(-1)?.query.has('SortBy')).toBe(false);
  for (const [name, SortBy, sortOrder, sort] of [
    ['Request number', 'number', 'asc', 'number'],
    ['Service', 'service', 'asc', 'service'],
    ['Agency', 'agency', 'asc', 'agency'],
    ['Applicant', 'applicant', 'asc', 'applicant'],
    ['Total', 'total', 'desc', 'totalLast'],
  ] as const) {
    await head(name).getByRole('button').click();
    await expect.poll(address).toBe(`/requests/new?sort=${sort}`);
    await expect
      .poll(() => Object.fromEntries(sent.at(-1)?.query ?? []))
      .toMatchObject({ SortBy, sortOrder });
    await expect
      .element(head(name))
      .toHaveAttribute('aria-sort', sortOrder === 'asc' ? 'ascending' : 'descending');
  }
});

it('keeps the height of the rows that the user chose in this browser', async () => {
  await useLanguageOfTest('en-US');
  await page.viewport(1280, 800);
  answerList(...requestSummaries(20));
  await renderPage('/requests/new');
  const rows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
  await expect.poll(() => rows().length).toBe(20);
  expect(Math.max(...rows().map((row) => row.offsetHeight))).toBeLessThanOrEqual(49);
  const whole = () => rows().filter((row) => row.getBoundingClientRect().bottom <= 800).length;
  expect(whole()).toBeGreaterThanOrEqual(12);
  await page.getByRole('button', { name: 'Compact rows' }).click();
  await expect.poll(() => rows()[0]?.offsetHeight).toBeLessThanOrEqual(40);
  await expect.poll(() => localStorage.getItem('requests-density')).toBe('compact');
  localStorage.removeItem('requests-density');
});

it('sends the days of a period and refuses an end before the start', async () => {
  const sent = answerList(...requestSummaries(1));
  const { address } = await renderPage('/requests/all');
  await choose('الفترة', 'هذا الشهر');
  await expect.poll(() => sent.at(-1)?.query.get('DateFrom')).toMatch(/^\d{4}-\d{2}-01$/);
  await choose('الفترة', 'تحديد التواريخ');
  await expect.poll(address).toBe('/requests/all');
  const from = page.getByRole('textbox', { name: /من تاريخ/ });
  const before = sent.length;
  await from.fill('٣١/٠٢/٢٠٢٦');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText(/أدخل اليوم ثم الشهر ثم السنة/)).toBeVisible();
  await expect.poll(() => sent).toHaveLength(before);
  await from.fill('١٠١١٢٠٢٦');
  await expect.poll(() => sent.at(-1)?.query.get('DateFrom')).toBe('2026-11-10');
  const count = sent.length;
  await page.getByRole('textbox', { name: /إلى تاريخ/ }).fill('09/11/2026');
  await expect.element(page.getByText(/يجب ألا يسبق تاريخُ النهاية/)).toBeVisible();
  await expect.poll(() => sent).toHaveLength(count);
});

it('searches on Enter and offers to clear the filters when nothing is found', async () => {
  const sent = answerCall(getRequestsByStatusId, ({ query }) =>
    pageOf(query.has('SearchKeyword') ? [] : requestSummaries(1)),
  );
  const { address } = await renderPage('/requests/new');
  const field = page.getByRole('textbox', { name: /البحث في الطلبات/ });
  await field.fill(' مريم ');
  await expect.poll(() => sent).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'لا توجد طلبات مطابقة' })).toBeVisible();
  await expect.poll(() => sent.at(-1)?.query.get('SearchKeyword')).toBe('مريم');
  await expect.poll(address).toContain('q=');
  await page.getByRole('button', { name: 'إزالة ««مريم»»' }).click();
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await expect.element(field).toHaveValue('');
});

it('opens the pages of the list and returns to the first one after a filter', async () => {
  const sent = answerCall(getRequestsByStatusId, ({ query }) =>
    pageOf(
      requestSummaries(1, { requestNumber: `DW-2026-00010${query.get('PageNumber')}` }),
      45,
      Number(query.get('PageNumber')),
    ),
  );
  const { address } = await renderPage('/requests/all');
  await expect.element(linkOf('DW-2026-000101')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'الصفحة السابقة' })).toBeDisabled();
  await page.getByRole('button', { name: 'الصفحة الأخيرة' }).click();
  await expect.element(linkOf('DW-2026-000103')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'الصفحة التالية' })).toBeDisabled();
  await expect.poll(address).toBe('/requests/all?page=3');
  await choose('الموعد', 'متأخر');
  await expect.poll(() => sent.at(-1)?.query.get('PageNumber')).toBe('1');
});

it('receives a request in its row and releases it again', async () => {
  const [first, second] = requestSummaries(2);
  let isReceived = false;
  answerCall(getRequestsByStatusId, () => pageOf(isReceived ? [second!] : [first!, second!]));
  const received = answerCall(receiveRequest, () => {
    isReceived = true;
    return requestRecordOf({ ...first, version: 3, allowedActions: ['release'] });
  });
  const released = answerCall(releaseRequest, () => {
    isReceived = false;
    return requestRecordOf({ ...first, version: 4 });
  });
  await renderPage('/requests/new');
  await page.getByRole('button', { name: 'استلام الطلب DW-2026-000041' }).click();
  await expect.element(rowOf('DW-2026-000041')).toMatchTextContent('تم الاستلام');
  await expect.poll(() => received[0]).toMatchObject({ params: ['41'] });
  await expect.poll(() => received[0]?.query.get('version')).toBe('2');
  await page.getByRole('button', { name: 'إعادة الطلب DW-2026-000041 إلى القائمة' }).click();
  await expect
    .element(page.getByRole('button', { name: 'استلام الطلب DW-2026-000041' }))
    .toBeVisible();
  await expect.poll(() => released[0]?.body).toEqual({ requestId: 41, version: 3 });
});

it('shows in the row who was faster', async () => {
  answerList(...requestSummaries(1));
  answerCall(receiveRequest, () => {
    throw refuse(409, 'VersionHasChanged', 'استلمت نورة الكعبي الطلب قبل دقيقة');
  });
  await renderPage('/requests/new');
  await page.getByRole('button', { name: 'استلام الطلب DW-2026-000041' }).click();
  await expect
    .element(rowOf('DW-2026-000041').getByRole('alert'))
    .toMatchTextContent('استلمت نورة الكعبي الطلب قبل دقيقة');
});

it('marks what changes while the list is read, in its place, and adds new requests when asked', async () => {
  await useLanguageOfTest('en-US');
  const numbers = () =>
    page
      .getByRole('row')
      .elements()
      .flatMap((row) => /DW-2026-\d{6}/.exec(row.textContent ?? '') ?? []);
  const [one, two, three] = requestSummaries(3) as [RequestSummary, RequestSummary, RequestSummary];
  answerList(two, three);
  const hub = openHub(requestHub);
  answerCall(getRequestsCount, { newRequestsCount: 2, processingRequestsCount: 0, sequence: 0 });
  await renderPage('/requests/new');
  await expect.poll(numbers).toEqual([two.requestNumber, three.requestNumber]);
  await expect.poll(() => hub.connections.size).toBe(1);
  // One arrives before the others, one changes, one leaves.
  const added = requestSummaryRecord({ requestId: 99, requestNumber: 'DW-2026-000099' });
  const later = '2030-01-01T00:00:00.000Z';
  answerList(one, added, { ...two, version: 9, updatedAt: later, applicantName: 'Changed Name' });
  hub.send('requestCreated', 1);
  const show = page.getByRole('button', { name: 'Show 2 new requests' });
  await expect.element(show).toBeVisible();
  expect(numbers()).toEqual([two.requestNumber, three.requestNumber]);
  await expect.element(rowOf(two.requestNumber)).toMatchTextContent(/Changed.*Changed Name/);
  await expect.element(rowOf(three.requestNumber)).toMatchTextContent('Left this list');
  await expect.element(rowOf(three.requestNumber).getByRole('button')).not.toBeInTheDocument();
  await show.click();
  expect(numbers()).toEqual([one.requestNumber, added.requestNumber, two.requestNumber]);
  await expect.element(rowOf(added.requestNumber)).toMatchTextContent('New');
  await expect.element(show).not.toBeInTheDocument();
});

it('lets a service provider neither select nor receive', async () => {
  signInAs('ServiceProvider');
  answerList(requestSummaryRecord({ allowedActions: [] }));
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /استلام/ })).not.toBeInTheDocument();
});

it('shows cards and hides the filters behind a button on a phone', async () => {
  await page.viewport(390, 844);
  await useLanguageOfTest('ur-PK');
  answerList(
    ...requestSummaries(2).map((each, at) =>
      at === 0 ? each : { ...each, promisedBy: undefined },
    ),
  );
  await renderPage('/requests/new');
  await expect.element(linkOf('DW-2026-000041')).toBeVisible();
  await expect.element(page.getByRole('table')).not.toBeInTheDocument();
  const card = page.getByRole('listitem').filter({ hasText: 'DW-2026-000041' });
  await expect.element(card).toMatchTextContent('مريم الشامسي');
  // A card leaves out what a request does not have.
  const due = page.getByRole('term').filter({ hasText: 'مقررہ تاریخ' });
  expect(due.elements()).toHaveLength(1);
  const toggle = page.getByRole('search').getByRole('button', { expanded: false }).last();
  await toggle.click();
  await expect
    .element(page.getByRole('search').getByRole('button', { expanded: true }))
    .toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

it('stays beside the open request in the widest windows, at its place', async () => {
  await page.viewport(1440, 900);
  await useLanguageOfTest('en-US');
  answerRequest(requestRecordOf({ ...requestSummaries(1)[0], attachments: [] }));
  answerList(...requestSummaries(20));
  await renderPage('/requests/all?due=late');
  await linkOf('DW-2026-000041').click();
  const pane = page.getByRole('complementary', { name: 'All requests' });
  await expect.element(pane).toMatchTextContent('Late');
  const rows = pane.getByRole('listitem').filter({ hasText: 'DW-2026-0000' });
  await expect.poll(() => rows.elements().length).toBe(20);
  await expect
    .element(pane.getByRole('link', { name: 'DW-2026-000041' }))
    .toHaveAttribute('aria-current', 'page');
  const list = rows.first().element().parentElement as HTMLElement;
  list.scrollTop = 300;
  await pane.getByRole('link', { name: 'DW-2026-000050' }).click();
  await expect
    .element(pane.getByRole('link', { name: 'DW-2026-000050' }))
    .toHaveAttribute('aria-current', 'page');
  expect(list.isConnected).toBe(true);
  expect(list.scrollTop).toBe(300);
  await page.viewport(1280, 800);
  await expect.element(pane).not.toBeInTheDocument();
});
