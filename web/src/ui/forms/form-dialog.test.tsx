import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { ApiError } from '#lib/api/api-error.ts';
import { holdReply } from '#testing/answer-calls.ts';
import { renderComponent } from '#testing/render-page.tsx';
import { FormDialog, FormField } from './form-dialog.tsx';
import { NumberField } from './number-field.tsx';
import { TextField } from './text-field.tsx';

interface SampleProps {
  submitsOnEnter?: boolean;
  clearsErrorsOnChange?: boolean;
  error?: ApiError;
  isPending?: boolean;
  /** What the server answers to each submission. */
  answer?: Promise<ApiError>;
  onSubmit?: (values: { name: string; code: string }) => void;
}

function Sample({ error, isPending = false, answer, onSubmit, ...options }: SampleProps) {
  const [isSending, setIsSending] = useState(false);
  const [shownError, setShownError] = useState<ApiError | null>(error ?? null);
  const form = useForm({
    defaultValues: { name: '', code: '' },
    reValidateMode: options.clearsErrorsOnChange ? 'onSubmit' : 'onChange',
  });
  const required = (value: string) => (value.length < 2 ? 'Too short' : undefined);
  return (
    <FormDialog
      {...options}
      form={form}
      title="Sample"
      submitLabel="Send"
      cancelLabel="Cancel"
      isPending={isPending || isSending}
      error={shownError}
      fieldOfError={({ name }) => (name === 'VerificationCodeWrong' ? 'code' : undefined)}
      onResetError={() => setShownError(null)}
      onSubmit={(values) => {
        onSubmit?.(values);
        if (!answer) return;
        setIsSending(true);
        void answer.then((refused) => {
          setShownError(refused);
          setIsSending(false);
        });
      }}
      onClose={() => undefined}
    >
      <FormField control={form.control} name="name" validate={required}>
        {(field) => <TextField {...field} label="Name" />}
      </FormField>
      <FormField control={form.control} name="code" validate={required}>
        {(field) => <TextField {...field} label="Code" />}
      </FormField>
    </FormDialog>
  );
}

it('shows the errors of invalid fields and focuses the first of them', async () => {
  const sent: unknown[] = [];
  const page = await renderComponent(<Sample onSubmit={(values) => sent.push(values)} />);
  await page.getByRole('textbox', { name: 'Name' }).fill('Sara');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Code' })).toHaveFocus();
  await expect.element(page.getByText('Too short')).toBeVisible();
  expect(sent).toEqual([]);
  await page.getByRole('textbox', { name: 'Code' }).fill('12');
  await expect.element(page.getByText('Too short')).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent).toEqual([{ name: 'Sara', code: '12' }]);
});

it('removes an error at any change with clearsErrorsOnChange', async () => {
  const page = await renderComponent(<Sample clearsErrorsOnChange />);
  await page.getByRole('textbox', { name: 'Name' }).fill('Sara');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByText('Too short')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill('1');
  await expect.element(page.getByText('Too short')).not.toBeInTheDocument();
});

it('submits only by the button when Enter must not submit', async () => {
  const sent: unknown[] = [];
  const page = await renderComponent(
    <Sample submitsOnEnter={false} onSubmit={(values) => sent.push(values)} />,
  );
  await page.getByRole('textbox', { name: 'Name' }).fill('Sara');
  await page.getByRole('textbox', { name: 'Code' }).fill('12');
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => sent).toHaveLength(1);
});

it('shows an error of the server at its field until the field changes', async () => {
  const error = new ApiError(400, 'VerificationCodeWrong', 'Wrong code');
  const page = await renderComponent(<Sample error={error} />);
  await expect.element(page.getByText('Wrong code')).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await page.getByRole('textbox', { name: 'Code' }).fill('12');
  await expect.element(page.getByText('Wrong code')).not.toBeInTheDocument();
});

it('focuses the first field that the server refuses, once it has answered', async () => {
  const { reply, release } = holdReply<ApiError>();
  const page = await renderComponent(<Sample answer={reply} />);
  const [name, code] = ['Name', 'Code'].map((each) => page.getByRole('textbox', { name: each }));
  await name!.fill('Sara');
  await code!.fill('12');
  const send = page.getByRole('button', { name: 'Send' });
  await send.click();
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await expect.element(send).toHaveFocus();
  const fieldErrors = { code: ['Wrong'], name: ['Taken'] };
  release(new ApiError(400, 'ValidationFailed', 'Not valid', { fieldErrors }));
  await expect.element(page.getByText('Taken')).toBeVisible();
  await expect.element(name!).toHaveFocus();
});

it('shows an error without a field of the form in an alert', async () => {
  const error = new ApiError(400, 'ValidationFailed', 'Not valid', {
    fieldErrors: { other: ['Wrong'] },
  });
  const page = await renderComponent(<Sample error={error} />);
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible();
});

it('does not submit again while pending', async () => {
  const sent: unknown[] = [];
  const page = await renderComponent(<Sample isPending onSubmit={(values) => sent.push(values)} />);
  await page.getByRole('textbox', { name: 'Name' }).fill('Sara');
  await page.getByRole('textbox', { name: 'Code' }).fill('12');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  expect(sent).toEqual([]);
});

function NumberSample({ onSubmit }: { onSubmit: (values: { most?: number | undefined }) => void }) {
  const form = useForm<{ most?: number | undefined }>({ defaultValues: { most: 12 } });
  return (
    <FormDialog
      form={form}
      title="Sample"
      submitLabel="Send"
      cancelLabel="Cancel"
      isPending={false}
      error={null}
      onResetError={() => undefined}
      onSubmit={onSubmit}
      onClose={() => undefined}
    >
      <FormField control={form.control} name="most">
        {(field) => <NumberField {...field} label="Most" isOptional />}
      </FormField>
    </FormDialog>
  );
}

it('leaves a number empty that was emptied', async () => {
  const sent: unknown[] = [];
  const page = await renderComponent(<NumberSample onSubmit={(values) => sent.push(values)} />);
  const box = page.getByRole('textbox', { name: /Most/ });
  await expect.element(box).toHaveValue('12');
  await box.fill('');
  await expect.element(box).toHaveValue('');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => sent).toEqual([{}]);
  await expect.element(box).toHaveValue('');
  await box.fill('12');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => sent).toEqual([{}, { most: 12 }]);
});
