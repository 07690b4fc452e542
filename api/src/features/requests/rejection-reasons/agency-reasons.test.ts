import { beforeAll, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getChanges } from '@diwan/contract/people/changes';
import * as calls from '@diwan/contract/requests/rejection-reasons';
import {
  approveRequest,
  rejectRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import type { BodyInputOf } from '@diwan/contract/wire/call';

// `paidService` is of the agency of `agency-rta`, `freeService` of another one.
const app = useTestApp();
const stage = openRequestStage(app);

const namesOf = (text: string) => ({ nameAr: `سبب ${text}`, nameEn: text, nameUr: `وجہ ${text}` });
const save = (as: string, body: BodyInputOf<typeof calls.saveRejectionReason>) =>
  app.callAs(as, calls.saveRejectionReason, { body, language: 'en-US' });
async function add(as: string, text: string, more: { kind?: 'fine'; agencyId?: number } = {}) {
  const { body } = await save(as, { ...namesOf(text), ...more });
  const added = body.find(({ names }) => names['en-US'] === text);
  if (!added) throw new Error(`The reason was not added: ${JSON.stringify(body)}`);
  return added;
}
const list = async (as: string) =>
  (await app.callAs(as, calls.getAllRejectionReasons, { language: 'en-US' })).body;

let correction: calls.ReasonRecord;
let fine: calls.ReasonRecord;
let agencyId: number;
beforeAll(async () => {
  const { rows } = await sql<{ id: number }>`
    select agency_id as id
    from staff_agencies
    join users on users.id = user_id
    where username = 'agency-rta'`.execute(app.database);
  agencyId = rows[0]?.id ?? 0;
  correction = await add('agency-rta', 'Plate photo unclear');
  fine = await add('agency-rta', 'Late renewal', { kind: 'fine' });
});

it('are of the only agency of who adds them, who manages no others', async () => {
  expect(correction.agency?.id).toBe(agencyId);
  expect((await list('agency-rta')).map(({ id }) => id)).toEqual([correction.id, fine.id]);
  expect(await list('agency-moi')).toEqual([]);
  const all = await list('admin');
  expect(all.length).toBeGreaterThan(5);
  const general = all.find(({ agency }) => agency === undefined);
  for (const [as, reason] of [
    ['agency-rta', general],
    ['agency-moi', correction],
  ] as const) {
    const { id = 0, version = 0 } = reason ?? {};
    const changed = await save(as, { id, version, ...namesOf('Mine'), isRetired: true });
    expect(changed.refused.error, as).toBe('RejectionReasonNotFound');
  }
  const { body } = await app.callAs('agency-rta', getChanges, {
    query: { Entity: 'rejectionReason' },
  });
  expect(body.items.map(({ entityId }) => Number(entityId)).toSorted()).toEqual(
    [correction.id, fine.id].toSorted(),
  );
});

it('are offered for requests of the agency only', async () => {
  const [own, other] = [
    await stage.sendAndReceive('individual', paidService),
    await stage.sendAndReceive('individual', freeService),
  ];
  const offers = async (as: string, ...ids: number[]) => {
    const parts = { query: ids.length > 0 ? { RequestIds: ids.join(',') } : {} };
    const { body: corrections } = await app.callAs(as, calls.rejectionReasonCollection, parts);
    const { body: charges } = await app.callAs(as, calls.chargeReasonCollection, parts);
    // Those for all agencies are always there.
    expect(Math.min(corrections.length, charges.length)).toBeGreaterThan(0);
    const found = [
      corrections.some(({ id }) => id === correction.id),
      charges.some(({ id }) => id === fine.id),
    ];
    expect(new Set(found).size, as).toBe(1);
    return found[0];
  };
  expect(await offers('employee', own.requestId)).toBe(true);
  expect(await offers('employee-rta', own.requestId)).toBe(true);
  // A service provider sees what reached it.
  expect(await offers('supervisor', own.requestId)).toBe(false);
  const approved = await stage.sendAndApprove('individual', paidService);
  expect(await offers('supervisor', approved.requestId)).toBe(true);
  expect(await offers('employee-rta')).toBe(false);
  expect(await offers('employee', other.requestId)).toBe(false);
  expect(await offers('employee', own.requestId, other.requestId)).toBe(false);
  // What the caller does not see counts as none.
  expect(await offers('employee-rta', own.requestId, other.requestId)).toBe(true);
  expect(await offers('employee-moi', own.requestId)).toBe(false);
});

it('are refused for a request of another agency', async () => {
  const chosen = { requestHistoryRejectionReasonsList: [correction.id] };
  const refusalOf = async (service: string) => {
    const { requestId } = await stage.sendAndReceive('individual', service);
    const rejected = await app.callAs('employee', rejectRequest, {
      body: { requestId, requestHistoryRejectionReasonId: correction.id, ...messageTexts },
    });
    const charged = await app.callAs('employee', approveRequest, {
      body: { requestId, fines: 100, requestHistoryRejectionReasonsList: [fine.id] },
    });
    const returned = await app.callAs('employee', returnRequest, {
      body: { requestId, ...chosen, ...messageTexts },
    });
    return [rejected, charged, returned].map(({ status, refused }) =>
      status === 200 ? 'done' : refused.error,
    );
  };
  const unknown = 'RejectionReasonNotFound';
  expect(await refusalOf(freeService)).toEqual([unknown, unknown, unknown]);
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  const returned = await app.callAs('employee', returnRequest, {
    body: { requestId, ...chosen, ...messageTexts },
  });
  expect(returned.body.history.at(-1)?.reasons).toEqual(['Plate photo unclear']);
});

it('have names that no other reason for the same requests has', async () => {
  const [general] = (await list('admin')).filter(
    ({ agency, kind, isRetired }) => !agency && kind === 'correction' && !isRetired,
  );
  const { names } = general!;
  const taken = await save('agency-rta', {
    nameAr: names['ar-EG'],
    nameEn: names['en-US'],
    nameUr: names['ur-PK'],
  });
  expect(Object.keys(taken.refused.errors ?? {})).toEqual(['nameAr', 'nameEn', 'nameUr']);
  expect((await save('admin', namesOf('Plate photo unclear'))).status).toBe(400);
  expect((await save('agency-moi', namesOf('Plate photo unclear'))).status).toBe(200);
});

it('need an agency that is there, and a choice of who has several', async () => {
  expect((await save('admin', { ...namesOf('Nowhere'), agencyId: 99_999 })).refused.error).toBe(
    'NotFound',
  );
  expect((await add('admin', 'For one agency', { agencyId })).agency?.id).toBe(agencyId);
  await sql`
    insert into staff_agencies (user_id, agency_id)
    select ${await app.idOf('agency-rta')}, id
    from agencies
    where id <> ${agencyId}
    limit 1`.execute(app.database);
  const { status, refused } = await save('agency-rta', namesOf('Of which'));
  expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['agencyId']]);
  expect((await add('agency-rta', 'Of this', { agencyId })).agency?.id).toBe(agencyId);
});
