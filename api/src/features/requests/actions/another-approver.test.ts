import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findWorkflowProblems } from '#features/workflow/validate-workflow.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { followDocument } from '#testing/requests/workflow-cells.ts';
import { useTestApp } from '#testing/test-app.ts';
import { approveRequest } from '@diwan/contract/requests/request-actions';
import type { Workflow } from '@diwan/contract/requests/workflow';

const app = useTestApp();
const stage = openRequestStage(app);
const [approved, forFees, secondApproval] = [6, 8, 20];

/** The demo with a second approval, which is for somebody else than the first. */
function withSecondApproval(): Workflow {
  const document = JSON.parse(
    readFileSync(new URL('../../../../seed/workflow.json', import.meta.url), 'utf8'),
  ) as Workflow;
  const like = document.statuses.find(({ statusId }) => statusId === approved);
  if (!like) throw new Error('The demo has this status');
  document.statuses.push({
    ...like,
    statusId: secondApproval,
    key: 'secondApproval',
    countsAs: 'processing',
  });
  for (const each of document.transitions)
    if (each.action === 'approve' || (each.action === 'pay' && each.from === forFees))
      each.to = secondApproval;
  document.transitions.push({
    action: 'approve',
    from: secondApproval,
    to: approved,
    who: ['Employee', 'Admin'],
    anotherApprover: true,
    notify: true,
  });
  return document;
}

const approve = (username: string, requestId: number, fines?: number) =>
  stage.performAction(username, approveRequest, {
    requestId,
    ...(fines === undefined ? {} : { fines }),
  });

async function sendToApprove(): Promise<number> {
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  await followDocument(app, requestId, withSecondApproval());
  return requestId;
}

it('the document has no problems', () => {
  expect(findWorkflowProblems(withSecondApproval())).toEqual([]);
});

it('a second approval is for somebody else, by the record, the lists and the call', async () => {
  const requestId = await sendToApprove();
  expect((await approve('employee', requestId)).body).toMatchObject({
    statusId: secondApproval,
    allowedActions: [],
    needsAnotherApprover: true,
  });
  expect((await approve('employee', requestId)).refused.error).toBe('AnotherApproverNeeded');
  expect((await stage.read('individual', requestId)).body).not.toHaveProperty(
    'needsAnotherApprover',
  );
  const seen = (await stage.read('employee2', requestId)).body;
  expect(seen.allowedActions).toEqual(['approve']);
  expect(seen).not.toHaveProperty('needsAnotherApprover');
  expect((await approve('employee2', requestId)).body).toMatchObject({ statusId: approved });
});

it('the applicant reads of the first approval that another one follows', async () => {
  const requestId = await sendToApprove();
  const count = async (subject: RegExp) => {
    const mails = await app.database
      .selectFrom('messages')
      .select('subject')
      .where('request_id', '=', requestId)
      .where('channel', '=', 'email')
      .execute();
    return mails.filter((mail) => subject.test(mail.subject)).length;
  };
  const [another, granted] = [/needs another approval$/, /is approved$/];
  await approve('employee', requestId);
  expect([await count(another), await count(granted)]).toEqual([1, 0]);
  await approve('employee2', requestId);
  expect([await count(another), await count(granted)]).toEqual([1, 1]);
});

it('an administrator who approved is refused too, also after a charge was paid', async () => {
  const requestId = await sendToApprove();
  expect((await approve('admin', requestId, 7_500)).body).toMatchObject({ statusId: forFees });
  expect(await stage.pay(requestId)).toBe(true);
  expect((await approve('admin', requestId)).refused.error).toBe('AnotherApproverNeeded');
  expect((await approve('employee', requestId)).body).toMatchObject({ statusId: approved });
});

it('two people who approve at the same time take one step each', async () => {
  const requestId = await sendToApprove();
  const answers = await Promise.all([approve('admin', requestId), approve('employee', requestId)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { history, statusId } = (await stage.read('admin', requestId)).body;
  const approvals = history.filter(({ action }) => action === 'approve');
  expect(statusId).toBe(approved);
  expect(new Set(approvals.map(({ actorName }) => actorName)).size).toBe(2);
});
