import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { calendarOfRequest, dueDayByDay } from '#testing/requests/day-by-day.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Calendar } from '@diwan/contract/calendars/calendars';
import { getChanges } from '@diwan/contract/people/changes';
import * as actions from '@diwan/contract/requests/request-actions';
import type { Workflow } from '@diwan/contract/requests/workflow';
import * as calls from '@diwan/contract/requests/workflows';
import type { Call } from '@diwan/contract/wire/call';
import { dayInDubai } from '@diwan/contract/wire/days';

const shipped = readFileSync(new URL('../../../seed/workflow.json', import.meta.url), 'utf8');
const app = useTestApp();
const stage = openRequestStage(app);
const document = JSON.parse(shipped) as Workflow;

const save = (body: object) =>
  app.callAs('admin', calls.saveWorkflowDraft, { body: body as never });
const read = async (ServiceId?: number) =>
  (
    await app.callAs('admin', calls.getWorkflowDraft, {
      query: ServiceId === undefined ? {} : { ServiceId },
    })
  ).body;
const simulate = async (change: (copy: Workflow) => void, serviceId?: number) => {
  const copy = JSON.parse(shipped) as Workflow;
  change(copy);
  return (
    await app.callAs('admin', calls.simulateWorkflow, {
      body: { document: JSON.stringify(copy), ...(serviceId ? { serviceId } : {}) },
      language: 'en-US',
    })
  ).body;
};

it('keeps a draft, also one with empty texts, and refuses the second of two admins', async () => {
  expect(await read()).toEqual({ version: 0 });
  const [status] = document.statuses;
  const draft = {
    ...document,
    name: '',
    statuses: [{ ...status, name: { 'ar-EG': '', 'en-US': 'New', 'ur-PK': '' } }],
    transitions: [],
  };
  expect((await save({ version: 0, document: draft })).body).toMatchObject({
    version: 1,
    by: 'Aisha Al Demo',
  });
  expect(await read()).toMatchObject({ version: 1, document: draft });
  // The draft of a service is another one.
  expect(await read(119)).toEqual({ version: 0 });
  // Two browsers read version 1 and save at the same time: one wins.
  const both = await Promise.all(
    ['One', 'Two'].map((name) => save({ version: 1, document: { ...draft, name } })),
  );
  expect(both.map((each) => each.refused?.error ?? each.body.version).sort()).toEqual([
    2,
    'RecordHasChanged',
  ]);
  for (const version of [0, 1, 3])
    expect((await save({ version, document: draft })).refused.error).toBe('RecordHasChanged');
  expect((await save({ version: 1 })).refused.error).toBe('RecordHasChanged');
  expect((await save({ version: 2 })).body).toEqual({ version: 0 });
  expect((await save({ version: 2, document: draft })).refused.error).toBe('RecordHasChanged');
  expect((await save({ version: 0, document: { ...draft, statuses: [{}] } })).status).toBe(400);
});

it('an activated document ends its draft, and the change is recorded', async () => {
  await save({ version: 0, document });
  const named = { ...document, name: 'Activated', version: document.version + 1 };
  await app.callAs('admin', calls.putWorkflowInForce, {
    body: { document: JSON.stringify(named) },
  });
  expect(await read()).toEqual({ version: 0 });
  const { body } = await app.callAs('admin', getChanges, { query: { Entity: 'workflow' } });
  expect(body.items[0]).toMatchObject({
    entityId: 'general',
    action: 'published',
    fields: expect.arrayContaining([
      { field: 'name', before: document.name, after: 'Activated' },
    ]) as unknown,
  });
});

it('finds open requests without a status or an action, and past ones that would stop', async () => {
  const open = await stage.send('individual', freeService);
  const done = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', actions.submittedRequest, { requestId: done.requestId });
  const same = await simulate(() => undefined);
  expect(same).toMatchObject({ statusMissing: [], noAction: [], stopped: [] });
  expect(same.passed).toBe(same.tried);
  expect(same.openRequests).toBeGreaterThan(0);
  expect(same.tried).toBeGreaterThan(same.openRequests);

  const idOf = (key: string) => document.statuses.find((each) => each.key === key)?.statusId ?? 0;
  const isNew = idOf('new');
  const stuck = await simulate((copy) => {
    copy.transitions = copy.transitions.filter(({ from }) => from !== isNew);
  });
  const atNew = stuck.noAction.find(({ statusId }) => statusId === isNew);
  expect(atNew?.statusName).toBe('New');
  expect(atNew?.examples).toContain(open.requestNumber);
  const received = stuck.stopped.find(({ action }) => action === 'receive');
  expect(received).toMatchObject({ from: isNew, statusName: 'New' });
  expect(received?.requests).toBeGreaterThan(0);
  expect(stuck.passed + stuck.otherEnd.requests).toBe(
    stuck.tried - stuck.stopped.reduce((sum, { requests }) => sum + requests, 0),
  );

  const missing = await simulate((copy) => {
    copy.statuses = copy.statuses.filter(({ statusId }) => statusId !== isNew);
  });
  expect(missing.statusMissing.map(({ statusId }) => statusId)).toEqual([isNew]);
  expect(missing.statusMissing[0]?.requests).toBe(atNew?.requests);

  // Nobody but the provider acts: nothing happens where a request has none.
  const employeeless = await simulate((copy) => {
    for (const transition of copy.transitions)
      if (transition.from === isNew) transition.who = ['ServiceProvider'];
  });
  const withPartner = await app.database
    .selectFrom('requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status_id', '=', isNew)
    .where('partner_id', 'is', null)
    .executeTakeFirstOrThrow();
  expect(employeeless.noAction.find(({ statusId }) => statusId === isNew)?.requests ?? 0).toBe(
    withPartner.count,
  );

  const other = await simulate((copy) => {
    for (const transition of copy.transitions)
      if (transition.action === 'submitted') transition.to = idOf('rejected');
  });
  const completed = await app.database
    .selectFrom('requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status_id', '=', idOf('completed'))
    .executeTakeFirstOrThrow();
  expect(other.otherEnd.requests).toBe(completed.count);
});

it('finds charges whose payment would lead elsewhere, and follows the action that charged', async () => {
  const paid = await stage.sendAndReceive('individual', freeService);
  const { requestId } = paid;
  await stage.performAction('employee', actions.approveRequest, { requestId, fines: 100 });
  await stage.pay(requestId);
  await stage.performAction('employee', actions.submittedRequest, { requestId });
  const { id } = await stage.findService(freeService);
  const inspected = (copy: Workflow) => {
    const like = copy.statuses.find(({ key }) => key === 'approved');
    if (!like) throw new Error('The demo has this status');
    copy.statuses.push({ ...like, statusId: 20, key: 'siteInspection' });
    const approve = copy.transitions.find(({ action }) => action === 'approve');
    const complete = copy.transitions.find(
      ({ action, from }) => action === 'submitted' && from === like.statusId,
    );
    Object.assign(approve ?? {}, { to: 20 });
    if (complete) copy.transitions.push({ ...complete, from: 20 });
  };
  const same = await simulate(() => undefined, id);
  expect(same.paidElsewhere).toEqual([]);
  const found = await simulate(inspected, id);
  expect(found.paidElsewhere).toMatchObject([
    { action: 'approve', statusName: 'Approved', paidStatusName: 'Approved' },
  ]);
  expect(found.paidElsewhere[0]?.examples).toContain(paid.requestNumber);
  // The request would have been completed from the inspection, and another payment status is no
  // obstacle for it.
  expect(found.stopped).toEqual(same.stopped);
  const elsewhere = await simulate((copy) => {
    const payment = copy.statuses.find(({ key }) => key === 'waitingForFees');
    if (!payment) throw new Error('The demo has this status');
    copy.statuses.push({ ...payment, statusId: 21, key: 'other' });
    for (const each of copy.transitions) {
      if (each.toPay === payment.statusId) each.toPay = 21;
      if (each.from === payment.statusId) each.from = 21;
    }
  }, id);
  expect([elsewhere.stopped, elsewhere.paidElsewhere]).toEqual([same.stopped, []]);
});

it('limits the simulation to the requests of the scope, and refuses what is no workflow', async () => {
  const { id } = await stage.findService(freeService);
  const ofService = await simulate(() => undefined, id);
  const count = await app.database
    .selectFrom('requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('service_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(ofService.tried).toBe(count.count);
  for (const text of ['', '{', '{"name":"x"}'])
    expect(
      (await app.callAs('admin', calls.simulateWorkflow, { body: { document: text } })).refused
        .error,
    ).toBe('WorkflowNotUsable');
});

/** The same count from the history, day by day. */
async function countOverdue(statusId: number, workingDays: number): Promise<number> {
  const rows = await app.database
    .selectFrom('request_history')
    .select(['request_id', 'to_status_id', 'at'])
    .where('action', '!=', 'reassign')
    .orderBy('id')
    .execute();
  const calendars = new Map<number, Calendar>();
  for (const { request_id: id } of rows)
    if (!calendars.has(id)) calendars.set(id, await calendarOfRequest(app.database, id));
  const late = rows.filter((row, index) => {
    const next = rows.slice(index + 1).find((each) => each.request_id === row.request_id);
    const left = dayInDubai(next?.at ?? new Date());
    return (
      row.to_status_id === statusId &&
      left > dueDayByDay(calendars.get(row.request_id)!, row.at, workingDays)
    );
  });
  return new Set(late.map((row) => row.request_id)).size;
}

it('holds time limits and requires inputs, and tells before what past requests lacked', async () => {
  const returned = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', actions.returnRequest, {
    requestId: returned.requestId,
    ...messageTexts,
  });
  const strict = JSON.parse(shipped) as Workflow;
  const transition = (action: string) =>
    strict.transitions.find((each) => each.action === action && each.from === 4)!;
  const processing = strict.statuses.find(({ statusId }) => statusId === 4)!;
  processing.workingDays = 1;
  transition('return').requires = ['reason', 'note'];
  transition('approve').requires = ['note', 'fee'];
  transition('submitted').requires = ['document'];
  const tried = await simulate((copy) => Object.assign(copy, strict));
  expect(tried.overdue).toMatchObject([{ statusId: 4, requests: await countOverdue(4, 1) }]);
  const lacking = tried.lacking.find(
    ({ action, input }) => action === 'return' && input === 'reason',
  );
  expect(lacking?.examples).toContain(returned.requestNumber);
  expect(tried.lacking.some(({ action, input }) => action === 'return' && input === 'note')).toBe(
    false,
  );

  const validate = async (change: (copy: Workflow) => void) => {
    const copy = structuredClone(strict);
    change(copy);
    const body = { document: JSON.stringify(copy) };
    const validated = (await app.callAs('admin', calls.judgeWorkflow, { body })).body;
    return validated.faults.map(({ code }) => code);
  };
  expect(await validate(() => undefined)).toEqual([]);
  const first = (copy: Workflow, action: string) =>
    copy.transitions.find((each) => each.action === action)!;
  expect(await validate((copy) => (copy.statuses[8]!.workingDays = 3))).toEqual(['limitMisplaced']);
  expect(await validate((copy) => (first(copy, 'receive').requires = ['note']))).toEqual([
    'cannotRequire',
  ]);
  expect(await validate((copy) => (first(copy, 'accept').requires = ['fee']))).toEqual([
    'feeNotPossible',
  ]);

  await app.callAs('admin', calls.putWorkflowInForce, {
    body: { document: JSON.stringify({ ...strict, name: 'Strict', version: 90 }) },
  });
  const { requestId } = await stage.send('individual', freeService);
  const promised = (await stage.read('individual', requestId)).body.promisedBy;
  const perform = async (call: Call, sent: object) =>
    (await stage.performAction('employee', call, { requestId, ...sent } as never)).refused.error;
  expect((await stage.read('employee', requestId)).body.promisedBy).toBe(promised);
  await stage.receive('employee', requestId);
  const { body: record } = await stage.read('employee', requestId);
  const calendar = await calendarOfRequest(app.database, requestId);
  expect(record.promisedBy).toBe(dueDayByDay(calendar, new Date(), 1));
  expect((await stage.read('individual', requestId)).body.promisedBy).toBe(promised);
  expect(record.requiredInputs).toEqual({
    approve: ['note', 'fee'],
    return: ['reason', 'note'],
    submitted: ['document'],
  });
  expect(await perform(actions.returnRequest, messageTexts)).toBe('ReasonRequired');
  expect(await perform(actions.approveRequest, messageTexts)).toBe('ChargeRequired');
  expect(await perform(actions.approveRequest, { fines: 500 })).toBe('MessageIncomplete');
  expect(await perform(actions.submittedRequest, {})).toBe('ResultRequired');
  const { body: approved } = await stage.performAction('employee', actions.approveRequest, {
    requestId,
    fines: 500,
    ...messageTexts,
  });
  expect(approved.history.at(-1)?.message).toBe(messageTexts.messageEn);
  // While the applicant pays there is no due day, and afterwards the promised one.
  await stage.pay(requestId);
  expect((await stage.read('employee', requestId)).body.promisedBy).toBeDefined();
});
