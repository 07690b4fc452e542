import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '../../testing/render-page.tsx';
import { Button } from '../actions/button.tsx';
import { Dialog } from './dialog.tsx';

test('names itself, moves the focus inside and closes with Escape', async () => {
  await useLanguageOfTest('en-US');
  const onClose = vi.fn();
  await renderComponent(
    <Dialog isOpen onClose={onClose} title="Reject the request" actions={<Button>Reject</Button>}>
      Text
    </Dialog>,
  );
  const dialog = page.getByRole('dialog', { name: 'Reject the request' });
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
});

test('stays open while it is busy', async () => {
  const onClose = vi.fn();
  await renderComponent(
    <Dialog isOpen isBusy onClose={onClose} title="إرسال">
      نص
    </Dialog>,
  );
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
});
