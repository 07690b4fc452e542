import { useTranslation } from 'react-i18next';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { answerAt } from '@diwan/contract/requests/mark-targets';
import { AnswerText } from '../form-fields/form-fields-answer.tsx';

function findField(form: ServiceForm, path: string): FormField | undefined {
  const [, name, index, own] = path.split('.');
  const field = form.steps.flatMap((step) => step.fields).find((each) => each.name === name);
  // A field of a group is one like any other but for where it stands.
  return index === undefined
    ? field
    : (field?.fields?.find((each) => each.name === own) as FormField | undefined);
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** The answer at `answers.<field>` or within a group, as a person reads it. */
export function MarkAnswer({
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
  const value = answerAt(answers, field);
  return found && !isBlank(value) ? (
    <AnswerText field={found} value={value} />
  ) : (
    <span className="text-ink-500">{t('marks.notAnswered')}</span>
  );
}
