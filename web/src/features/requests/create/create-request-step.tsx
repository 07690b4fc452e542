import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { StageActions } from './create-request-actions.tsx';
import { FormFields, FormFieldsSummary } from '../form-fields/form-fields.tsx';
import { useAnswersForm, type FormStep } from '../form-fields/form-fields-form.ts';
import type { AnswerValues } from '../form-fields/form-fields-start.ts';

interface CreateRequestStepProps {
  form: ServiceForm;
  step: FormStep;
  stepIndex: number;
  answers: AnswerValues;
  saved: ReactNode;
  serverErrors: Readonly<Record<string, string>>;
  isFromReview: boolean;
  onAnswers: (values: AnswerValues) => void;
  onDone: (cleaned: Answers) => void;
  onBack: () => void;
}

/** One topic of the form. */
export function CreateRequestStep({
  form,
  step,
  stepIndex,
  answers,
  saved,
  serverErrors,
  isFromReview,
  onAnswers,
  onDone,
  onBack,
}: CreateRequestStepProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const answersForm = useAnswersForm({ form, stepIndex, answers, onAnswers, serverErrors });
  // Only what the server said before this step was opened.
  const [wrongAtOpening] = useState(
    () => step.fields.find((field) => serverErrors[field.name])?.name,
  );
  useEffect(() => {
    // Once the page has put the focus on its heading.
    if (wrongAtOpening) window.requestAnimationFrame(() => focusOn(wrongAtOpening));
  }, [wrongAtOpening]);
  return (
    <form noValidate onSubmit={answersForm.submit(onDone)} className="flex flex-col gap-6">
      {step.description ? <p className="text-ink-600">{step.description[language]}</p> : null}
      <FormFieldsSummary form={form} answersForm={answersForm} />
      <FormFields form={form} step={step} answersForm={answersForm} />
      <StageActions onBack={onBack} saved={saved}>
        <Button type="submit">{isFromReview ? t('backToReview') : t('continue')}</Button>
      </StageActions>
    </form>
  );
}
