import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { findAnything } from '@diwan/contract/requests/request-lists';

const app = useTestApp();
const stage = openRequestStage(app);

const find = async (username: string, Text: string) =>
  (await app.callAs(username, findAnything, { query: { Text }, language: 'en-US' })).body;

it('finds what each caller may open, by kind', async () => {
  const sent = await stage.send('individual', freeService);
  const admin = await find('admin', 'supervisor');
  expect(admin.people.map(({ username }) => username)).toContain('supervisor2');
  expect(admin.unfinished).toEqual([]);
  // Employees and service providers see neither accounts nor companies.
  for (const username of ['employee', 'supervisor2'])
    expect(await find(username, 'supervisor')).toMatchObject({
      people: [],
      companies: [],
      partners: [],
    });
  const number = sent.requestNumber;
  expect((await find('employee', number.toLowerCase())).requests).toMatchObject([
    { requestNumber: number, statusTone: 'progress' },
  ]);
  // A service provider finds a request when it has reached the provider.
  expect((await find('supervisor2', number)).requests).toEqual([]);
  const approved = await stage.sendAndApprove('individual', freeService);
  expect((await find('supervisor2', approved.requestNumber)).requests).toHaveLength(1);
  expect((await find('supervisor', approved.requestNumber)).requests).toEqual([]);
  expect((await find('supervisor', 'vehicle ownership')).services[0]).toMatchObject({
    replacedName: 'renew-vehicle-ownership',
    agencyName: expect.stringContaining('Roads') as string,
  });
});

it('finds companies and service providers by any of their names', async () => {
  const [company] = await app.database.selectFrom('companies').select(['id', 'name']).execute();
  const [partner] = await app.database.selectFrom('partners').select(['id', 'name']).execute();
  for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const) {
    const companies = await find('admin', company?.name[language] ?? '');
    expect(companies.companies.map(({ id }) => id)).toContain(company?.id);
    const partners = await find('admin', partner?.name[language] ?? '');
    expect(partners.partners.map(({ id }) => id)).toContain(partner?.id);
  }
});

it('takes texts as texts, and refuses short and long ones', async () => {
  for (const text of ["'; drop table users; --", '%%', '__', '%_%'])
    expect((await find('admin', text)).people, text).toEqual([]);
  for (const Text of ['a', ' a ', 'x'.repeat(101)])
    expect((await app.callAs('admin', findAnything, { query: { Text } })).status).toBe(400);
});

it('shows the rest when one kind does not answer in time', async () => {
  const found = await inTransaction(app.database, async (transaction) => {
    await sql`lock table requests in access exclusive mode`.execute(transaction);
    return find('admin', 'supervisor');
  });
  expect(found.unfinished).toEqual(['requests']);
  expect(found.people.length).toBeGreaterThan(0);
});
