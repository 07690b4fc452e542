import { allCalls } from '@diwan/contract/all-calls';
import { getCalendars, saveCalendar } from '@diwan/contract/calendars/calendar-calls';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import {
  createServiceDraft,
  getServiceDesign,
  publishService,
  saveServiceDraft,
} from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { exportCatalogue } from '@diwan/contract/catalogue/transfer';
import { requestRefund } from '@diwan/contract/payments/events';
import { exportAuditLog } from '@diwan/contract/portal/audit-log';
import { grantObjection } from '@diwan/contract/processing/objections';
import { getFigureGroups } from '@diwan/contract/requests/reports';
import * as actions from '@diwan/contract/requests/request-actions';
import { findAnything, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import {
  getRequestById,
  getRequestIdByRequestNumber,
  readRequestLink,
} from '@diwan/contract/requests/requests';
import { inviteStaff, joinStaff } from '@diwan/contract/staff/staff-invitations';
import { getTeams, saveTeam } from '@diwan/contract/staff/teams';
import type { Call, GrantedRole } from '@diwan/contract/wire/call';
import { accountHub, followMethod, presenceHub, requestHub } from '@diwan/contract/wire/hubs';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { listenTo } from '../../api/src/testing/hub-client.ts';
import { call, newToken, sandboxUrl, sendRequest, storeSession, storeToken } from '../api.ts';
import { fillForm, readService } from '../fill-form.ts';
import { expect, test } from '../journey.ts';
import { portalUrl } from '../server.ts';
import { expectAccessible, openBrowser, textsOf } from '../steps.ts';

// Made once: a second run adds an agency of its own.
const mark = Date.now() % 1_000_000;
const textOf = (arabic: string, english: string, urdu: string): LocalizedText => ({
  'ar-EG': `${arabic} ${mark}`,
  'en-US': `${english} ${mark}`,
  'ur-PK': `${urdu} ${mark}`,
});
const agency = textOf('هيئة الواحات', 'Oasis Authority', 'نخلستان اتھارٹی');
const service = textOf('تصريح حفر بئر', 'Well drilling permit', 'کنواں کھودنے کا اجازت نامہ');
const step = textOf('بيانات التصريح', 'About the permit', 'اجازت نامے کی تفصیل');
const speed = textOf('سرعة الإنجاز', 'How fast', 'کتنی جلدی');
const otherAgency = textOf('هيئة الكثبان', 'Dunes Authority', 'ٹیلوں کی اتھارٹی');
const express = textOf('عاجلة', 'Express', 'فوری');
const usual = textOf('عادية', 'Normal', 'عام');
const closedDay = textOf('يوم الواحة', 'Day of the oasis', 'نخلستان کا دن');
const address = `well-drilling-permit-${mark}`;
const fees = { permit: 4000, express: 1000 };

const onDay = (day: string) => ({ from: day, until: day });

const ar = textsOf('ar-EG');
const phone = { language: 'ar-EG', width: 390, height: 844 } as const;
const desk = { language: 'en-US', width: 1280, height: 900 } as const;
const details = (number: string) => `/requests/request-details?request-number=${number}`;
const message = { messageAr: 'لم تُرفق خريطة الموقع', messageEn: '', messageUr: '' };

/** Who is invited joins by the link of the mail; returns the token of the new account. */
async function join(
  by: string,
  name: string,
  roles: GrantedRole[],
  agencyIds: number[],
): Promise<string> {
  const email = `${name}-${mark}@oasis.example`;
  const { status } = await call(inviteStaff, {
    token: by,
    body: { email, fullName: `Oasis ${name}`, roles, agencyIds },
  });
  expect(status, name).toBe(200);
  let token = '';
  await expect
    .poll(async () => {
      const messages = await (await fetch(`${sandboxUrl}/messages`)).text();
      const own = messages.slice(messages.indexOf(email));
      token = messages.includes(email) ? (/account\/invitation#([\w-]+)/.exec(own)?.[1] ?? '') : '';
      return token;
    })
    .not.toBe('');
  const { body } = await call(joinStaff, {
    body: {
      token,
      username: `${name}-${mark}`,
      fullName: `Oasis ${name}`,
      phoneNumber: `0504${String(mark).padStart(6, '0')}`,
      password: 'Quiet-Lanterns-7042!',
      confirmPassword: 'Quiet-Lanterns-7042!',
    },
  });
  return body.token;
}

const listenToHub = (token: string, path = requestHub) =>
  listenTo({ url: `${portalUrl}${path}`, token, hearsTopics: true });

/** The audit log that somebody exports, as text. */
const exportLog = async (token: string): Promise<string> =>
  (
    await fetch(`${portalUrl}${exportAuditLog.path}?Format=jsonl&Kind=request`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).text();

const makeDocument = (blank: DraftDocument, categoryId: number): DraftDocument => ({
  ...blank,
  replacedName: address,
  name: service,
  description: service,
  categoryId,
  accountTypeIds: [1],
  form: {
    steps: [
      ...blank.form.steps,
      {
        name: 'permit',
        // Not the name of the service: the form is recognised by the title of its step.
        title: step,
        fields: [
          {
            name: 'speed',
            kind: 'choice',
            title: speed,
            required: true,
            oneOf: [
              { const: 'express', title: express },
              { const: 'usual', title: usual },
            ],
          },
        ],
      },
    ],
  },
  fees: [
    { name: 'permit', title: service, amount: fees.permit, vatRate: 0 },
    {
      name: 'express',
      title: express,
      amount: fees.express,
      vatRate: 0,
      when: { field: 'speed', equals: 'express' },
    },
  ],
  result: service,
});

test('an agency of its own: its administrator builds, its clerks decide, others find nothing', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const [admin, others] = [await newToken('admin'), await newToken('agency-moi')];
  let agencyId = 0;
  let otherAgencyId = 0;
  let administrator = '';
  await test.step('the portal’s administrator creates an agency and its administrator', async () => {
    for (const name of [agency, otherAgency])
      expect((await call(saveAgency, { token: admin, body: { name } })).status).toBe(200);
    const { body } = await call(getAgencyRecords, { token: admin });
    const find = ({ 'en-US': named }: LocalizedText) =>
      body.find(({ name }) => name['en-US'] === named);
    agencyId = find(agency)?.id ?? 0;
    otherAgencyId = find(otherAgency)?.id ?? 0;
    expect(find(agency)?.administratorsCount).toBe(0);
    administrator = await join(admin, 'administrator', ['AgencyAdmin'], [agencyId]);
  });

  let [first, second] = ['', ''];
  await test.step('who alone builds a service with a fee by answers, a calendar, two clerks and a team', async () => {
    const token = administrator;
    const { body: begun } = await call(createServiceDraft, { token, body: { template: 'blank' } });
    const { serviceId } = begun;
    const { body: design } = await call(getServiceDesign, { token, query: { serviceId } });
    expect(design.document.agencyId).toBe(agencyId);
    const { body: categories } = await call(getAllServiceCategory);
    const categoryId = categories[0]?.id ?? 0;
    const saved = await call(saveServiceDraft, {
      token,
      body: {
        serviceId,
        version: design.version,
        document: JSON.stringify(makeDocument(design.document, categoryId)),
      },
    });
    expect(saved.body.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const published = await call(publishService, {
      token,
      body: { serviceId, version: saved.body.version },
    });
    expect([published.status, published.body.isPublished]).toEqual([200, true]);
    const { body: known } = await call(getCalendars, { token });
    const own = known.calendars.find((each) => each.agencyId === agencyId);
    const { status } = await call(saveCalendar, {
      token,
      body: {
        agencyId,
        version: own?.version ?? 0,
        calendar: {
          week: null,
          hours: null,
          periods: [],
          days: [{ ...onDay('2027-03-03'), kind: 'holiday', name: closedDay, isExpected: false }],
        },
      },
    });
    expect(status).toBe(200);
    first = await join(token, 'salem', ['Employee'], [agencyId]);
    second = await join(token, 'noura', ['Employee'], [agencyId]);
    const { body: staff } = await call(getTeams, { token, query: { AgencyId: agencyId } });
    expect(staff.services.map(({ id }) => id)).toEqual([serviceId]);
    const team = await call(saveTeam, {
      token,
      body: {
        agencyId,
        version: 0,
        name: 'Wells',
        memberIds: staff.employees.map(({ userId }) => userId),
        serviceIds: [serviceId],
        categoryIds: [],
      },
    });
    expect([staff.employees.length, team.status]).toEqual([2, 200]);
    const { body: after } = await call(getTeams, { token, query: { AgencyId: agencyId } });
    expect(after.employees.map(({ seesWholeAgency }) => seesWholeAgency)).toEqual([false, false]);
    expect(after.services).toMatchObject([{ id: serviceId, hasTeam: true }]);
    // Nothing of another agency is within reach.
    const { refused } = await call(getServiceDesign, { token, query: { serviceId: 1 } });
    expect(refused.error).toBe('ServiceNotFound');
  });

  const figuresOf = async (token: string) => {
    const { body } = await call(getFigureGroups, { token, query: { By: 'service' } });
    return body.groups.filter(({ name }) => name === service['en-US']);
  };
  // Of an agency in which nothing happens, so that whatever it hears is of another one.
  const stranger = await join(admin, 'stranger', ['Employee'], [otherAgencyId]);
  const [own, other] = [await listenToHub(first), await listenToHub(stranger)];
  const ofAccount = await listenToHub(stranger, accountHub);
  const person = await openBrowser(browser, phone);
  let number = '';
  await test.step('a person sends it in Arabic on a phone and pays the fee of the answer', async () => {
    const { page } = person;
    await storeSession(page, 'individual');
    await page.goto(`/requests/Create/${address}`);
    // The session is planted without its cookie: until the header shows it, the page is that of a visitor.
    await expect(
      page.getByRole('button', { name: new RegExp(`^${ar('shell:userMenu')}`) }),
    ).toBeVisible();
    await page.getByRole('button', { name: ar('forms:intro.start') }).click();
    await fillForm(page, await readService(page, address, 'ar-EG'), 'ar-EG', {
      keepsPrefilled: true,
    });
    await expect(page.locator('main')).toContainText(express['ar-EG']);
    await expectAccessible(page);
    await page.getByText(ar('forms:review.agree')).click();
    await page
      .getByRole('button', { name: new RegExp(ar('forms:review.sendAndPay').split(' ')[0] ?? '') })
      .last()
      .click();
    await page.locator('button[value=paid]').click();
    await expect(page).toHaveURL(/\/payment-status\?result=success/);
    await page.getByRole('button', { name: ar('payments:toConfirmation'), exact: true }).click();
    await expect(page).toHaveURL(/\/requests\/accepted-request/);
    const shown = page
      .locator('main')
      .getByText(/DW\d{2}-\d{5}-\d{5}/)
      .filter({ visible: true });
    number = /DW\d{2}-\d{5}-\d{5}/.exec((await shown.first().textContent()) ?? '')?.[0] ?? '';
  });

  const read = async (token: string, RequestNumber = number) => {
    const { body } = await call(getRequestIdByRequestNumber, { token, query: { RequestNumber } });
    return (await call(getRequestById, { token, query: { RequestId: body.requestId } })).body;
  };
  await test.step('a clerk of another agency finds nothing by any way', async () => {
    const clerk = await newToken('employee-rta');
    const { requestId, requestLink, fees: quote } = await read(first);
    expect(quote.total).toBe(fees.permit + fees.express);
    const { body: list } = await call(getRequestsByStatusId, {
      token: clerk,
      query: { Take: 100 },
    });
    expect(list.totalCount).toBeGreaterThan(0);
    expect(JSON.stringify(list.items)).not.toContain(number);
    const found = await call(getRequestsByStatusId, {
      token: clerk,
      query: { SearchKeyword: number },
    });
    expect(found.body.totalCount).toBe(0);
    const { body: anything } = await call(findAnything, { token: clerk, query: { Text: number } });
    expect(anything.requests).toEqual([]);
    for (const { connection } of [own, other]) await connection.invoke(followMethod, [requestId]);
    await expect(listenToHub(stranger, presenceHub)).rejects.toThrow('YouAreUnauthorized');
    const byNumber = await call(getRequestIdByRequestNumber, {
      token: clerk,
      query: { RequestNumber: number },
    });
    const byId = await call(getRequestById, { token: clerk, query: { RequestId: requestId } });
    const byLink = await call(readRequestLink, {
      token: clerk,
      query: { request: new URL(requestLink).searchParams.get('request') ?? '' },
    });
    expect([byNumber, byId].map(({ refused }) => refused.error)).toEqual(
      Array<string>(2).fill('RequestNotFound'),
    );
    expect(byLink.status).toBeGreaterThanOrEqual(400);
    // Clerks have no reports and exports at all, their own agency's included.
    const files = allCalls.filter((each: Call) => each.isExport);
    for (const each of [getFigureGroups, ...files] as Call[])
      expect((await call(each, { token: clerk, query: { By: 'service' } })).status).toBe(403);
    // Neither does the administrator of another agency find it, in figures and files.
    expect(await figuresOf(administrator)).toMatchObject([{ created: 1 }]);
    expect(await figuresOf(others)).toEqual([]);
    const { body: file } = await call(exportCatalogue, {
      token: others,
      query: { Format: 'json' },
    });
    expect(JSON.stringify(file)).not.toContain(address);
    const { page, context } = await openBrowser(browser, desk);
    await storeToken(page, clerk);
    await page.goto(details(number));
    await expect(page.locator('main')).not.toContainText(service['en-US']);
    await context.close();
  });

  await test.step('the right one decides, and the person objects on the phone', async () => {
    const { requestId, version } = await read(first);
    const received = await call(actions.receiveRequest, {
      token: first,
      params: { requestId },
      query: {},
    });
    expect([received.status, version < received.body.version]).toEqual([200, true]);
    const rejected = await call(actions.rejectRequest, {
      token: first,
      body: {
        requestId,
        version: received.body.version,
        requestHistoryRejectionReasonId: 1,
        ...message,
      },
    });
    expect([rejected.status, rejected.body.statusTone]).toEqual([200, 'refused']);
    const { page } = person;
    await page.goto(details(number));
    await page.getByRole('button', { name: ar('requests:objection.button') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('أرفقت خريطة الموقع مع الطلب');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: ar('requests:objection.send') }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('another officer decides about the objection', async () => {
    const { requestId, version } = await read(first);
    const byFirst = await call(grantObjection, { token: first, body: { requestId, version } });
    expect(byFirst.refused.error).toBe('AnotherApproverNeeded');
    const bySecond = await call(grantObjection, {
      token: second,
      body: { requestId, version },
    });
    expect([bySecond.status, bySecond.body.holder?.isYou]).toEqual([200, true]);
    await person.page.goto(details(number));
    await expect(person.page.locator('main')).toContainText(ar('requests:story.grantObjection'));
  });

  await test.step('the hubs and the log tell of the work in the agency, and nothing in another one', async () => {
    expect(await exportLog(admin)).toContain(number);
    expect(await exportLog(administrator)).not.toContain(number);
    expect(await exportLog(others)).not.toContain(number);
    await expect.poll(() => own.events()).toContain('requestChanged');
    expect(own.events()).toEqual(
      expect.arrayContaining(['requestCreated', 'requestDetails', 'requestProcessing']),
    );
    for (const { connection, events } of [other, ofAccount])
      expect([connection.state, events()]).toEqual(['Connected', []]);
    for (const { connection } of [own, other, ofAccount]) await connection.stop();
  });

  await test.step('a second person withdraws and is paid back', async () => {
    const token = await newToken('individual2');
    const sent = await sendRequest('individual2', address, { speed: 'usual' });
    const { page, context } = await openBrowser(browser, phone);
    await storeToken(page, token);
    await page.goto(details(sent.requestNumber));
    await page
      .getByRole('button', { name: new RegExp(`^${ar('requests:record.pay').trim()}`) })
      .first()
      .click();
    await page.locator('button[value=paid]').click();
    await expect(page).toHaveURL(/\/payment-status\?result=success/);
    await page.goto(details(sent.requestNumber));
    await page.getByRole('button', { name: ar('requests:withdraw.button') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: ar('requests:withdraw.confirm') }).click();
    await expect(dialog).toHaveCount(0);
    const { refund } = await read(token, sent.requestNumber);
    expect(refund).toMatchObject({ refundable: fees.permit, refunded: 0 });
    const { status } = await call(requestRefund, {
      token: admin,
      body: {
        requestId: sent.requestId,
        amount: fees.permit,
        refundedBefore: 0,
        note: 'Withdrawn before work began',
      },
    });
    expect(status).toBe(200);
    await expect
      .poll(async () => (await read(token, sent.requestNumber)).refund?.refunded, {
        timeout: 30_000,
      })
      .toBe(fees.permit);
    await context.close();
  });
  expect(person.problems).toEqual([]);
});
