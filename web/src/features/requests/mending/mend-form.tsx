import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { documentsAsked } from '@diwan/contract/check-answers';
import type { Answers } from '@diwan/contract/forms';
import { updateRequest, type RequestRecord } from '@diwan/contract/requests';
import { markKey } from '@diwan/contract/return-marks';
import { focusOn } from '../../../lib/focus-on.ts';
import { useLanguage } from '../../../lib/language.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { ActionProblem } from '../action-problem.tsx';
import { missingDocuments } from '../documents/document-uploads-check.ts';
import { useDocumentUploads } from '../documents/document-uploads-state.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import { useAnswersForm } from '../form-fields/form-fields-form.ts';
import { FormFields, FormFieldsSummary } from '../form-fields/form-fields.tsx';
import { fieldMessages } from './mend-errors.ts';
import { useMendDraft } from './mend-draft.ts';
import { MendMarked } from './mend-marked.tsx';
import { documentsToSend, isOnAnswer, leftMarks, nameOfMark, openMarks } from './mend-marks.ts';
import { MendRest } from './mend-rest.tsx';
import { MendWhy } from './mend-why.tsx';
import { useRequestAction } from '../request-actions.data.ts';

interface MendFormProps {
  record: RequestRecord;
  reload: () => Promise<unknown>;
  onClose: () => void;
}

/** What appears with the next drawing can be focused after it. */
const focusSoon = (focusId: string) => window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(focusId)));

/** A returned request, open again: just what is marked, or the same questions and documents as when it was made. */
export function MendForm({ record, reload, onClose }: MendFormProps) {
  const { t } = useTranslation(['requests', 'returns']);
  const { language } = useLanguage();
  // What was asked when this form opened stays, whatever another device has done since.
  const [begun] = useState(record);
  const marks = openMarks(begun);
  const { start, draft, keep, forget } = useMendDraft(record);
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const action = useRequestAction(updateRequest);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const refused = fieldMessages(action.error);
  const answersForm = useAnswersForm({ form: record.form, answers: start.answers, onAnswers: (answers) => keep(() => ({ answers })), serverErrors: refused.answers });
  const rules = documentsAsked(record.form, record.attachmentRules, answersForm.values).filter(({ isAsked }) => isAsked).map(({ rule }) => rule);
  const uploads = useDocumentUploads({ serviceId: record.serviceId, requestId: record.requestId, rules: record.attachmentRules, value: draft.documents, onChange: (update) => keep(({ documents }) => ({ documents: update(documents) })) });
  const mending = { record: begun, answers: answersForm.cleaned, documents: draft.documents, explanations: draft.explanations };
  const left = leftMarks(marks, mending);
  const marked = (kind: 'answers' | 'attachments') => new Set(marks.filter((mark) => isOnAnswer(mark) === (kind === 'answers')).map(nameOfMark));
  // What is marked and left is told by its mark.
  const missing = missingDocuments(rules.filter(({ name }) => !marked('attachments').has(name)), draft.documents);
  const documentErrors = { ...refused.attachments, ...(hasTried ? Object.fromEntries(missing.map((name) => [name, t('mend.documentMissing')])) : {}) };
  const others = {
    steps: record.form.steps.map((step) => ({ ...step, fields: step.fields.filter((field) => field.kind !== 'file' && !marked('answers').has(field.name)) })).filter(({ fields }) => fields.length > 0),
    rules: rules.filter(({ name }) => !marked('attachments').has(name)),
  };

  const send = (answers: Answers) => {
    if (left[0]) return void focusSoon(`why:${left[0]}`);
    if (missing[0]) {
      keep(() => ({ isAllOpen: true }));
      return void focusSoon(missing[0]);
    }
    if (!hasAgreed) return void focusOn('agree');
    const explanations = marks.flatMap((mark) => {
      const text = draft.explanations[markKey(mark)]?.trim();
      return text ? [{ field: mark.field, ...(mark.attachmentId === undefined ? {} : { attachmentId: mark.attachmentId }), text }] : [];
    });
    const body = { requestId: record.requestId, version: record.version, answers, attachmentIds: documentsToSend(marks, mending), agreeToTermsAndConditions: true, ...(explanations.length > 0 ? { explanations } : {}) };
    action.mutate({ body }, {
      onSuccess: () => {
        forget();
        showToast(t('mend.sent'), 'success');
        onClose();
        window.scrollTo({ top: 0 });
      },
      onError: (error) => {
        const first = Object.keys(error.fieldErrors)[0];
        if (first) focusSoon(first.replace(/^answers\./, ''));
      },
    });
  };

  return (
    <form noValidate className="flex max-w-form flex-col gap-6" onSubmit={(event) => { setHasTried(true); answersForm.submit(send)(event); }}>
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">{marks.length > 0 ? t('returns:mend.title', { count: marks.length }) : t('mend.title')}</h2>
        <p className="mt-2 text-ink-600">{t(marks.length > 0 ? 'returns:mend.text' : 'mend.text')}</p>
      </div>
      <MendWhy record={begun} />
      <FormFieldsSummary form={record.form} answersForm={answersForm} />
      {marks.length > 0 ? (
        <MendMarked
          record={begun} marks={marks} answersForm={answersForm} uploads={uploads} documentErrors={documentErrors} left={hasTried ? left : []} isRestOpen={draft.isAllOpen}
          explanations={draft.explanations} onExplain={(key, text) => keep((before) => ({ explanations: { ...before.explanations, [key]: text } }))}
        />
      ) : null}
      {draft.isAllOpen ? (
        <>
          {others.steps.map((step) => <Card key={step.name} title={step.title[language]}><FormFields form={record.form} step={step} answersForm={answersForm} /></Card>)}
          {others.rules.length > 0 ? <Card title={t('record.documents')}><DocumentUploads rules={others.rules} uploads={uploads} errors={documentErrors} /></Card> : null}
        </>
      ) : (
        <MendRest record={begun} documents={draft.documents} onOpen={() => keep(() => ({ isAllOpen: true }))} />
      )}
      <Checkbox name="agree" label={t('mend.agree')} value={hasAgreed} onChange={setHasAgreed} isRequired error={hasTried && !hasAgreed ? t('mend.mustAgree') : undefined} focusIds={['TermsNotAccepted']} />
      {action.error && action.error.name !== 'ValidationFailed' ? <ActionProblem error={action.error} onReload={async () => { await reload(); action.reset(); }} isTextKept isOwner /> : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="lg" isPending={action.isPending} isDisabled={uploads.isBusy}>{t('mend.send')}</Button>
        <Button variant="quiet" size="lg" isDisabled={action.isPending} onPress={onClose}>{t('mend.cancel')}</Button>
      </div>
    </form>
  );
}
