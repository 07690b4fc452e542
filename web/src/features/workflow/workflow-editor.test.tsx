import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { activeWorkflowsRecord, workflowRecord } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import {
  getWorkflowDocument,
  getWorkflowDraft,
  getWorkflows,
  judgeWorkflow,
  putWorkflowInForce,
  saveWorkflowDraft,
  simulateWorkflow,
  type WorkflowDraft,
} from '@diwan/contract/requests/workflows';

const main = page.getByRole('main');
const panel = page.getByRole('dialog');
const button = (name: string | RegExp) => main.getByRole('button', { name });
// The editor is the only part of the page with these buttons.
const editor = main;
const warning = (text: string | RegExp) => main.getByRole('button', { name: text });

beforeEach(() => {
  answerCall(getWorkflows, activeWorkflowsRecord());
  answerCall(getWorkflowDocument, workflowRecord);
  answerCall(getWorkflowDraft, { version: 0 });
  answerCall(getAllServicesForUpdatingPartner, []);
  answerCall(judgeWorkflow, { faults: [], document: workflowRecord, differences: [] });
});

/** Stores drafts as the server does. */
function answerSaves() {
  return answerCall(saveWorkflowDraft, ({ body }) => ({
    version: (body as { version: number }).version + 1,
    updatedAt: new Date().toISOString(),
  }));
}
const lastOf = (sent: readonly { body: unknown }[]) =>
  (sent.at(-1) as { body: { version: number; document: WorkflowDraft } }).body;
const savedOf = (sent: readonly { body: unknown }[]) => lastOf(sent).document;

async function open() {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  await renderPage('/dashboard/workflow');
  await expect.element(main.getByText('No draft')).toBeVisible();
}

it('edits a status in the picture, stores it, and undoes and redoes', async () => {
  const sent = answerSaves();
  await open();
  await editor.getByRole('button', { name: /^In progress New/ }).click();
  const name = panel.getByRole('textbox', { name: 'English' }).first();
  await expect.element(name).toHaveValue('Received');
  await name.fill('Arrived');
  await expect.poll(() => sent.length).toBe(1);
  await expect.poll(() => sent[0]?.body).toMatchObject({ version: 0 });
  await expect.poll(() => savedOf(sent).statuses[0]?.name['en-US']).toBe('Arrived');
  await panel.getByRole('button', { name: 'Done' }).click();
  await expect.element(main.getByText(/^Saved /)).toBeVisible();
  await button('Undo').click();
  await expect.poll(() => savedOf(sent).statuses[0]?.name['en-US']).toBe('Received');
  await button('Redo').click();
  await expect.poll(() => savedOf(sent).statuses[0]?.name['en-US']).toBe('Arrived');
  await expect.poll(() => lastOf(sent).version).toBe(sent.length - 1);
});

it('adds a status and an action by the keyboard alone, in the tables', async () => {
  const sent = answerSaves();
  await open();
  const tab = editor.getByRole('tab', { name: 'Picture' });
  (tab.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(editor.getByRole('table', { name: 'Statuses' })).toBeVisible();
  (button('Add a status').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel).toHaveAccessibleName(/status3/);
  (panel.getByRole('button', { name: 'Add an action' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel).toHaveAccessibleName('Action: Assign to me');
  await userEvent.keyboard('{Escape}');
  await expect
    .poll(() => sent.length > 0 && savedOf(sent).transitions.at(-1))
    .toEqual({ action: 'receive', from: 3, to: 1, who: ['Employee', 'Admin'] });
  const change = editor.getByRole('button', { name: 'Edit: Assign to me, status3' });
  (change.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await panel.getByRole('checkbox', { name: /^Only someone other/ }).click();
  await expect
    .poll(() => savedOf(sent).transitions.at(-1))
    .toMatchObject({ anotherApprover: true });
  await panel.getByRole('checkbox', { name: 'Notify the applicant' }).click();
  await panel.getByRole('textbox', { name: /^English/ }).fill('Keep your passport at hand.');
  await expect
    .poll(() => savedOf(sent).transitions.at(-1))
    .toMatchObject({ notify: true, message: { 'en-US': 'Keep your passport at hand.' } });
  await panel.getByRole('button', { name: 'Remove the action' }).click();
  await expect.element(change).not.toBeInTheDocument();
});

it('leads from a problem and from a warning to their places', async () => {
  answerSaves();
  answerCall(judgeWorkflow, {
    faults: [{ code: 'deadEnd', params: { status: 1, key: 'new' } }],
    differences: [],
  });
  answerCall(getWorkflowDraft, {
    version: 4,
    document: {
      ...workflowRecord,
      transitions: workflowRecord.transitions.map((each) => ({ ...each, notify: undefined })),
    } as WorkflowDraft,
  });
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  await renderPage('/dashboard/workflow');
  await warning(/Nothing leads out of status/).click();
  await expect.element(panel).toHaveAccessibleName(/Status: .*New/);
  await userEvent.keyboard('{Escape}');
  await warning(/the applicant is not notified/).click();
  await expect.element(panel).toHaveAccessibleName('Action: Complete');
  await userEvent.keyboard('{Escape}');
  expect(button('Activate the draft').elements()).toEqual([]);
});

it('names the statuses of problems, shows who may act, and warns of work that no list shows', async () => {
  answerSaves();
  answerCall(judgeWorkflow, {
    faults: [
      {
        code: 'paidElsewhere',
        params: { action: 'approve', from: 1, to: 'extra', status: 'new', paid: 'done' },
      },
    ],
    differences: [],
  });
  const [first, ...rest] = workflowRecord.statuses;
  const name = { 'ar-EG': 'الموافقة الثانية', 'en-US': 'Second approval', 'ur-PK': 'دوسری منظوری' };
  answerCall(getWorkflowDraft, {
    version: 4,
    document: {
      ...workflowRecord,
      statuses: [
        first!,
        { statusId: 90, key: 'extra', name, description: name, tone: 'progress' },
        ...rest,
      ],
      transitions: [
        ...workflowRecord.transitions,
        {
          action: 'approve',
          from: 90,
          to: 1,
          toPay: 1,
          who: ['Employee'],
          holderOnly: true,
          anotherApprover: true,
          notify: true,
        },
      ],
    } as WorkflowDraft,
  });
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  await renderPage('/dashboard/workflow');
  await expect
    .element(warning(/from .*New.* leads to .*Second approval.* the payment in .*New/))
    .toBeVisible();
  await expect
    .element(warning(/Second approval.*in no list but that of all requests/))
    .toBeVisible();
  await main.getByRole('tab', { name: 'Tables' }).click();
  const row = main
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /Approve, Second approval/ }) });
  for (const text of [
    'The employee it is assigned to',
    'Not who decided last',
    'The applicant is notified',
    /With fines or fees: .*New/,
  ])
    await expect.element(row.getByText(text)).toBeVisible();
});

it('lets the user choose when another admin has stored a newer draft', async () => {
  const theirs = { ...workflowRecord, name: 'Theirs' };
  const sent = answerCall(saveWorkflowDraft, ({ body }) => {
    const { version } = body as { version: number };
    if (version === 0) throw refuse(409, 'RecordHasChanged');
    return { version: version + 1, updatedAt: new Date().toISOString() };
  });
  await open();
  answerCall(getWorkflowDraft, {
    version: 7,
    document: theirs,
    by: 'admin2',
    updatedAt: new Date().toISOString(),
  });
  await button('Add a status').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(main.getByText('admin2')).toBeVisible();
  await button('Use the saved version').click();
  await expect.element(main.getByText(/^Saved /)).toBeVisible();
  // Undo brings the own draft back, which is stored over the newer one.
  await button('Undo').click();
  await expect.poll(() => lastOf(sent).version).toBe(7);
  await expect.poll(() => savedOf(sent).statuses).toHaveLength(3);
});

it('tries the draft on past requests, and activates it', async () => {
  answerSaves();
  const trouble = { requests: 12, examples: ['DW-2026-000041'] };
  answerCall(simulateWorkflow, {
    openRequests: 30,
    statusMissing: [],
    noAction: [{ ...trouble, statusId: 1, statusName: 'New' }],
    tried: 90,
    passed: 78,
    stopped: [],
    otherEnd: { requests: 0, examples: [] },
    paidElsewhere: [
      {
        action: 'approve',
        statusName: 'Site inspection',
        paidStatusName: 'Approved',
        requests: 2,
        examples: ['DW26-000-007'],
      },
    ],
    overdue: [{ ...trouble, requests: 2, statusId: 1, statusName: 'New' }],
    lacking: [{ ...trouble, requests: 1, action: 'submitted', statusName: 'New', input: 'note' }],
  });
  answerCall(judgeWorkflow, {
    faults: [],
    document: { ...workflowRecord, name: 'Draft' },
    differences: [{ kind: 'statusRenamed', statusId: 1 }],
  });
  const activated = answerCall(putWorkflowInForce, activeWorkflowsRecord());
  await open();
  await button('Add a status').click();
  await userEvent.keyboard('{Escape}');
  await button('Try it on past requests').click();
  await expect
    .element(main.getByText(/12 open requests would have no next action, in status .*New/))
    .toBeVisible();
  await expect.element(main.getByText(/2 requests stayed in status .*New.* limit/)).toBeVisible();
  await expect.element(main.getByText(/without this: A message to the applicant/)).toBeVisible();
  await expect
    .element(main.getByRole('link', { name: 'DW-2026-000041' }).first())
    .toHaveAttribute('href', '/requests/request-details?request-number=DW-2026-000041');
  await button('Activate the draft').click();
  await panel.getByRole('button', { name: 'Activate' }).click();
  await expect.poll(() => activated.length).toBe(1);
  const [{ body }] = activated as unknown as [{ body: { document: string } }];
  expect(JSON.parse(body.document)).toMatchObject({
    version: workflowRecord.version + 1,
  });
});

it('sets a time limit and what an action requires by the keyboard, in the tables', async () => {
  const sent = answerSaves();
  await open();
  (editor.getByRole('tab', { name: 'Picture' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  const press = async (name: string | RegExp) => {
    (editor.getByRole('button', { name }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  await press(/^Edit: New$/);
  const limit = panel.getByRole('textbox', { name: /^Time limit/ });
  (limit.element() as HTMLElement).focus();
  await userEvent.keyboard('400');
  await expect.element(panel.getByText('Enter a whole number from 1 to 365')).toBeVisible();
  await userEvent.keyboard('{Backspace}{Backspace}');
  await expect.poll(() => sent.length > 0 && savedOf(sent).statuses[0]?.workingDays).toBe(4);
  await userEvent.keyboard('{Escape}');
  await expect.element(editor.getByRole('cell', { name: '4 working days' })).toBeVisible();
  await press(/^Edit: Complete,/);
  (panel.getByRole('checkbox', { name: 'A document' }).element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect
    .poll(() => savedOf(sent).transitions.find(({ action }) => action === 'submitted'))
    .toMatchObject({ requires: ['document'] });
});
