import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { Pager } from '../data/pager.tsx';
import { FileButton } from '../files/file-button.tsx';
import { Checkbox } from '../forms/checkbox.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

const onWork = vi.fn();

/** Controls that are disabled by their own work. */
function Working() {
  const [isWorking, setIsWorking] = useState(false);
  const [pageNumber, setPageNumber] = useState(2);
  const work = () => {
    onWork();
    setIsWorking(true);
  };
  return (
    <>
      <Button isDisabled={isWorking} onPress={work}>
        Send
      </Button>
      <IconButton label="Remove" isDisabled={isWorking} onPress={work}>
        x
      </IconButton>
      <Checkbox label="Agree" value={isWorking} isDisabled={isWorking} onChange={work} />
      <Pager pageNumber={pageNumber} pageSize={1} totalCount={3} onSelect={setPageNumber} />
      <button type="button">Next</button>
    </>
  );
}

it.each([
  ['button', 'Send'],
  ['button', 'Remove'],
  ['checkbox', 'Agree'],
] as const)('leaves the focus on a %s that its own work disables: %s', async (role, name) => {
  await useLanguageOfTest('en-US');
  await renderComponent(<Working />);
  onWork.mockClear();
  const control = page.getByRole(role, { name });
  (control.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(control).toHaveAttribute('aria-disabled', 'true');
  await expect.element(control).toHaveFocus();
  await expect.element(control).not.toHaveAttribute('disabled');
  await userEvent.keyboard(' ');
  expect(onWork).toHaveBeenCalledOnce();
  // Behind the focus it is a disabled control like others.
  (page.getByRole('button', { name: 'Next' }).element() as HTMLElement).focus();
  await expect.element(control).toHaveAttribute('disabled');
});

it('leaves the focus on the button of a list that has no more pages', async () => {
  await useLanguageOfTest('en-US');
  await renderComponent(<Working />);
  const next = page.getByRole('button', { name: 'Next page' });
  (next.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(next).toHaveAttribute('aria-disabled', 'true');
  await expect.element(next).toHaveFocus();
});

function Import() {
  const [isPending, setIsPending] = useState(false);
  return (
    <FileButton
      label="Choose"
      pendingLabel="Sending"
      isPending={isPending}
      accept={['text/csv']}
      onChoose={() => setIsPending(true)}
    />
  );
}

it('leaves the focus on the button of a file while it is sent', async () => {
  await useLanguageOfTest('en-US');
  await renderComponent(<Import />);
  const button = page.getByRole('button', { name: 'Choose' });
  (button.element() as HTMLElement).focus();
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  await userEvent.upload(input, new File(['a'], 'a.csv', { type: 'text/csv' }));
  const sending = page.getByRole('button', { name: 'Sending' });
  await expect.element(sending).toHaveFocus();
  await expect.element(sending).not.toHaveAttribute('disabled');
});
