import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { getChanges } from '@diwan/contract/people/changes';
import * as calls from '@diwan/contract/requests/workflows';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { submittedRequest } from '@diwan/contract/requests/request-actions';
import { freeService, openRequestStage } from '../../../testing/requests/request-stage.ts';
import { useTestApp } from '../../../testing/test-app.ts';

const shipped = readFileSync(new URL('../../../../seed/workflow.json', import.meta.url), 'utf8');
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
    by: 'admin',
  });
  expect(await read()).toMatchObject({ version: 1, document: draft });
  // The draft of a service is another one.
  expect(await read(119)).toEqual({ version: 0 });
  // Two browsers read version 1 and save at once: one wins.
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
  await stage.performAction('employee', submittedRequest, { requestId: done.requestId });
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
