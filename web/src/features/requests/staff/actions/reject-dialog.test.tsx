import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { requestRecordOf } from '#testing/records.ts';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { getSnippets } from '@diwan/contract/people/snippets';
import { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import { rejectRequest } from '@diwan/contract/requests/request-actions';
import { emptyDrafts, type ActionDraft } from './action-draft.ts';
import { RejectDialog } from './reject-dialog.tsx';

const names = { 'ar-EG': 'غير مكتمل', 'en-US': 'Incomplete', 'ur-PK': 'نامکمل' };

function Sample({
  onDraft,
  onDone,
}: {
  onDraft: (draft: ActionDraft) => void;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState(emptyDrafts.reject);
  return (
    <RejectDialog
      action="reject"
      record={requestRecordOf({ allowedActions: ['reject'], version: 3 })}
      draft={draft}
      onDraft={(changed) => {
        const next = { ...draft, ...(typeof changed === 'function' ? changed(draft) : changed) };
        setDraft(next);
        onDraft(next);
      }}
      reload={async () => undefined}
      onClose={() => undefined}
      onDone={onDone}
    />
  );
}

it('asks for a reason, fills in its text and stores the draft', async () => {
  await useLanguageOfTest('en-US');
  answerCall(getSnippets, []);
  answerCall(rejectionReasonCollection, [{ id: 4, name: 'Incomplete', names }]);
  const sent = answerCall(rejectRequest, () => requestRecordOf());
  const onDraft = vi.fn();
  const onDone = vi.fn();
  await renderComponent(<Sample onDraft={onDraft} onDone={onDone} />);
  const reason = page.getByRole('radio', { name: 'Incomplete' });
  await expect.element(reason).toBeVisible();
  const send = page.getByRole('button', { name: 'Reject permanently' });
  await send.click();
  await expect.element(reason).toHaveFocus();
  await expect.element(page.getByText('Choose the reason.')).toBeVisible();
  await reason.click();
  await expect.element(page.getByText('Choose the reason.')).not.toBeInTheDocument();
  await expect.element(page.getByRole('textbox', { name: 'English' })).toHaveValue('Incomplete');
  await page.getByRole('textbox', { name: 'English' }).fill('');
  await send.click();
  await expect.element(page.getByRole('textbox', { name: 'English' })).toHaveFocus();
  await page.getByRole('textbox', { name: 'English' }).fill('A page is missing');
  expect(onDraft.mock.lastCall?.[0]).toMatchObject({
    reasons: ['4'],
    messages: { messageAr: 'غير مكتمل', messageEn: 'A page is missing' },
  });
  await send.click();
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  await expect
    .poll(() => sent[0]?.body)
    .toMatchObject({
      version: 3,
      requestHistoryRejectionReasonId: 4,
      messageAr: 'غير مكتمل',
      messageEn: 'A page is missing',
      messageUr: 'نامکمل',
    });
});
