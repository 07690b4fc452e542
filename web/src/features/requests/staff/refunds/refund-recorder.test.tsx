import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { RequestMoney } from '#features/requests/record/request-money.tsx';
import { answerCall, holdReply, refuse } from '#testing/answer-calls.ts';
import { detailedCostOf } from '#testing/answer-request.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderComponent, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { Toasts } from '#ui/feedback/toasts.tsx';
import { requestRefund } from '@diwan/contract/payments/events';
import {
  calculateDetailedCost,
  recordRefund,
  type RequestRefund,
} from '@diwan/contract/requests/request-costs';
import { RefundRecorder } from './refund-recorder.tsx';
import { RefundSender } from './refund-sender.tsx';

const refundOfCard = {
  id: 5,
  merchantReference: 'DW26-1-a',
  requestId: 41,
  requestNumber: 'DW26-1',
  amount: 26_050,
  currency: 'AED',
  reason: 'requested',
  requestedBy: 'Ali',
  decidedBy: '',
  isOwn: true,
  note: 'Rejected',
  createdAt: '2026-11-21T08:00:00.000Z',
  lastError: '',
  version: 1,
} as const;

const due: RequestRefund = {
  refundable: 36_050,
  surplus: 0,
  refunded: 10_000,
  underway: 0,
  refunds: [],
};

beforeEach(() => signInAs('Admin'));

const dialog = () => page.getByRole('dialog', { name: 'تسجيل ردّ مبلغ' });
const send = () => dialog().getByRole('button', { name: 'تسجيل ردّ مبلغ' });
const amount = () => dialog().getByRole('textbox', { name: /المبلغ الذي رُدّ/ });
const reference = () => dialog().getByRole('textbox', { name: 'مرجع عملية الردّ' });
const confirm = () => dialog().getByRole('checkbox', { name: 'أؤكد أن المبلغ قد رُدّ' });

async function openDialog(refund = due) {
  const reload = vi.fn(async () => requestRecordOf({ refund }));
  await renderComponent(<RefundRecorder requestId={41} refund={due} reload={reload} />);
  await page.getByRole('button', { name: 'تسجيل ردّ مبلغ' }).click();
  return reload;
}

it('shows the errors beside the fields and records a confirmed refund once', async () => {
  const { reply, release } = holdReply<RequestRefund>();
  const sent = answerCall(recordRefund, () => reply);
  const reload = await openDialog();
  await expect.element(amount()).toHaveValue('260.50');
  await amount().fill('300');
  await send().click();
  await expect.element(amount()).toHaveFocus();
  await expect.element(dialog()).toMatchTextContent('أدخل مبلغًا لا يتجاوز');
  await expect.element(dialog()).toMatchTextContent('أدخل المرجع.');
  await expect.element(dialog()).toMatchTextContent('أكّد ذلك قبل تسجيل العملية.');
  await amount().fill('٢٠٠');
  await reference().fill(' BANK-9 ');
  await confirm().click();
  await send().dblClick();
  await expect.poll(() => sent.length).toBe(1);
  release({ ...due, refunded: 30_000 });
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => reload).toHaveBeenCalledOnce();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ requestId: 41, amount: 20_000, reference: 'BANK-9', refundedBefore: 10_000 }]);
});

it('shows a used reference beside its field and keeps the input', async () => {
  answerCall(recordRefund, () => {
    throw refuse(400, 'RefundReferenceTaken', 'سُجّل هذا المرجع من قبل');
  });
  await openDialog();
  await reference().fill('BANK-9');
  await confirm().click();
  await send().click();
  await expect.element(dialog().getByText('سُجّل هذا المرجع من قبل')).toBeVisible();
  await expect.element(reference()).toBeInvalid();
  await expect.element(reference()).toHaveValue('BANK-9');
  await reference().fill('BANK-10');
  await expect.element(dialog().getByText('سُجّل هذا المرجع من قبل')).not.toBeInTheDocument();
});

it('sends the amount that was seen after another admin recorded a refund', async () => {
  let isChanged = true;
  const sent = answerCall(recordRefund, () => {
    if (isChanged) throw refuse(400, 'RefundHasChanged', 'سجّل شخص آخر عملية');
    return due;
  });
  await openDialog({ ...due, refunded: 15_000 });
  await reference().fill('BANK-9');
  await confirm().click();
  await send().click();
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('سجّل شخص آخر عملية');
  isChanged = false;
  await send().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  const seen = sent.map(({ body }) => (body as { refundedBefore: number }).refundedBefore);
  expect(seen).toEqual([10_000, 15_000]);
});

it('closes with Escape without sending', async () => {
  await openDialog();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'تسجيل ردّ مبلغ' })).toHaveFocus();
});

it('offers no refund when everything is paid back', async () => {
  await renderComponent(
    <>
      <h1>الرسوم</h1>
      <RefundRecorder
        requestId={41}
        refund={{ ...due, refunded: due.refundable }}
        reload={async () => undefined}
      />
    </>,
  );
  await expect.element(page.getByRole('heading', { name: 'الرسوم' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'تسجيل ردّ مبلغ' })).not.toBeInTheDocument();
});

it('says that a large refund waits for a second person', async () => {
  answerCall(recordRefund, { ...due, underway: 26_050, waiting: 26_050 });
  await renderComponent(<Toasts />);
  await openDialog();
  await reference().fill('BANK-9');
  await confirm().click();
  await send().click();
  await expect.element(page.getByText('ردّ المبلغ بانتظار تأكيد شخص ثانٍ')).toBeVisible();
  await expect.element(page.getByText('تم تسجيل ردّ المبلغ')).not.toBeInTheDocument();
});

it('shows the part that waits for a second person, and does not offer it again', async () => {
  await useLanguageOfTest('en-US');
  answerCall(calculateDetailedCost, detailedCostOf(requestRecordOf({})));
  const show = (refund: RequestRefund) => {
    const actions = { requestId: 41, refund, reload: async () => requestRecordOf({ refund }) };
    return renderComponent(
      <RequestMoney
        record={requestRecordOf({ refund })}
        forStaff={
          <>
            <RefundSender {...actions} />
            <RefundRecorder {...actions} />
          </>
        }
      />,
    );
  };
  const sum = page.getByRole('region', { name: 'Refund', exact: true });
  const all = await show({
    ...due,
    refundable: 85_000,
    refunded: 0,
    underway: 85_000,
    waiting: 30_025,
  });
  await expect.element(sum).toMatchTextContent('AED 300.25 is waiting for a second person');
  await expect.element(sum).toMatchTextContent('AED 549.75 is on its way back to the card');
  await expect
    .element(page.getByRole('button', { name: /Refund to the card|Record/ }))
    .not.toBeInTheDocument();
  await all.unmount();
  await show({ ...due, refundable: 85_000, refunded: 0, underway: 30_025, waiting: 30_025 });
  await expect.element(sum).not.toMatchTextContent('on its way');
  for (const [button, field] of [
    ['Refund to the card', 'Amount to refund'],
    ['Record a refund', 'Amount that was paid back'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await expect
      .element(page.getByRole('dialog').getByRole('textbox', { name: field }))
      .toHaveValue('549.75');
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
});

it.each([
  ['waiting', 'The refund is waiting for a second person'],
  ['sent', 'The refund has started'],
] as const)('says of a refund to the card that is %s: %s', async (state, text) => {
  await useLanguageOfTest('en-US');
  answerCall(requestRefund, [{ ...refundOfCard, state }]);
  const reload = async () => requestRecordOf({});
  await renderComponent(
    <>
      <RefundSender requestId={41} refund={due} reload={reload} />
      <Toasts />
    </>,
  );
  await page.getByRole('button', { name: 'Refund to the card' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason for the refund' }).fill('Rejected');
  await dialog.getByRole('button', { name: 'Refund to the card' }).click();
  await expect.element(page.getByText(text).last()).toBeVisible();
});
