import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ApiError } from '#lib/api/api-error.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { t } from '#lib/i18n/translate.ts';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { Button } from '../actions/button.tsx';
import { ComboField } from '../forms/combo-field.tsx';
import { SelectField } from '../forms/select-field.tsx';
import { TextField } from '../forms/text-field.tsx';
import { ErrorAlert } from './alert.tsx';
import { Dialog } from './dialog.tsx';
import { Toasts } from './toasts.tsx';

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

function SavingDialog() {
  const [error, setError] = useState<Error>();
  return (
    <Dialog
      isOpen
      onClose={() => undefined}
      title="Save"
      actions={<Button onPress={() => setError(new Error('No connection'))}>Save</Button>}
    >
      <div className="h-[200vh]">Fields</div>
      <ErrorAlert error={error} title="This could not be saved" />
    </Dialog>
  );
}

test('scrolls to a message that appears below what is seen', async () => {
  await renderComponent(<SavingDialog />);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('This could not be saved')).toBeInViewport();
});

test('does not say above an unknown outcome that nothing was done', async () => {
  const unknown = new ApiError(0, 'OutcomeUnknown', '');
  await renderComponent(<ErrorAlert error={unknown} title="This could not be saved" />);
  await expect
    .element(page.getByText(t('refusals.OutcomeUnknown', { ns: 'errors' })))
    .toBeVisible();
  expect(document.body.textContent).not.toContain('This could not be saved');
});

const kinds = [{ value: 'one', label: 'One' }];

function OpenDialog({ isBusy }: { isBusy: boolean }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} isBusy={isBusy} onClose={() => setIsOpen(false)} title="Save">
      <SelectField label="Kind" value="" onChange={vi.fn()} choices={kinds} />
      <ComboField label="Other kind" value="" onChange={vi.fn()} choices={kinds} />
    </Dialog>
  );
}

// What Chrome on Android does for its Back gesture.
test('closes when a phone goes back, unless it is busy', async () => {
  const watchers: { requestClose(): void }[] = [];
  const { CloseWatcher } = window as unknown as {
    CloseWatcher: new () => EventTarget & { requestClose(): void };
  };
  vi.stubGlobal(
    'CloseWatcher',
    class extends CloseWatcher {
      constructor() {
        super();
        watchers.push(this);
      }
    },
  );
  try {
    const busy = await renderComponent(<OpenDialog isBusy />);
    await expect.element(page.getByRole('dialog')).toBeVisible();
    expect(watchers).toHaveLength(0);
    await busy.unmount();
    await renderComponent(<OpenDialog isBusy={false} />);
    await expect.poll(() => watchers).toHaveLength(1);
    const fields = [page.getByRole('button', { name: /Kind/ }), page.getByRole('combobox')];
    for (const field of fields) {
      await field.first().click();
      await expect.element(page.getByRole('listbox')).toBeVisible();
      watchers.at(-1)?.requestClose();
      await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
      await expect.element(page.getByRole('dialog')).toBeVisible();
    }
    watchers[0]?.requestClose();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  } finally {
    vi.unstubAllGlobals();
  }
});

const pointsOf = ({ x, y, width, height }: DOMRect) =>
  [0.1, 0.5, 0.9].flatMap((across) =>
    [0.1, 0.5, 0.9].map((down) => [x + width * across, y + height * down] as const),
  );

test.each([
  ['ar-EG', 390, 'modal'],
  ['ar-EG', 390, 'panel'],
  ['ar-EG', 1280, 'panel'],
  ['en-US', 390, 'modal'],
  ['en-US', 390, 'panel'],
  ['en-US', 700, 'panel'],
  ['en-US', 1280, 'panel'],
  ['ar-EG', 700, 'panel'],
  ['ur-PK', 390, 'modal'],
  ['en-US', 1280, 'wide'],
] as const)('in %s at %i px no toast covers a control of a %s', async (language, width, kind) => {
  await page.viewport(width, 844);
  await useLanguageOfTest(language);
  await renderComponent(
    <>
      <Dialog
        isOpen
        kind={kind}
        onClose={() => undefined}
        title="Edit the agency"
        actions={
          <>
            <Button>Save</Button>
            <Button variant="quiet">Cancel</Button>
          </>
        }
      >
        <TextField label="Name" name="name" value="" onChange={() => undefined} />
        <div className="h-[200vh]">Fields</div>
      </Dialog>
      <Toasts />
    </>,
  );
  // The longest that is shown often. Bottom right: specification §9.
  const text = t('refusals.ServerNotConnected', { ns: 'errors' });
  showToast(text, 'danger');
  await expect.element(page.getByText(text)).toBeInViewport();
  // An animation may not have begun yet, and a control is found only inside the window.
  const save = page.getByRole('button', { name: 'Save' });
  await expect.element(save).toBeInViewport({ ratio: 1 });
  const isRunning = ({ playState }: Animation) => playState === 'running';
  await expect.poll(() => document.getAnimations().some(isRunning)).toBe(false);
  const controls = page.getByRole('dialog').element().querySelectorAll('button, input');
  expect(controls).toHaveLength(4);
  for (const control of controls)
    for (const [x, y] of pointsOf(control.getBoundingClientRect()))
      expect(
        document.elementFromPoint(x, y)?.closest('[data-toasts], [role="dialog"]')?.role,
        control.outerHTML,
      ).toBe('dialog');
  await expect.element(page.getByText(text)).toBeInViewport();
  const shown = document.querySelector('[data-toasts] [data-surface]')?.getBoundingClientRect();
  expect([width - (shown?.right ?? 0), 844 - (shown?.bottom ?? 0)]).toEqual([16, 16]);
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
