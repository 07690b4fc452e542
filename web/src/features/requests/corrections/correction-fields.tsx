import { ChevronDown, PencilLine } from 'lucide-react';
import { useState, type RefObject } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { focusOn, focusSoon } from '#lib/browser/focus-on.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { SavedLine } from '#ui/editing/saved-line.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { listRequiredDocuments } from '@diwan/contract/forms/check-answers';
import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import type { SpecialItem } from '@diwan/contract/forms/special-data';
import type { RequestForUpdate, RequestRecord } from '@diwan/contract/requests/requests';
import type { useRequestAction } from '../data/request-actions.data.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import { UploadedDocumentList } from '../documents/uploaded-document-list.tsx';
import { type UploadedDocument, missingDocuments } from '../documents/uploaded-documents.ts';
import type { DocumentUploadsState } from '../documents/use-document-uploads.ts';
import type { Draft } from '../drafts/draft.ts';
import type { DraftView } from '../drafts/use-current-draft.ts';
import { FormFields, FormFieldsSummary } from '../form-fields/form-fields.tsx';
import { RequestAnswers } from '../form-fields/request-answers.tsx';
import { useAnswersForm, type AnswersForm } from '../form-fields/use-answers-form.ts';
import { SpecialConsent } from '../special-data/special-consent.tsx';
import { unmarkedStage } from './correction-draft.ts';
import {
  documentIdsToSend,
  isOnAnswer,
  findUnresolvedMarks,
  fieldNameOfMark,
  listNewSpecialData,
  toExplanationsBody,
  type CorrectionState,
} from './correction-marks.ts';
import { CorrectionIntroduction, SubmitError } from './correction-messages.tsx';
import { MarkedItems } from './marked-items.tsx';

/** Whether the user has agreed to the terms and to new special data, and has tried to submit. */
export function useConsent() {
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasConsented, setHasConsented] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  return { hasAgreed, setHasAgreed, hasConsented, setHasConsented, hasTried, setHasTried };
}

interface CorrectionFieldsProps {
  record: RequestForUpdate;
  view: DraftView;
  uploads: DocumentUploadsState;
  action: ReturnType<typeof useRequestAction<'update'>>;
  heading: RefObject<HTMLHeadingElement | null>;
  /** The request has changed, so the correction cannot be submitted. */
  isOutdated: boolean;
  /** It outlives the fields, which are mounted again. */
  consent: ReturnType<typeof useConsent>;
  onChange: (edit: (before: Draft) => Draft) => void;
  onSent: () => void;
  onClose: () => void;
}

/** What the input corrects, what is still to be done, and the parts without a mark. */
function checkCorrection(
  record: RequestForUpdate,
  { documents, explanations }: Draft,
  { values, cleaned }: AnswersForm,
) {
  const { form, openMarks, attachmentRules } = record;
  const state: CorrectionState = { record, answers: cleaned, documents, explanations };
  const markedNames = (isAnswer: boolean) =>
    new Set(openMarks.filter((mark) => isOnAnswer(mark) === isAnswer).map(fieldNameOfMark));
  const [answers, attachments] = [markedNames(true), markedNames(false)];
  const rules = listRequiredDocuments(form, attachmentRules, values)
    .filter(({ isAsked, rule }) => isAsked && !attachments.has(rule.name))
    .map(({ rule }) => rule);
  const steps = form.steps
    .map((step) => ({
      ...step,
      fields: step.fields.filter(({ kind, name }) => kind !== 'file' && !answers.has(name)),
    }))
    .filter(({ fields }) => fields.length > 0);
  return {
    state,
    unresolved: findUnresolvedMarks(openMarks, state),
    // A marked document that is missing shows the error of its mark.
    missing: missingDocuments(rules, documents),
    unmarked: { steps, rules },
  };
}

/** Submits the correction, and focuses the first field that the server refuses. */
function useSendCorrection({
  record: { requestId, version, openMarks },
  action,
  onSent,
}: Pick<CorrectionFieldsProps, 'record' | 'action' | 'onSent'>) {
  const { t } = useTranslation('requests');
  return (answers: Answers, state: CorrectionState, hasConsented: boolean) => {
    const explanations = toExplanationsBody(openMarks, state.explanations);
    const body = {
      requestId,
      version,
      answers,
      attachmentIds: documentIdsToSend(openMarks, state),
      agreeToTermsAndConditions: true,
      ...(hasConsented ? { consentsToSpecialData: true } : {}),
      ...(explanations.length > 0 ? { explanations } : {}),
    };
    action.mutate(body, {
      onSuccess: () => {
        showToast(t('correct.sent'), 'success');
        onSent();
        window.scrollTo({ top: 0 });
      },
      onError: (error) => {
        const first = Object.keys(error.fieldErrors)[0];
        if (first) focusSoon(first.replace(/^answers\./, ''));
      },
    });
  };
}

/** The consent to special data that the correction adds, and the agreement to the terms. */
function Consents({
  record,
  special,
  consent,
  isDisabled,
}: Pick<CorrectionFieldsProps, 'record' | 'consent'> & {
  special: readonly SpecialItem[];
  isDisabled: boolean;
}) {
  const { t } = useTranslation('requests');
  const { hasAgreed, setHasAgreed, hasTried } = consent;
  return (
    <>
      <SpecialConsent
        items={special}
        agency={record.governmentAgency.name}
        consent={consent}
        isDisabled={isDisabled}
      />
      <Checkbox
        name="agree"
        label={t('correct.agree')}
        value={hasAgreed}
        onChange={setHasAgreed}
        isRequired
        error={hasTried && !hasAgreed ? t('correct.mustAgree') : undefined}
        focusIds={['TermsNotAccepted']}
      />
    </>
  );
}

/**
 * The fields and documents of a correction. It is mounted again when answers from another device
 * were merged.
 */
export function CorrectionFields({
  record,
  view,
  uploads,
  action,
  heading,
  isOutdated,
  consent,
  onChange,
  onSent,
  onClose,
}: CorrectionFieldsProps) {
  const { t } = useTranslation(['requests', 'returns', 'drafts']);
  const { hasAgreed, hasConsented, hasTried, setHasTried } = consent;
  const { content: draft } = view;
  const marks = record.openMarks;
  const serverErrors = groupFieldErrors(action.error ?? view.problem);
  const answersForm = useAnswersForm({
    form: record.form,
    answers: draft.answers,
    onAnswers: (answers) =>
      onChange((before) => ({ ...before, answers: { ...before.answers, ...answers } })),
    serverErrors: serverErrors.answers,
  });
  const { state, unresolved, missing, unmarked } = checkCorrection(record, draft, answersForm);
  const special = listNewSpecialData(record, state);
  const openUnmarked = () =>
    onChange((before) => ({
      ...before,
      passed: [...new Set([...before.passed, unmarkedStage])],
    }));
  const isUnmarkedOpen = draft.passed.includes(unmarkedStage);
  const documentErrors = {
    ...serverErrors.attachments,
    ...(hasTried
      ? Object.fromEntries(missing.map((name) => [name, t('correct.documentMissing')]))
      : {}),
  };
  const send = useSendCorrection({ record, action, onSent });
  const submit = (answers: Answers) => {
    if (unresolved[0]) return void focusSoon(`why:${unresolved[0]}`);
    if (missing[0]) {
      openUnmarked();
      return void focusSoon(missing[0]);
    }
    if (special.length > 0 && !hasConsented) return void focusOn('SpecialDataConsentMissing');
    if (!hasAgreed) return void focusOn('agree');
    send(answers, state, special.length > 0);
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        setHasTried(true);
        answersForm.submit(submit)(event);
      }}
    >
      <CorrectionIntroduction record={record} heading={heading} />
      <FormFieldsSummary form={record.form} answersForm={answersForm} />
      {marks.length > 0 ? (
        <MarkedItems
          record={record}
          marks={marks}
          answersForm={answersForm}
          uploads={uploads}
          documentErrors={documentErrors}
          unresolved={hasTried ? unresolved : []}
          isUnmarkedOpen={isUnmarkedOpen}
          explanations={draft.explanations}
          onExplain={(key, text) =>
            onChange((before) => ({
              ...before,
              explanations: { ...before.explanations, [key]: text },
            }))
          }
        />
      ) : null}
      {isUnmarkedOpen ? (
        <UnmarkedFields
          form={record.form}
          unmarked={unmarked}
          answersForm={answersForm}
          uploads={uploads}
          documentErrors={documentErrors}
        />
      ) : (
        <UnmarkedParts record={record} documents={draft.documents} onOpen={openUnmarked} />
      )}
      <Consents record={record} special={special} consent={consent} isDisabled={action.isPending} />
      <SubmitError error={isOutdated ? null : action.error} />
      <div className="flex gap-3 max-md:flex-col md:flex-wrap md:items-center">
        <Button
          type="submit"
          size="lg"
          isPending={action.isPending}
          isDisabled={uploads.isBusy || isOutdated}
        >
          {t('correct.send')}
        </Button>
        <Button variant="quiet" size="lg" isDisabled={action.isPending} onPress={onClose}>
          {t('returns:correct.later')}
        </Button>
        {isOutdated ? null : <SavedLine view={view} />}
      </div>
    </form>
  );
}

interface UnmarkedFieldsProps {
  form: ServiceForm;
  unmarked: ReturnType<typeof checkCorrection>['unmarked'];
  answersForm: AnswersForm;
  uploads: DocumentUploadsState;
  documentErrors: Readonly<Record<string, string | undefined>>;
}

/** The answers and documents without a mark, open to be changed too. */
function UnmarkedFields({
  form,
  unmarked: { steps, rules },
  answersForm,
  uploads,
  documentErrors,
}: UnmarkedFieldsProps) {
  const { t } = useTranslation('requests');
  const { language } = useLanguage();
  return (
    <>
      {steps.map((step) => (
        <Card key={step.name} title={step.title[language]}>
          <FormFields form={form} step={step} answersForm={answersForm} />
        </Card>
      ))}
      {rules.length > 0 ? (
        <Card title={t('record.documents')}>
          <DocumentUploads rules={rules} uploads={uploads} errors={documentErrors} />
        </Card>
      ) : null}
    </>
  );
}

/** The answers and documents without a mark, collapsed, with a button to change them too. */
function UnmarkedParts({
  record,
  documents,
  onOpen,
}: {
  record: RequestRecord;
  documents: readonly UploadedDocument[];
  onOpen: () => void;
}) {
  const { t } = useTranslation(['returns', 'requests']);
  return (
    <div className="flex flex-col gap-3">
      <details className="group rounded-lg border border-ink-200 bg-white">
        <summary
          className={classNames(
            'flex min-h-12 cursor-pointer items-center justify-between gap-3 px-4 py-3',
            'font-medium md:px-6',
          )}
        >
          {t('correct.rest')}
          <ChevronDown
            aria-hidden
            size={20}
            className="shrink-0 text-ink-500 group-open:rotate-180"
          />
        </summary>
        <div className="flex flex-col gap-6 border-t border-ink-100 p-4 md:p-6">
          <RequestAnswers record={record} />
          {record.attachmentRules.length > 0 ? (
            <section aria-label={t('requests:record.documents')}>
              <h3 className="mb-3 border-b border-ink-200 pb-2 text-base">
                {t('requests:record.documents')}
              </h3>
              <UploadedDocumentList rules={record.attachmentRules} documents={documents} />
            </section>
          ) : null}
        </div>
      </details>
      <div>
        <Button variant="quiet" icon={<PencilLine aria-hidden size={18} />} onPress={onOpen}>
          {t('correct.openRest')}
        </Button>
      </div>
    </div>
  );
}

/** The server's field errors by field name and by name of the attachment rule. */
function groupFieldErrors(error: ApiError | null): {
  answers: Record<string, string>;
  attachments: Record<string, string>;
} {
  const found = {
    answers: {} as Record<string, string>,
    attachments: {} as Record<string, string>,
  };
  for (const [field, messages] of Object.entries(error?.fieldErrors ?? {})) {
    const [kind, name] = field.split('.', 2);
    if (name && messages[0] && (kind === 'answers' || kind === 'attachments'))
      found[kind][name] = messages[0];
  }
  return found;
}
