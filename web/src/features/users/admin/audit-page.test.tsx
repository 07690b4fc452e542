import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { matchRoute } from '#lib/router/match-route.ts';
import { portalRoutes } from '#routes.tsx';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { auditEventRecord } from '#testing/people-records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { changeEntities } from '@diwan/contract/people/changes';
import { getAuditLog, type LogEntry } from '@diwan/contract/portal/audit-log';
import { findAnything } from '@diwan/contract/requests/request-lists';

const main = page.getByRole('main');
const at = '2026-11-20T05:00:07.000Z';
const who = { at, username: 'employee', fullName: 'Ali Al Demo' };

const entries: LogEntry[] = [
  { key: 'account 71', source: 'account', ...who, address: '192.0.2.7', event: auditEventRecord },
  {
    key: 'request 9',
    source: 'request',
    ...who,
    act: { requestNumber: 'DW-2026-000041', action: 'approve' },
  },
  {
    key: 'read 5',
    source: 'read',
    ...who,
    read: { requestNumber: 'DW-2026-000042', documentName: 'passport.pdf' },
  },
  {
    key: 'export 72',
    source: 'export',
    ...who,
    event: {
      ...auditEventRecord,
      kind: 'exported',
      call: 'exportPaymentList',
      filter: { Format: 'csv', State: 'paid' },
    },
  },
];

const nothing = {
  requests: [],
  documents: [],
  payments: [],
  services: [],
  people: [],
  companies: [],
  partners: [],
  unfinished: [],
};

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
});

it('shows who did what to which thing, with seconds and the address', async () => {
  answerCall(getAuditLog, pageOf(entries));
  await renderPage('/dashboard/audit');
  const row = (name: RegExp) => main.getByRole('row', { name });
  await expect.element(row(/Roles changed.*192\.0\.2\.7/)).toBeVisible();
  await expect.element(row(/Request approved/)).toMatchTextContent(/9:00:07/);
  await expect
    .element(main.getByRole('link', { name: 'DW-2026-000041' }))
    .toHaveAttribute('href', expect.stringContaining('request-number=DW-2026-000041'));
  await expect.element(row(/Document opened/)).toMatchTextContent(/passport\.pdf/);
  await expect
    .element(row(/List exported/))
    .toMatchTextContent(/Payments, refunds and other lists of money.*State: paid/);
});

it('links each kind of thing to a page of the portal, or not at all', async () => {
  const id = '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b01';
  const ofThings = changeEntities.map((entity, index): LogEntry => ({
    key: `change ${index}`,
    source: 'change',
    ...who,
    change: { id: index, ...who, entity, entityId: id, action: 'changed', fields: [] },
  }));
  answerCall(getAuditLog, pageOf([...entries, ...ofThings]));
  await renderPage('/dashboard/audit');
  const links = main.getByRole('table').getByRole('link');
  await expect.poll(() => links.elements().length).toBeGreaterThan(5);
  const paths = links.elements().map((link) => new URL((link as HTMLAnchorElement).href).pathname);
  expect(paths).toContain(`/dashboard/service-providers/${id}`);
  expect(paths.filter((path) => matchRoute(portalRoutes, path)?.route.path === '*')).toEqual([]);
});

it('is filtered by a person and a thing that are found by a part, by kind and by days', async () => {
  const asked = answerCall(getAuditLog, pageOf(entries));
  answerCall(findAnything, {
    ...nothing,
    payments: [{ merchantReference: 'PAY-77', status: 'paid', amount: 100, currency: 'AED' }],
    people: [
      { userId: 'u1', username: 'employee', fullName: 'Ali Al Demo', email: 'a@b.ae', roles: [] },
    ],
  });
  const { address } = await renderPage('/dashboard/audit');
  const choose = async (label: string, text: string, option: string) => {
    await main.getByRole('combobox', { name: label }).fill(text);
    await expect.element(page.getByRole('option', { name: option })).toBeVisible();
    await userEvent.keyboard('{ArrowDown}{Enter}');
  };
  await choose('Person', 'ali', 'Ali Al Demo (employee)');
  await expect.poll(address).toBe('/dashboard/audit?person=employee');
  await choose('About', 'PAY', 'Payment: PAY-77');
  await choose('Type', 'Personal', 'Personal data read');
  await main.getByLabelText('From', { exact: true }).fill('20/1');
  await userEvent.keyboard('{Tab}');
  await main.getByLabelText('To', { exact: true }).fill('20/11/2026');
  await userEvent.keyboard('{Tab}');
  expect(asked.at(-1)?.query.get('Until')).toBeNull();
  await main.getByLabelText('From', { exact: true }).fill('');
  await userEvent.keyboard('{Tab}');
  await expect
    .poll(() => Object.fromEntries(asked.at(-1)?.query ?? []))
    .toMatchObject({
      Username: 'employee',
      Thing: 'payment/PAY-77',
      Kind: 'read',
      Until: '2026-11-20',
    });
  expect(asked.at(-1)?.query.get('From')).toBeNull();
});

it('says beside the day that the period ends before it begins, and asks nothing then', async () => {
  const asked = answerCall(getAuditLog, pageOf(entries));
  const { address } = await renderPage('/dashboard/audit?from=2026-11-20');
  await main.getByLabelText('To', { exact: true }).fill('19/11/2026');
  await userEvent.keyboard('{Tab}');
  await expect
    .element(main.getByLabelText('To', { exact: true }))
    .toHaveAccessibleDescription('The end date must not be before the start date.');
  expect(address()).toBe('/dashboard/audit?from=2026-11-20');
  expect(asked.map(({ query }) => query.get('Until'))).toEqual([null]);
});
