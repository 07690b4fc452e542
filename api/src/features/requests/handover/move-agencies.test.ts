import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getServiceDesign } from '@diwan/contract/catalogue/service-designs';
import { withdrawRequest } from '@diwan/contract/processing/withdrawals';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { changeUserRoles, getUserById } from '@diwan/contract/staff/user-administration';

// `employee-rta` sees the agency that the service moves to, `employee-moi` the one that it leaves.
const app = useTestApp();
const stage = openRequestStage(app);
const waiting = { timeout: 20_000, interval: 50 };

const numbersOf = async (username: string) =>
  (await app.callAs(username, getRequestsByStatusId, { query: { Take: 100 } })).body.items.map(
    ({ requestNumber }) => requestNumber,
  );
const countsOf = async (username: string) => {
  const { newRequestsCount, processingRequestsCount } = (
    await app.callAs(username, getRequestsCount)
  ).body;
  return [newRequestsCount, processingRequestsCount];
};
const stored = (id: number) =>
  app.database
    .selectFrom('requests')
    .select(['agency_id', 'holder_id', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const transfersOf = async (id: number) =>
  (await stage.read('individual', id)).body.history.filter(({ action }) => action === 'transfer');

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** Counts that differ from those of the requests. */
async function wrongCounts(): Promise<unknown[]> {
  const { rows } = await sql`
    select status_id, partner_id, agency_id, sum(count) as difference
    from (
      select status_id, partner_id, agency_id, count
      from request_counts
      union all
      select status_id, coalesce(partner_id, 0), agency_id, -1
      from requests
    ) as both_counts
    group by status_id, partner_id, agency_id
    having sum(count) <> 0`.execute(app.database);
  return rows;
}

it('open requests follow their service to another agency, whole or not at all', async () => {
  const service = await stage.findService(freeService);
  const [from, to] = [
    service.governmentAgency,
    (await stage.findService(paidService)).governmentAgency,
  ];
  const user = (
    await app.callAs('admin', getUserById, { query: { UserId: await app.idOf('employee-moi') } })
  ).body;
  await app.callAs('admin', changeUserRoles, {
    body: {
      userId: user.id,
      version: user.version,
      roles: ['Employee'],
      agencyIds: [from.id],
    },
  });
  const [open, held, closed] = [
    await stage.send('individual', freeService),
    await stage.send('individual', freeService),
    await stage.send('individual', freeService),
  ];
  await stage.receive('employee-moi', held.requestId);
  expect(
    (await stage.performAction('individual', withdrawRequest, { requestId: closed.requestId }))
      .status,
  ).toBe(200);
  const before = { rta: await countsOf('employee-rta'), moi: await countsOf('employee-moi') };
  const all = sum(await countsOf('employee'));

  // The job fails in the middle of its transaction: after the agency, before the history.
  await sql`create sequence if not exists transfer_attempts`.execute(app.database);
  await sql`grant all on sequence transfer_attempts to public`.execute(app.database);
  await sql`
    create or replace function fail_transfer() returns trigger language plpgsql as $$
    begin
      perform nextval('transfer_attempts');
      raise exception 'killed';
    end $$`.execute(app.database);
  await sql`
    create or replace trigger fail_transfer before insert on request_history
    for each row when (new.action = 'transfer')
    execute function fail_transfer()`.execute(app.database);
  await app.database
    .updateTable('services')
    .set({ agency_id: to.id })
    .where('id', '=', service.id)
    .execute();
  const design = async () =>
    (await app.callAs('admin', getServiceDesign, { query: { serviceId: service.id } })).body;
  const left = (await design()).agencyMove;
  expect(left).toMatchObject({ isMoving: true, agencyName: to.name });
  expect(left?.openRequests).toBeGreaterThanOrEqual(2);
  const isTried = async () =>
    (
      await sql<{ is_called: boolean }>`select is_called from transfer_attempts`.execute(
        app.database,
      )
    ).rows[0]?.is_called;
  await expect.poll(isTried, waiting).toBe(true);
  expect([(await stored(open.requestId)).agency_id, await wrongCounts()]).toEqual([from.id, []]);
  await sql`drop trigger fail_transfer on request_history`.execute(app.database);

  await expect.poll(async () => (await stored(open.requestId)).agency_id, waiting).toBe(to.id);
  await expect.poll(async () => (await stored(held.requestId)).holder_id, waiting).toBeNull();
  expect(await wrongCounts()).toEqual([]);
  expect(await stored(open.requestId)).toMatchObject({ version: 1 });
  expect((await transfersOf(open.requestId)).map(({ message }) => message)).toEqual([
    expect.stringContaining(to.name),
  ]);
  // What has ended stays.
  expect((await stored(closed.requestId)).agency_id).toBe(from.id);
  expect(await transfersOf(closed.requestId)).toEqual([]);
  expect(await numbersOf('employee-rta')).toEqual(
    expect.arrayContaining([open.requestNumber, held.requestNumber]),
  );
  expect(await numbersOf('employee-moi')).not.toContain(open.requestNumber);
  expect((await stage.read('employee-moi', open.requestId)).status).toBe(404);
  // Both requests are new for the one; the other has none of them left.
  const after = { rta: await countsOf('employee-rta'), moi: await countsOf('employee-moi') };
  expect(after.rta[0]).toBeGreaterThanOrEqual((before.rta[0] ?? 0) + 2);
  expect(sum(after.moi)).toBeLessThanOrEqual(sum(before.moi) - 2);
  expect(sum(await countsOf('employee'))).toBe(all);
  expect((await design()).agencyMove).toBeUndefined();
});
