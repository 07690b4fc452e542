import { AnswerText } from '#features/requests/form-fields/step-answers.tsx';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { findAnswer } from '@diwan/contract/requests/return-marks';

function findField(form: ServiceForm, path: string): FormField | undefined {
  const [, name, index, groupField] = path.split('.');
  const field = form.steps.flatMap((step) => step.fields).find((each) => each.name === name);
  // A field of a group has the same properties as a field of the form.
  return index === undefined
    ? field
    : (field?.fields?.find((each) => each.name === groupField) as FormField | undefined);
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** The answer at the path `answers.<field>` or `answers.<group>.<index>.<field>`, as text. */
export function MarkedAnswer({
  form,
  answers,
  field,
}: {
  form: ServiceForm;
  answers: Readonly<Record<string, unknown>>;
  field: string;
}) {
  const { t } = useTranslation('returns');
  const found = findField(form, field);
  const value = findAnswer(answers, field);
  return found && !isBlank(value) ? (
    <AnswerText field={found} value={value} />
  ) : (
    <span className="text-ink-500">{t('marks.notAnswered')}</span>
  );
}
