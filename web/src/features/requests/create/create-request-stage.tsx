import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { focusSoon } from '#lib/browser/focus-on.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import type { Answers, ServiceForm, AttachmentRule } from '@diwan/contract/forms/forms';
import { kindsOf } from '@diwan/contract/forms/special-data';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import { isUploading, missingDocuments } from '../documents/uploaded-documents.ts';
import type { DocumentUploadsState } from '../documents/use-document-uploads.ts';
import { useFieldTexts } from '../form-fields/field-texts.ts';
import { FormFields, FormFieldsSummary } from '../form-fields/form-fields.tsx';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import { useAnswersForm, type FormStep } from '../form-fields/use-answers-form.ts';
import { SpecialConsent } from '../special-data/special-consent.tsx';
import { useSpecialGate } from '../special-data/special-gate.ts';

/** The buttons at the end of every stage; `saved` is the status of the draft. */
export function StageActions({
  children,
  onBack,
  saved,
}: {
  children: ReactNode;
  onBack: (() => void) | undefined;
  saved: ReactNode;
}) {
  const { t } = useTranslation('forms');
  return (
    <div className="mt-10 flex flex-col gap-3 border-t border-ink-100 pt-6 md:flex-row md:items-center">
      {children}
      {onBack ? (
        <Button variant="quiet" onPress={onBack}>
          {t('back')}
        </Button>
      ) : null}
      {saved}
    </div>
  );
}

interface CreateRequestDocumentsProps {
  rules: readonly AttachmentRule[];
  uploads: DocumentUploadsState;
  saved: ReactNode;
  serverErrors: Readonly<Record<string, string>>;
  isFromReview: boolean;
  onDone: () => void;
  onBack: () => void;
}

/** The stage for all documents of the service. */
export function CreateRequestDocuments({
  rules,
  uploads,
  saved,
  serverErrors,
  isFromReview,
  onDone,
  onBack,
}: CreateRequestDocumentsProps) {
  const { t } = useTranslation('attachments');
  const { t: forms } = useTranslation('forms');
  const { language } = useLanguage();
  const texts = useFieldTexts();
  const { gate, itemsOfRules } = useSpecialGate();
  const waiting = itemsOfRules(rules);
  const isOpen = ({ title }: AttachmentRule) => !waiting.some((item) => item.title === title);
  const closed = rules.filter((rule) => !isOpen(rule));
  const [attempt, setAttempt] = useState(0);
  const [waits, setWaits] = useState(false);
  const absent = missingDocuments(rules, uploads.documents).filter(
    (name) => !isUploading(uploads.pending, name),
  );
  const missing = attempt > 0 ? absent : [];
  const errors = {
    ...serverErrors,
    ...Object.fromEntries(
      rules
        .filter((rule) => missing.includes(rule.name))
        .map((rule) => [rule.name, texts.missingDocument(rule.title[language])]),
    ),
  };
  const wrong = rules.filter((rule) => errors[rule.name]);
  const isWaiting = waits && absent.length === 0 && uploads.isBusy;

  const goOn = () => {
    setAttempt((before) => before + 1);
    setWaits(absent.length === 0 && uploads.isBusy);
    if (absent.length === 0 && !uploads.isBusy) return onDone();
    const [first, second] = absent;
    if (first && !second) focusSoon(first);
  };
  const endWait = useEffectEvent(() => {
    if (waits && absent.length === 0) onDone();
  });
  useEffect(() => {
    if (!uploads.isBusy) endWait();
  }, [uploads.isBusy]);
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-600">{t('lead')}</p>
      {wrong.length > 1 ? (
        <ErrorSummary
          key={attempt}
          errors={wrong.map((rule) => ({
            focusId: rule.name,
            message: missing.includes(rule.name)
              ? (errors[rule.name] ?? '')
              : forms('summaryLine', {
                  field: rule.title[language],
                  message: errors[rule.name],
                }),
          }))}
        />
      ) : null}
      {gate && closed.length > 0 ? (
        <SpecialConsent
          items={waiting}
          agency={gate.agency}
          before={closed.map(({ name }) => name)}
          consent={{
            hasConsented: false,
            setHasConsented: () => gate.consent(kindsOf(waiting)),
            hasTried: closed.some(({ name }) => missing.includes(name)),
          }}
        />
      ) : null}
      <DocumentUploads rules={rules.filter(isOpen)} uploads={uploads} errors={errors} />
      {isWaiting ? <Alert isLive>{t('waiting')}</Alert> : null}
      <StageActions onBack={onBack} saved={saved}>
        <Button onPress={goOn}>{isFromReview ? forms('backToReview') : forms('continue')}</Button>
      </StageActions>
    </div>
  );
}

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
  onBack: (() => void) | undefined;
}

/** The stage for one step of the form. */
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
  // Only errors that the server returned before this step was opened.
  const [wrongAtOpening] = useState(
    () => step.fields.find((field) => serverErrors[field.name])?.name,
  );
  useEffect(() => {
    // After the page has focused its heading.
    if (wrongAtOpening) focusSoon(wrongAtOpening);
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
