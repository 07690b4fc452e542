import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { changeContact, sendVerificationCode } from '@diwan/contract/people/accounts';
import { ContactDialog } from './contact-dialog.tsx';

it('sends a code to a valid address and changes the contact with it', async () => {
  await useLanguageOfTest('en-US');
  const codes = answerCall(sendVerificationCode, undefined as never);
  const changes = answerCall(changeContact, () => {
    if (changes.length === 1) throw refuse(400, 'VerificationCodeWrong', 'The code is wrong');
    return undefined as never;
  });
  const onClose = vi.fn();
  await renderComponent(<ContactDialog channel="email" current="" onClose={onClose} />);

  const address = page.getByRole('textbox', { name: 'Email address' });
  await page.getByRole('button', { name: 'Send a code' }).click();
  await expect.element(address).toHaveFocus();
  await expect.poll(() => codes).toHaveLength(0);
  await address.fill('sara@example.ae');
  await userEvent.keyboard('{Enter}');

  const code = page.getByRole('textbox', { name: 'Verification code' });
  const submit = page.getByRole('button', { name: 'Confirm' });
  await code.fill('12');
  await expect
    .poll(() => codes[0]?.body)
    .toMatchObject({ channel: 'email', address: 'sara@example.ae' });
  await submit.click();
  await expect.element(code).toHaveFocus();
  await code.fill('123456');
  await page.getByLabelText('Your password').fill('DiwanDemo2026!');
  await submit.click();
  await expect.element(page.getByText('The code is wrong')).toBeVisible();
  await code.fill('654321');
  await expect.element(page.getByText('The code is wrong')).not.toBeInTheDocument();
  await submit.click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  await expect
    .poll(() => changes.at(-1)?.body)
    .toEqual({
      channel: 'email',
      address: 'sara@example.ae',
      code: '654321',
      password: 'DiwanDemo2026!',
    });
});
