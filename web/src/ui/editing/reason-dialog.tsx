import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { FormDialog, FormField } from '../forms/form-dialog.tsx';
import { TextAreaField } from '../forms/text-area-field.tsx';

/** A dialog for a step that somebody else has to understand: what follows from it, and its reason. */
export function ReasonDialog({
  title,
  submitLabel,
  cancelLabel,
  subject,
  consequences,
  problem,
  reasonLabel,
  reasonHint,
  reasonRequired,
  action,
  onSubmit,
  onClose,
}: {
  title: string;
  submitLabel: string;
  cancelLabel: string;
  /** Whom or what the step concerns. */
  subject: ReactNode;
  consequences: readonly string[];
  /** The error of the last submission, in words. */
  problem: ReactNode;
  reasonLabel: string;
  reasonHint: string;
  reasonRequired: string;
  action: { isPending: boolean; error: ApiError | null; reset: () => void };
  onSubmit: (reason: string) => void;
  onClose: () => void;
}) {
  const form = useForm({ defaultValues: { reason: '' } });
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={submitLabel}
      cancelLabel={cancelLabel}
      isDangerous
      isPending={action.isPending}
      error={action.error}
      errorPosition="none"
      onResetError={action.reset}
      onSubmit={({ reason }) => onSubmit(reason)}
      onClose={onClose}
    >
      {subject}
      {problem}
      <ul className="list-disc ps-5">
        {consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      <FormField
        control={form.control}
        name="reason"
        validate={(reason) => (reason.trim() === '' ? reasonRequired : undefined)}
      >
        {(field) => (
          <TextAreaField
            {...field}
            label={reasonLabel}
            description={reasonHint}
            rows={3}
            maxLength={500}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
