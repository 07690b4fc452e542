import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getService } from '@diwan/contract/catalogue/services';
import { getAuditEvents } from '@diwan/contract/people/audit';
import type { Workflow } from '@diwan/contract/requests/workflow';
import * as calls from '@diwan/contract/requests/workflows';
import { openWorkflows } from './workflows.actions.ts';

const shipped = readFileSync(new URL('../../../seed/workflow.json', import.meta.url), 'utf8');
const shippedVersion = (JSON.parse(shipped) as Workflow).version;
const app = useTestApp();
const stage = openRequestStage(app);
let admin: string;
beforeAll(async () => {
  admin = await app.signIn('admin');
});

function changed(change: (document: Workflow) => void): string {
  const document = JSON.parse(shipped) as Workflow;
  change(document);
  return JSON.stringify(document);
}
const shortened = changed((document) => {
  document.name = 'Short way';
  document.statuses = document.statuses.filter(
    ({ key }) =>
      !['approved', 'withServiceProvider', 'waitingForFees', 'fineObjection'].includes(key),
  );
  document.transitions = document.transitions.filter(
    ({ from, to }) => ![6, 7, 8, 15].includes(to) && ![6, 7, 8, 15].includes(from ?? 0),
  );
});
const activate = (body: object) => app.call(calls.putWorkflowInForce, { token: admin, body });
const validate = (document: string, serviceId?: number) =>
  app.call(calls.judgeWorkflow, {
    token: admin,
    body: { document, ...(serviceId ? { serviceId } : {}) },
  });
const active = async () => (await app.call(calls.getWorkflows, { token: admin })).body;
const actionsOf = async (requestId: number) =>
  (await stage.read('employee', requestId)).body.allowedActions;

describe('an admin', () => {
  it('gets all problems of an invalid document together, and cannot activate it', async () => {
    const invalid = changed((document) => {
      document.transitions = document.transitions.filter(
        ({ action, from }) => !(action === 'pay' && from === 8),
      );
      document.transitions.push({ action: 'approve', from: 3, to: 6, who: ['Client'] });
    });
    const { body } = await validate(invalid);
    expect(body.faults.map(({ code }) => code).sort()).toEqual([
      'chargeNotPayable',
      'notOpenTo',
      'waitsForNobody',
    ]);
    expect((await activate({ document: invalid })).refused.error).toBe('WorkflowNotUsable');
    expect((await active()).isDeploymentOwn).toBe(true);
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
  ])('cannot activate %.20s', async (text) => {
    const { status, body } = await validate(text);
    expect([status, body.faults.length > 0, body.document]).toEqual([200, true, undefined]);
    expect((await activate({ document: text })).refused.error).toBe('WorkflowNotUsable');
  });

  it('learns that a status means something else for open requests', async () => {
    const { body } = await validate(
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

  it('sees the differences of a document before its activation', async () => {
    expect((await validate(shipped)).body).toMatchObject({ faults: [], differences: [] });
    const { body } = await validate(
      changed((document) => {
        document.statuses.forEach((status) => {
          if (status.key === 'new') status.name['en-US'] = 'Arrived';
        });
        document.transitions = document.transitions.filter(({ action }) => action !== 'release');
        document.transitions.push({ action: 'reject', from: 3, to: 10, who: ['Admin'] });
        document.transitions.forEach((transition) => {
          if (transition.action === 'receive') transition.who = ['Employee'];
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

  it('activates a document for new requests of one service, and other requests keep theirs', async () => {
    const service = await stage.findService(freeService);
    const before = await stage.sendAndReceive('individual');
    const { general } = await active();
    const { status, body } = await activate({
      document: shortened,
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
          by: 'Aisha Al Demo',
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
      (await activate({ serviceId: service.id, document: shipped, replaces: general.workflowId }))
        .refused.error,
    ).toBe('WorkflowHasChanged');
    expect((await activate({ serviceId: service.id })).body.services).toEqual([]);
    expect(await actionsOf((await stage.sendAndReceive('individual')).requestId)).toContain(
      'approve',
    );
  });

  it('activates a document for all services in every process and in the audit log, and resets it', async () => {
    const otherProcess = await openWorkflows(app.database, app.config);
    expect((await activate({ document: shortened })).body).toMatchObject({
      isDeploymentOwn: false,
      general: { name: 'Short way', by: 'Aisha Al Demo' },
    });
    expect(otherProcess.current.document.name).not.toBe('Short way');
    expect((await otherProcess.forService(app.database, 1)).document.name).toBe('Short way');
    await otherProcess.refresh();
    expect(otherProcess.current.document.name).toBe('Short way');
    expect(await actionsOf((await stage.sendAndReceive('individual')).requestId)).not.toContain(
      'approve',
    );
    const { body } = await app.call(getAuditEvents, {
      token: admin,
      query: { Kind: 'workflowPutInForce' },
    });
    expect(body.items[0]).toMatchObject({
      username: 'admin',
      before: [`Standard workflow (${shippedVersion})`],
      after: [`Short way (${shippedVersion})`],
    });
    expect((await activate({})).body.isDeploymentOwn).toBe(true);
    expect((await openWorkflows(app.database, app.config)).current.document.name).toBe(
      'Standard workflow',
    );
  });

  it('shows with a service how one withdraws and objects, where its workflow and its days allow it', async () => {
    const service = await stage.findService(freeService);
    const waysOut = async (serviceId = service.id) => {
      const { body } = await app.call(getService, { query: { serviceId } });
      return [body.withdrawal, body.objectionDays];
    };
    const usual = [{ beforeWork: 'full', afterWork: 'part' }, 30];
    expect(await waysOut()).toEqual(usual);
    const document = changed((workflow) => {
      const isWayOut = (id: number | null) => id !== null && id >= 12;
      workflow.statuses = workflow.statuses.filter(({ statusId }) => !isWayOut(statusId));
      workflow.transitions = workflow.transitions.filter(
        ({ from, to }) => !isWayOut(from) && !isWayOut(to),
      );
    });
    expect((await activate({ serviceId: service.id, document })).status).toBe(200);
    // Replies are kept: this one was written before.
    expect(await waysOut()).toEqual([undefined, undefined]);
    const other = await stage.findService(paidService);
    expect(await waysOut(other.id)).toEqual(usual);
    expect((await activate({ serviceId: service.id })).status).toBe(200);
    expect(await waysOut()).toEqual(usual);
    await app.database
      .updateTable('services')
      .set({ objection_days: 0 })
      .where('id', '=', other.id)
      .execute();
    await expect.poll(() => waysOut(other.id)).toEqual([usual[0], undefined]);
  });

  it('reads stored documents, and gets NotFound for others', async () => {
    const { general } = await active();
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
    expect((await validate(shipped, 999_999)).refused.error).toBe('ServiceNotFound');
    await expect(app.database.deleteFrom('workflow_choices').execute()).rejects.toThrow(
      /append-only/,
    );
  });
});
