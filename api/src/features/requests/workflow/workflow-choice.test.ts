import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAuditEvents } from '@diwan/contract/people/audit';
import * as calls from '@diwan/contract/requests/workflows';
import type { Workflow } from '@diwan/contract/requests/workflow';
import {
  freeService,
  openRequestStage,
  paidService,
  type RequestStage,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { openWorkflow } from './workflows.actions.ts';

const shipped = readFileSync(new URL('../../../../seed/workflow.json', import.meta.url), 'utf8');
let app: TestApp;
let stage: RequestStage;
let admin: string;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

function changed(change: (document: Workflow) => void): string {
  const document = JSON.parse(shipped) as Workflow;
  change(document);
  return JSON.stringify(document);
}
const short = changed((document) => {
  document.name = 'Short way';
  document.statuses = document.statuses.filter(
    ({ key }) => !['approved', 'withServiceProvider', 'waitingForFees'].includes(key),
  );
  document.transitions = document.transitions.filter(
    ({ from, to }) => ![6, 7, 8].includes(to) && ![6, 7, 8].includes(from ?? 0),
  );
});
const put = (body: object) => app.call(calls.putWorkflowInForce, { token: admin, body });
const judge = (document: string, serviceId?: number) =>
  app.call(calls.judgeWorkflow, {
    token: admin,
    body: { document, ...(serviceId ? { serviceId } : {}) },
  });
const inForce = async () => (await app.call(calls.getWorkflows, { token: admin })).body;
const actionsOf = async (requestId: number) =>
  (await stage.read('employee', requestId)).body.allowedActions;

describe('an admin', () => {
  it('is told all reasons at once why a document cannot be, and it does not come into force', async () => {
    const impossible = changed((document) => {
      document.transitions = document.transitions.filter(
        ({ action, from }) => !(action === 'pay' && from === 8),
      );
      document.transitions.push({ action: 'approve', from: 3, to: 6, who: ['Client'] });
    });
    const { body } = await judge(impossible);
    expect(body.faults.map(({ code }) => code).sort()).toEqual([
      'chargeNotPayable',
      'notOpenTo',
      'waitsForNobody',
    ]);
    expect((await put({ document: impossible })).refused.error).toBe('WorkflowNotUsable');
    expect((await inForce()).isDeploymentOwn).toBe(true);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '"x"',
    '{"__proto__":{"statuses":[]}}',
    '['.repeat(100_000),
    changed((document) => {
      document.name = 'a\u0000b';
    }),
  ])('hears of %.20s what it is not', async (text) => {
    const { status, body } = await judge(text);
    expect([status, body.faults.length > 0, body.document]).toEqual([200, true, undefined]);
    expect((await put({ document: text })).refused.error).toBe('WorkflowNotUsable');
  });

  it('is told that a status means something else to requests under way', async () => {
    const { body } = await judge(
      changed((document) =>
        document.statuses.forEach((status) => {
          if (status.key === 'new') status.key = 'fresh';
        }),
      ),
    );
    expect(body.faults).toEqual([
      { code: 'statusMeansOther', params: { status: 3, key: 'fresh', other: 'new' } },
    ]);
  });

  it('sees what a document changes before it is in force', async () => {
    expect((await judge(shipped)).body).toMatchObject({ faults: [], differences: [] });
    const { body } = await judge(
      changed((document) => {
        document.statuses.forEach((status) => {
          if (status.key === 'new') status.name['en-US'] = 'Arrived';
        });
        document.transitions = document.transitions.filter(({ action }) => action !== 'release');
        document.transitions.push({ action: 'reject', from: 3, to: 10, who: ['Admin'] });
        document.transitions.forEach((cell) => {
          if (cell.action === 'receive') cell.who = ['Employee'];
        });
      }),
    );
    expect(body.differences).toEqual([
      { kind: 'statusRenamed', statusId: 3 },
      { kind: 'transitionChanged', action: 'receive', from: 3, to: 4 },
      { kind: 'transitionAdded', action: 'reject', from: 3, to: 10 },
      { kind: 'transitionRemoved', action: 'release', from: 4, to: 3 },
    ]);
  });

  it('puts a document in force for new requests of one service, and those under way and of others keep theirs', async () => {
    const service = await stage.findService(freeService);
    const before = await stage.sendAndReceive('individual');
    const { general } = await inForce();
    const { status, body } = await put({
      document: short,
      serviceId: service.id,
      replaces: general.workflowId,
    });
    expect([status, body.services]).toEqual([
      200,
      [
        expect.objectContaining({
          serviceId: service.id,
          serviceName: service.name,
          name: 'Short way',
          by: 'admin',
        }),
      ],
    ]);
    const [after, other] = [
      await stage.sendAndReceive('individual'),
      await stage.sendAndReceive('individual', paidService),
    ];
    expect(await actionsOf(after.requestId)).not.toContain('approve');
    expect(await actionsOf(before.requestId)).toContain('approve');
    expect(await actionsOf(other.requestId)).toContain('approve');
    expect(
      (await put({ serviceId: service.id, document: shipped, replaces: general.workflowId }))
        .refused.error,
    ).toBe('WorkflowHasChanged');
    expect((await put({ serviceId: service.id })).body.services).toEqual([]);
    expect(await actionsOf((await stage.sendAndReceive('individual')).requestId)).toContain(
      'approve',
    );
  });

  it('puts a document in force for all, which another process hears of, is told apart in the audit log, and takes it back', async () => {
    const there = await openWorkflow(app.database, app.config);
    expect((await put({ document: short })).body).toMatchObject({
      isDeploymentOwn: false,
      general: { name: 'Short way', by: 'admin' },
    });
    expect(there.current.document.name).not.toBe('Short way');
    expect((await there.forService(app.database, 1)).document.name).toBe('Short way');
    await there.refresh();
    expect(there.current.document.name).toBe('Short way');
    expect(await actionsOf((await stage.sendAndReceive('individual')).requestId)).not.toContain(
      'approve',
    );
    const { body } = await app.call(getAuditEvents, {
      token: admin,
      query: { Kind: 'workflowPutInForce' },
    });
    expect(body.items[0]).toMatchObject({
      username: 'admin',
      before: ['Demo workflow (3)'],
      after: ['Short way (3)'],
    });
    expect((await put({})).body.isDeploymentOwn).toBe(true);
    expect((await openWorkflow(app.database, app.config)).current.document.name).toBe(
      'Demo workflow',
    );
  });

  it('reads a document that is kept, and hears of one that is not', async () => {
    const { general } = await inForce();
    expect(
      (
        await app.call(calls.getWorkflowDocument, {
          token: admin,
          query: { WorkflowId: general.workflowId },
        })
      ).body,
    ).toEqual(JSON.parse(shipped));
    expect(
      (
        await app.call(calls.getWorkflowDocument, {
          token: admin,
          query: { WorkflowId: 999_999 },
        })
      ).refused.error,
    ).toBe('NotFound');
    expect((await judge(shipped, 999_999)).refused.error).toBe('ServiceNotFound');
    await expect(app.database.deleteFrom('workflow_choices').execute()).rejects.toThrow(
      /append-only/,
    );
  });
});
