import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resetSecondFactor } from '@diwan/contract/people/second-factor';
import { getAllUsers } from '@diwan/contract/people/users';
import { pageOf } from '../../../testing/admin-records.ts';
import { answerCall, holdReply, refuse } from '../../../testing/answer-calls.ts';
import { userRecord } from '../../../testing/people-records.ts';
import { renderPage, signInAs } from '../../../testing/render-page.tsx';

const own = '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b02';
const opener = page.getByRole('button', {
  name: 'إعادة ضبط التحقق بخطوتين لـ \u2068Mariam Al Demo\u2069',
});
const dialog = page.getByRole('dialog', { name: 'هل تريد إعادة ضبط التحقق بخطوتين؟' });

async function open() {
  answerCall(
    getAllUsers,
    pageOf([
      userRecord(),
      userRecord({ id: own, fullName: 'Omar Al Demo', username: 'omar' }),
      userRecord({
        id: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b03',
        username: 'huda',
        isSuspended: true,
        hasSecondFactor: false,
      }),
    ]),
  );
  signInAs('Admin', { ssid: own });
  await renderPage('/dashboard/users');
}

it('offers to reset the second factor of others who have one, and marks suspended users', async () => {
  await open();
  await expect.element(opener).toBeVisible();
  expect(page.getByRole('button', { name: /^إعادة ضبط/ }).elements()).toHaveLength(1);
  await expect.element(page.getByText('موقوف')).toBeVisible();
});

it('explains the consequences; Escape keeps it', async () => {
  const sent = answerCall(resetSecondFactor, { reset: true });
  await open();
  await opener.click();
  expect(dialog.getByRole('listitem').elements()).toHaveLength(3);
  await expect.element(dialog.getByText('mariam', { exact: true })).toBeVisible();
  expect(dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  expect(sent).toEqual([]);
});

it('shows a refusal and stays open, then resets once', async () => {
  const { reply, release } = holdReply<{ reset: boolean }>();
  const sent = answerCall(resetSecondFactor, () => {
    if (sent.length === 1) throw refuse(404, 'NotFound', 'لا يوجد مستخدم');
    return reply;
  });
  await open();
  await opener.click();
  const confirm = dialog.getByRole('button', { name: 'إعادة ضبط', exact: true });
  await confirm.click();
  await expect.element(page.getByText('لا يوجد مستخدم')).toBeVisible();
  await expect.element(dialog).toBeVisible();
  await confirm.dblClick();
  answerCall(getAllUsers, pageOf([userRecord({ hasSecondFactor: false })]));
  release({ reset: true });
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('تمت إعادة ضبط التحقق بخطوتين')).toBeVisible();
  await expect.element(opener).not.toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([
    { userId: userRecord().id },
    { userId: userRecord().id },
  ]);
});
