import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { documentsAsked } from '@diwan/contract/forms/check-answers';
import type { Answers } from '@diwan/contract/forms/forms';
import type { updateRequest, RequestRecord } from '@diwan/contract/requests/requests';
import { markKey } from '@diwan/contract/requests/return-marks';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { missingDocuments } from '../documents/document-uploads-check.ts';
import type { DocumentUploads as Uploads } from '../documents/document-uploads-state.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import type { Draft } from '../drafts/draft.ts';
import { DraftSavedLine } from '../drafts/draft-saved-line.tsx';
import type { DraftView } from '../drafts/draft-saver.ts';
import { useAnswersForm } from '../form-fields/form-fields-form.ts';
import { FormFields, FormFieldsSummary } from '../form-fields/form-fields.tsx';
import type { useRequestAction } from '../data/request-actions.data.ts';
import { fieldMessages } from './mend-errors.ts';
import { MendMarked } from './mend-marked.tsx';
import { documentsToSend, isOnAnswer, leftMarks, nameOfMark, openMarks } from './mend-marks.ts';
import { MendRest } from './mend-rest.tsx';
import { restStage } from './mend-start.ts';
import { MendWhy } from './mend-why.tsx';

interface MendFieldsProps {
  record: RequestRecord;
  view: DraftView;
  uploads: Uploads;
  action: ReturnType<typeof useRequestAction<typeof updateRequest>>;
  heading: RefObject<HTMLHeadingElement | null>;
  /** It can no longer be sent. */
  isOver: boolean;
  hasAgreed: boolean;
  onAgree: (hasAgreed: boolean) => void;
  hasTried: boolean;
  onTry: () => void;
  onChange: (part: (before: Draft) => Partial<Draft>) => void;
  onSent: () => void;
  onClose: () => void;
}

/** What appears with the next drawing can be focused after it. */
const focusSoon = (focusId: string) =>
  window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(focusId)));

/**
 * The questions and documents of a request that is mended; drawn anew when answers came from
 * elsewhere.
 */
export function MendFields({
  record,
  view,
  uploads,
  action,
  heading,
  isOver,
  hasAgreed,
  onAgree,
  hasTried,
  onTry,
  onChange,
  onSent,
  onClose,
}: MendFieldsProps) {
  const { t } = useTranslation(['requests', 'returns', 'drafts']);
  const { language } = useLanguage();
  const { draft } = view;
  const marks = openMarks(record);
  const refused = fieldMessages(action.error ?? view.problem);
  const answersForm = useAnswersForm({
    form: record.form,
    answers: draft.answers,
    onAnswers: (answers) => onChange((before) => ({ answers: { ...before.answers, ...answers } })),
    serverErrors: refused.answers,
  });
  const rules = documentsAsked(record.form, record.attachmentRules, answersForm.values)
    .filter(({ isAsked }) => isAsked)
    .map(({ rule }) => rule);
  const mending = {
    record,
    answers: answersForm.cleaned,
    documents: draft.documents,
    explanations: draft.explanations,
  };
  const left = leftMarks(marks, mending);
  const isRestOpen = draft.passed.includes(restStage);
  const openRest = () =>
    onChange(({ passed }) => ({ passed: [...new Set([...passed, restStage])] }));
  const marked = (kind: 'answers' | 'attachments') =>
    new Set(marks.filter((mark) => isOnAnswer(mark) === (kind === 'answers')).map(nameOfMark));
  // What is marked and left is told by its mark.
  const missing = missingDocuments(
    rules.filter(({ name }) => !marked('attachments').has(name)),
    draft.documents,
  );
  const documentErrors = {
    ...refused.attachments,
    ...(hasTried
      ? Object.fromEntries(missing.map((name) => [name, t('mend.documentMissing')]))
      : {}),
  };
  const others = {
    steps: record.form.steps
      .map((step) => ({
        ...step,
        fields: step.fields.filter(
          (field) => field.kind !== 'file' && !marked('answers').has(field.name),
        ),
      }))
      .filter(({ fields }) => fields.length > 0),
    rules: rules.filter(({ name }) => !marked('attachments').has(name)),
  };

  const send = (answers: Answers) => {
    if (left[0]) return void focusSoon(`why:${left[0]}`);
    if (missing[0]) {
      openRest();
      return void focusSoon(missing[0]);
    }
    if (!hasAgreed) return void focusOn('agree');
    const explanations = marks.flatMap((mark) => {
      const text = draft.explanations[markKey(mark)]?.trim();
      return text
        ? [
            {
              field: mark.field,
              ...(mark.attachmentId === undefined ? {} : { attachmentId: mark.attachmentId }),
              text,
            },
          ]
        : [];
    });
    const body = {
      requestId: record.requestId,
      version: record.version,
      answers,
      attachmentIds: documentsToSend(marks, mending),
      agreeToTermsAndConditions: true,
      ...(explanations.length > 0 ? { explanations } : {}),
    };
    action.mutate(
      { body },
      {
        onSuccess: () => {
          showToast(t('mend.sent'), 'success');
          onSent();
          window.scrollTo({ top: 0 });
        },
        onError: (error) => {
          const first = Object.keys(error.fieldErrors)[0];
          if (first) focusSoon(first.replace(/^answers\./, ''));
        },
      },
    );
  };
  // What is wrong with a field is told beside it, and that somebody was faster above.
  const failure =
    action.error && action.error.name !== 'ValidationFailed' && !isOver ? action.error : null;

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        onTry();
        answersForm.submit(send)(event);
      }}
    >
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
          {marks.length > 0 ? t('returns:mend.title', { count: marks.length }) : t('mend.title')}
        </h2>
        <p className="mt-2 text-ink-600">
          {t(marks.length > 0 ? 'returns:mend.text' : 'mend.text')}
        </p>
      </div>
      <MendWhy record={record} />
      <FormFieldsSummary form={record.form} answersForm={answersForm} />
      {marks.length > 0 ? (
        <MendMarked
          record={record}
          marks={marks}
          answersForm={answersForm}
          uploads={uploads}
          documentErrors={documentErrors}
          left={hasTried ? left : []}
          isRestOpen={isRestOpen}
          explanations={draft.explanations}
          onExplain={(key, text) =>
            onChange((before) => ({ explanations: { ...before.explanations, [key]: text } }))
          }
        />
      ) : null}
      {isRestOpen ? (
        <>
          {others.steps.map((step) => (
            <Card key={step.name} title={step.title[language]}>
              <FormFields form={record.form} step={step} answersForm={answersForm} />
            </Card>
          ))}
          {others.rules.length > 0 ? (
            <Card title={t('record.documents')}>
              <DocumentUploads rules={others.rules} uploads={uploads} errors={documentErrors} />
            </Card>
          ) : null}
        </>
      ) : (
        <MendRest record={record} documents={draft.documents} onOpen={openRest} />
      )}
      <Checkbox
        name="agree"
        label={t('mend.agree')}
        value={hasAgreed}
        onChange={onAgree}
        isRequired
        error={hasTried && !hasAgreed ? t('mend.mustAgree') : undefined}
        focusIds={['TermsNotAccepted']}
      />
      {failure ? (
        <Notice tone="danger" isLive title={t('faster.failed')}>
          {messageOf(failure)}
        </Notice>
      ) : null}
      <div className="flex gap-3 max-md:flex-col md:flex-wrap md:items-center">
        <Button
          type="submit"
          size="lg"
          isPending={action.isPending}
          isDisabled={uploads.isBusy || isOver}
        >
          {t('mend.send')}
        </Button>
        <Button variant="quiet" size="lg" isDisabled={action.isPending} onPress={onClose}>
          {t('returns:mend.later')}
        </Button>
        {isOver ? null : <DraftSavedLine saving={view} />}
      </div>
    </form>
  );
}
