import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { activeWorkflowsRecord, workflowRecord } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { agency } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import { shippedWorkflowNames } from '@diwan/contract/requests/workflow';
import {
  getWorkflowDocument,
  getWorkflowDraft,
  getWorkflows,
  judgeWorkflow,
  putWorkflowInForce,
  type ActiveWorkflows,
} from '@diwan/contract/requests/workflows';

const path = '/dashboard/workflow';
const main = page.getByRole('main');
const dialog = page.getByRole('dialog');
const documentField = main.getByRole('textbox', { name: 'وثيقة مسار العمل (JSON)' });
const activate = main.getByRole('button', { name: 'تفعيل', exact: true });

beforeEach(() => {
  answerCall(getWorkflows, activeWorkflowsRecord());
  answerCall(getWorkflowDocument, workflowRecord);
  answerCall(getWorkflowDraft, { version: 0 });
  answerCall(judgeWorkflow, { faults: [], document: workflowRecord, differences: [] });
  answerCall(getAllServicesForUpdatingPartner, [
    {
      id: 7,
      name: 'تجديد ملكية مركبة',
      replacedName: 'renew-vehicle-ownership',
      governmentAgency: agency,
      partnerId: null,
      isOfPartner: false,
    },
  ]);
});

async function open(workflows: Partial<ActiveWorkflows> = {}) {
  answerCall(getWorkflows, activeWorkflowsRecord(workflows));
  signInAs('Admin');
  await renderPage(path);
  await expect.element(main.getByRole('img', { name: /Sample workflow/ }).first()).toBeVisible();
}

it('shows a skeleton, an error and the diagram after another try', async () => {
  const { reply, release } = holdReply<ActiveWorkflows>();
  answerCall(getWorkflows, () => reply);
  answerCall(getWorkflowDocument, noConnection);
  signInAs('Admin');
  await renderPage(path);
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  release(activeWorkflowsRecord());
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر عرض مسار العمل')).toBeVisible();
  answerCall(getWorkflowDocument, workflowRecord);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByRole('img', { name: /Sample workflow/ }).first()).toBeVisible();
});

it('shows the transitions as a table, and the origin', async () => {
  answerCall(getWorkflowDocument, {
    ...workflowRecord,
    transitions: workflowRecord.transitions.map((each) =>
      each.action === 'submitted' ? { ...each, anotherApprover: true } : each,
    ),
  });
  await open();
  const table = main.getByRole('table', { name: 'كل إجراء حسب الحالة' }).first();
  await expect.element(table.getByText('غير آخر من قرر')).toBeVisible();
  await expect.element(table.getByText('لم يُرسل بعد')).toBeVisible();
  await expect.element(table.getByText('يُبلَّغ مقدم الطلب')).toBeVisible();
  // Statuses are named as staff read them.
  await expect.element(table.getByText('جديد', { exact: true }).first()).toBeVisible();
  expect(table.getByText('وصل', { exact: true }).elements()).toEqual([]);
  await expect.element(main.getByText('مسار أُعدّ مع النظام عند تثبيته.')).toBeVisible();
  await expect.element(main.getByText('هذا المسار مرفق مع البوابة ولا يخص أي جهة.')).toBeVisible();
  expect(main.getByRole('button', { name: /^العودة/ }).elements()).toEqual([]);
});

it('names the problems of a document, and offers no activation', async () => {
  const asked = answerCall(judgeWorkflow, {
    faults: [
      { code: 'deadEnd', params: { status: 4, key: 'stuck' } },
      { code: 'notOpenTo', params: { action: 'approve', role: 'Client' } },
    ],
    differences: [],
  });
  await open();
  await documentField.fill('{"name":"x"}');
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('في هذه الوثيقة خطآن')).toBeVisible();
  await expect.element(alert.getByText(/لا مخرج من الحالة .*stuck/)).toBeVisible();
  await expect.element(alert.getByText(/الموافقة.*متعامل/)).toBeVisible();
  expect(activate.elements()).toEqual([]);
  await expect
    .poll(() => asked.map(({ body }) => body))
    .toContainEqual({ document: '{"name":"x"}' });
});

it('says when a document cannot be checked, and refuses a file that is too large', async () => {
  answerCall(judgeWorkflow, () => {
    throw refuse(500, 'InternalServerError');
  });
  await open();
  await documentField.fill('{}');
  await expect.element(main.getByText('تعذر فحص الوثيقة، حاول بعد قليل.')).toBeVisible();
  const large = new File(['x'.repeat(500_001)], 'large.json', { type: 'application/json' });
  await main.getByLabelText('اختيار ملف').upload(large);
  await expect.element(documentField).toHaveAccessibleDescription(/أكبر من المسموح به/);
  await expect.element(documentField).toHaveValue('{}');
});

async function writeUsableDocument() {
  answerCall(judgeWorkflow, {
    faults: [],
    document: { ...workflowRecord, name: 'Other workflow' },
    differences: [{ kind: 'transitionRemoved', action: 'release', from: 1, to: 2 }],
  });
  await documentField.fill('{"name":"Other workflow"}');
  await expect.element(main.getByText('تغيير واحد على المسار المعمول به')).toBeVisible();
  await expect.element(main.getByText(/إجراء حُذف: إعادة إلى القائمة/)).toBeVisible();
}

it('activates a document after the confirmation, once, and keeps it after a refusal', async () => {
  const { reply, release } = holdReply<ActiveWorkflows>();
  const sent = answerCall(putWorkflowInForce, () => {
    if (sent.length === 1) throw refuse(400, 'WorkflowHasChanged', 'تغيّر المسار');
    return reply;
  });
  await open();
  await writeUsableDocument();
  await expect.element(main.getByRole('img', { name: /Other workflow/ })).toBeVisible();
  await activate.click();
  await expect.element(dialog).toHaveAccessibleName(/تفعيل «.*Other workflow/);
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await expect.element(dialog.getByText(/لكل الخدمات التي ليس لها مسار خاص/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(activate).toHaveFocus();
  await expect.poll(() => sent).toEqual([]);
  await activate.click();
  const confirm = dialog.getByRole('button', { name: 'تفعيل' });
  await confirm.click();
  await expect.element(dialog.getByRole('alert').getByText('تغيّر المسار')).toBeVisible();
  await expect.element(documentField).toHaveValue('{"name":"Other workflow"}');
  await confirm.dblClick();
  const changed = activeWorkflowsRecord({
    general: { workflowId: 2, name: 'Other workflow', version: 1, demo: false },
    isDeploymentOwn: false,
  });
  answerCall(getWorkflows, changed);
  answerCall(getWorkflowDocument, { ...workflowRecord, name: 'Other workflow' });
  release(changed);
  await expect.element(page.getByText('فُعّل مسار العمل')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .element(main.getByRole('button', { name: 'العودة إلى مسار هذا النظام' }))
    .toBeVisible();
  await expect.element(documentField).toHaveValue('');
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([1, 1].map((replaces) => ({ replaces, document: '{"name":"Other workflow"}' })));
});

it('resets the workflow of one service', async () => {
  const own = {
    workflowId: 5,
    serviceId: 7,
    serviceName: 'تجديد ملكية مركبة',
    name: 'Own',
    version: 2,
    demo: false,
  };
  const sent = answerCall(putWorkflowInForce, activeWorkflowsRecord());
  await open({ services: [own] });
  await expect.element(main.getByText(/خدمات لها مسار خاص/)).toBeVisible();
  // The list closes when the page of another test takes the focus.
  await vi.waitFor(async () => {
    await main.getByRole('combobox').fill('');
    await main.getByRole('combobox').fill('مركبة');
    await page.getByRole('option', { name: 'تجديد ملكية مركبة' }).click({ timeout: 2000 });
  }, 15_000);
  await main.getByRole('button', { name: 'العودة إلى المسار العام' }).click();
  await expect.element(dialog).toHaveAccessibleName('العودة إلى المسار العام');
  answerCall(getWorkflows, activeWorkflowsRecord());
  await dialog.getByRole('button', { name: 'العودة', exact: true }).click();
  await expect.element(main.getByText('تتبع هذه الخدمة المسار العام.')).toBeVisible();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ replaces: 5, serviceId: 7 }]);
});

it('loads an earlier document into the editor, in English', async () => {
  await useLanguageOfTest('en-US');
  answerCall(judgeWorkflow, { faults: [], document: workflowRecord, differences: [] });
  await open({
    earlier: [
      {
        workflowId: 3,
        name: 'Earlier',
        version: 4,
        createdAt: '2026-10-01T05:00:00.000Z',
        requests: 0,
      },
    ],
  });
  await main
    .getByRole('row', { name: /Earlier/ })
    .getByRole('button')
    .click();
  const field = main.getByRole('textbox', { name: /JSON/ });
  await expect
    .poll(() => (field.element() as HTMLTextAreaElement).value)
    .toContain('"Sample workflow"');
  expect(getComputedStyle(field.element()).direction).toBe('ltr');
});

it('names the workflow of the portal in the language of the page', async () => {
  const [name = ''] = shippedWorkflowNames;
  answerCall(getWorkflowDocument, { ...workflowRecord, name });
  const { general } = activeWorkflowsRecord();
  answerCall(getWorkflows, activeWorkflowsRecord({ general: { ...general, name } }));
  signInAs('Admin');
  await renderPage(path);
  await expect.element(main.getByRole('img', { name: /المسار الأساسي/ }).first()).toBeVisible();
  await expect.element(main.getByText('المسار الأساسي', { exact: true })).toBeVisible();
  expect(main.getByText(name).elements()).toEqual([]);
});
