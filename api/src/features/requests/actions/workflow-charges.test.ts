import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { findWorkflowProblems } from '#features/workflow/validate-workflow.ts';
import { sql } from '#platform/database/sql.ts';
import { messageTexts, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { followDocument, setStatus } from '#testing/requests/workflow-cells.ts';
import { useTestApp } from '#testing/test-app.ts';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import { undoAction } from '@diwan/contract/processing/pending-actions';
import type { GrantingAction } from '@diwan/contract/requests/actions';
import * as calls from '@diwan/contract/requests/request-actions';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { putWorkflowInForce } from '@diwan/contract/requests/workflows';

const shippedText = readFileSync(
  new URL('../../../../seed/workflow.json', import.meta.url),
  'utf8',
);
const shipped = JSON.parse(shippedText) as Workflow;
const app = useTestApp();
const stage = openRequestStage(app);

const [processing, returned, approved, forFees] = [4, 5, 6, 8];
const [completed, inspection] = [9, 20];
const staff: Workflow['transitions'][number]['who'] = ['Employee', 'Admin'];

/** The demo with a status "Site inspection" between the approval and the completion. */
function withInspection(): Workflow {
  const document = JSON.parse(shippedText) as Workflow;
  const like = document.statuses.find(({ statusId }) => statusId === approved);
  if (!like) throw new Error('The demo has this status');
  document.statuses.push({ ...like, statusId: inspection, key: 'siteInspection' });
  document.transitions.push({ action: 'submitted', from: inspection, to: completed, who: staff });
  for (const each of document.transitions)
    if (each.action === 'approve') Object.assign(each, { to: inspection, notify: true });
  document.transitions.push({ action: 'accept', from: processing, to: approved, who: staff });
  return document;
}

/** Each action that charges has a status of its own for the payment, which leads where it leads. */
function withOwnPayments(): Workflow {
  const document = withInspection();
  const payment = document.statuses.find(({ statusId }) => statusId === forFees);
  if (!payment) throw new Error('The demo has this status');
  for (const each of document.transitions.filter((cell) => cell.from === forFees))
    if (each.action === 'pay') each.to = inspection;
  const charging = document.transitions.filter(
    ({ action }) => action === 'accept' || action === 'submitted',
  );
  for (const [index, each] of charging.entries()) {
    const statusId = 30 + index;
    document.statuses.push({ ...payment, statusId, key: `payment${index}` });
    each.toPay = statusId;
    document.transitions.push({ action: 'pay', from: statusId, to: each.to, who: ['payment'] });
  }
  return document;
}

/** As such documents were possible before: all payments lead to one status. Not valid any more. */
function withOnePayment(): Workflow {
  const document = withInspection();
  for (const each of document.transitions)
    if (each.action === 'accept' || each.action === 'submitted') each.toPay = forFees;
  document.transitions.push({ action: 'return', from: forFees, to: returned, who: staff });
  return document;
}

const follow = (requestId: number, document: Workflow) => followDocument(app, requestId, document);

const rowOf = (requestId: number) =>
  app.database
    .selectFrom('requests')
    .select(['status_id', 'paid_status_id', 'refundable', 'total'])
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
const perform = (
  action: GrantingAction,
  body: { requestId: number; version?: number; isUndoable?: boolean; fines?: number },
) => stage.performAction('admin', actionCalls[action] as typeof calls.approveRequest, body);

async function sendToProcessing(document: Workflow, service?: string): Promise<number> {
  const { requestId } = await stage.sendAndReceive('individual', service);
  await follow(requestId, document);
  return requestId;
}

describe.each([
  ['the demo', shipped, 1],
  ['a workflow with a payment for each action', withOwnPayments(), 7],
  ['a workflow with one payment for all', withOnePayment(), 7],
])('in %s', (_, document, count) => {
  const charging = document.transitions.filter(({ toPay }) => toPay !== undefined);

  it('there are actions that charge', () => {
    expect(charging).toHaveLength(count);
  });

  it.each(charging.map((each) => [each.action, each.from, each.to, each] as const))(
    'the payment of what %s from %s charges leads to %s',
    async (action, from, to, { toPay }) => {
      const requestId = await sendToProcessing(document);
      await app.database.updateTable('services').set({ issues_document: false }).execute();
      await setStatus(app, requestId, from ?? 0);
      const { status, body } = await perform(action as GrantingAction, {
        requestId,
        fines: 7_500,
      });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(await rowOf(requestId)).toMatchObject({ status_id: toPay, paid_status_id: to });
      expect(await stage.pay(requestId)).toBe(true);
      expect(await rowOf(requestId)).toMatchObject({ status_id: to, paid_status_id: null });
      // A second message of the same payment finds nothing to do.
      expect(await stage.pay(requestId)).toBe(false);
      expect(await rowOf(requestId)).toMatchObject({ status_id: to, refundable: 0 });
    },
  );

  it.each(charging.map(({ action, from, to }) => [action, from, to] as const))(
    '%s from %s that charges nothing leads to %s without a payment',
    async (action, from, to) => {
      const requestId = await sendToProcessing(document);
      await app.database.updateTable('services').set({ issues_document: false }).execute();
      await setStatus(app, requestId, from ?? 0);
      const { status, body } = await perform(action as GrantingAction, { requestId });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(await rowOf(requestId)).toMatchObject({ status_id: to, paid_status_id: null });
    },
  );
});

it('finds every pair of an action that charges and a payment that leads elsewhere', () => {
  expect(findWorkflowProblems(withOwnPayments())).toEqual([]);
  const document = withOnePayment();
  const pairs = document.transitions
    .filter(({ toPay, to }) => toPay === forFees && to !== approved)
    .map(({ action, from, to }) => ({
      action,
      from,
      to: document.statuses.find(({ statusId }) => statusId === to)?.key,
      status: 'waitingForFees',
      paid: 'approved',
    }));
  expect(pairs).toHaveLength(6);
  expect(
    findWorkflowProblems(document).flatMap(({ code, params }) =>
      code === 'paidElsewhere' ? [params] : [],
    ),
  ).toEqual(pairs);
});

describe('a payment that the workflow leads elsewhere', () => {
  const document = withOnePayment();

  it('of the fee after approval leads to the inspection', async () => {
    const { requestId } = await stage.send('company', 'trademark-registration');
    await stage.pay(requestId);
    await stage.receive('employee', requestId);
    await follow(requestId, document);
    expect((await perform('approve', { requestId })).body).toMatchObject({
      statusId: forFees,
      due: 500_000,
    });
    expect(await stage.pay(requestId)).toBe(true);
    expect((await rowOf(requestId)).status_id).toBe(inspection);
    const { history } = (await stage.read('company', requestId)).body;
    expect(history.at(-1)).toMatchObject({ action: 'pay' });
  });

  it('leads there when the workflow changes meanwhile', async () => {
    const requestId = await sendToProcessing(document);
    await perform('approve', { requestId, fines: 100 });
    const { status } = await app.callAs('admin', putWorkflowInForce, {
      body: { document: JSON.stringify({ ...shipped, name: 'Changed' }) },
    });
    expect(status).toBe(200);
    await stage.pay(requestId);
    expect((await rowOf(requestId)).status_id).toBe(inspection);
  });

  it('has no target after the request was refused, and its money becomes refundable', async () => {
    const requestId = await sendToProcessing(document, paidService);
    const { total } = await rowOf(requestId);
    await perform('approve', { requestId, fines: 100 });
    expect((await rowOf(requestId)).paid_status_id).toBe(inspection);
    await stage.performAction('admin', calls.rejectRequest, {
      requestId,
      requestHistoryRejectionReasonId: 1,
      ...messageTexts,
    });
    const refused = await rowOf(requestId);
    expect(refused).toMatchObject({ status_id: 10, paid_status_id: null });
    expect(refused.refundable).toBeLessThanOrEqual(total);
    expect(await stage.pay(requestId)).toBe(false);
    expect((await rowOf(requestId)).status_id).toBe(10);
  });

  it('has no target when the action was undone, and has one when it takes effect', async () => {
    const requestId = await sendToProcessing(document);
    const { version } = (await stage.read('admin', requestId)).body;
    const approve = { requestId, version, isUndoable: true, fines: 100 };
    await perform('approve', approve);
    await stage.performAction('admin', undoAction, { requestId, version });
    expect(await rowOf(requestId)).toMatchObject({ status_id: processing, paid_status_id: null });
    await perform('approve', approve);
    await app.database
      .updateTable('held_actions')
      .set({ acts_at: sql<Date>`now()` })
      .where('request_id', '=', requestId)
      .execute();
    await vi.waitFor(
      async () =>
        expect(await rowOf(requestId)).toMatchObject({
          status_id: forFees,
          paid_status_id: inspection,
        }),
      8000,
    );
    await stage.pay(requestId);
    expect((await rowOf(requestId)).status_id).toBe(inspection);
  });

  it('is asked for again after a correction, once and with the new target', async () => {
    const { requestId, answers, attachmentIds } = await stage.sendAndReceive('individual');
    await follow(requestId, document);
    await perform('approve', { requestId, fines: 100 });
    await stage.performAction('admin', calls.returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    expect(await rowOf(requestId)).toMatchObject({ status_id: returned, paid_status_id: null });
    await stage.performAction('individual', calls.updateRequest, {
      requestId,
      answers,
      attachmentIds,
    });
    await stage.receive('employee', requestId);
    const { body } = await perform('accept', { requestId });
    expect(body).toMatchObject({ statusId: forFees, due: 100, total: 100 });
    expect((await rowOf(requestId)).paid_status_id).toBe(approved);
    await stage.pay(requestId);
    expect(await rowOf(requestId)).toMatchObject({ status_id: approved, total: 100 });
  });
});
