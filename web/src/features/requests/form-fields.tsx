import { useTranslation } from 'react-i18next';
import { isFieldShown } from '@diwan/contract/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms';
import { useLanguage } from '../../lib/language.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FieldControl } from './form-fields-control.tsx';
import type { AnswersForm, FormStep } from './form-fields-form.ts';
import { useIssueText } from './form-fields-issue.ts';

interface FormFieldsProps {
  form: ServiceForm;
  step: FormStep;
  answersForm: AnswersForm;
}

/** The fields of one step that are asked, given the answers so far. */
export function FormFields({ form, step, answersForm }: FormFieldsProps) {
  const message = useFieldMessage(answersForm);
  return (
    <div className="flex flex-col gap-6">
      {step.fields.filter((field) => isFieldShown(form, field, answersForm.values)).map((field) => (
        <div key={field.name} className={field.showWhen ? 'animate-rise' : undefined}>
          <FieldControl field={field} control={answersForm.control} cleaned={answersForm.cleaned[field.name]} error={message(field)} />
        </div>
      ))}
    </div>
  );
}

function useFieldMessage({ issues, wrongNames, serverErrors }: AnswersForm): (field: FormField) => string | undefined {
  const issueText = useIssueText();
  return (field) => {
    if (!wrongNames.includes(field.name)) return undefined;
    const issue = issues.get(field.name);
    return issue ? issueText(issue, field) : serverErrors[field.name];
  };
}

/** Everything that kept the person from going on; one mistake alone is said beside its field and not here. */
export function FormFieldsSummary({ form, answersForm }: { form: ServiceForm; answersForm: AnswersForm }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const message = useFieldMessage(answersForm);
  const fields = form.steps.flatMap((step) => step.fields).filter((field) => answersForm.wrongNames.includes(field.name));
  if (answersForm.attempt === 0 || fields.length < 2) return null;
  const errors = fields.map((field) => ({ focusId: field.name, message: t('summaryLine', { field: field.title[language], message: message(field) ?? '' }) }));
  return <ErrorSummary key={answersForm.attempt} errors={errors} />;
}
