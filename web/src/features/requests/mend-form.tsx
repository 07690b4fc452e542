import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answers } from '@diwan/contract/forms';
import { updateRequest, type RequestRecord } from '@diwan/contract/requests';
import { focusOn } from '../../lib/focus-on.ts';
import { useLanguage } from '../../lib/language.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ActionProblem } from './action-problem.tsx';
import { missingDocuments } from './document-uploads-check.ts';
import { useDocumentUploads } from './document-uploads-state.ts';
import { DocumentUploads } from './document-uploads.tsx';
import type { UploadedDocument } from './draft.ts';
import { useAnswersForm } from './form-fields-form.ts';
import { FormFields, FormFieldsSummary } from './form-fields.tsx';
import { fieldMessages } from './mend-errors.ts';
import { useMendDraft } from './mend-draft.ts';
import { MendWhy } from './mend-why.tsx';
import { useRequestAction } from './request-actions.data.ts';

interface MendFormProps {
  record: RequestRecord;
  reload: () => Promise<unknown>;
  onClose: () => void;
}

/** A returned request, open again: the same questions and documents as when it was made. */
export function MendForm({ record, reload, onClose }: MendFormProps) {
  const { t } = useTranslation('requests');
  const { language } = useLanguage();
  const { draft, keep, forget } = useMendDraft(record);
  const [documents, setDocuments] = useState<UploadedDocument[]>(draft.documents);
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const action = useRequestAction(updateRequest);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const refused = fieldMessages(action.error);
  const answersForm = useAnswersForm({ form: record.form, answers: draft.answers, onAnswers: (answers) => keep(() => ({ answers })), serverErrors: refused.answers });
  const uploads = useDocumentUploads({
    serviceId: record.serviceId, rules: record.attachmentRules, value: documents,
    onChange: (update) => setDocuments(keep((before) => ({ documents: update(before.documents) })).documents),
  });
  const missing = missingDocuments(record.attachmentRules, documents);
  const documentErrors = { ...refused.attachments, ...(hasTried ? Object.fromEntries(missing.map((name) => [name, t('mend.documentMissing')])) : {}) };

  const send = (answers: Answers) => {
    setHasTried(true);
    if (missing[0]) return void focusOn(missing[0]);
    if (!hasAgreed) return void focusOn('agree');
    action.mutate({ body: { requestId: record.requestId, version: record.version, answers, attachmentIds: documents.map((each) => each.attachmentId), agreeToTermsAndConditions: true } }, {
      onSuccess: () => {
        forget();
        showToast(t('mend.sent'), 'success');
        onClose();
        window.scrollTo({ top: 0 });
      },
      onError: (error) => {
        const first = Object.keys(error.fieldErrors)[0];
        if (first) window.requestAnimationFrame(() => focusOn(first.replace(/^answers\./, '')));
      },
    });
  };

  return (
    <form noValidate className="flex max-w-form flex-col gap-6" onSubmit={(event) => { setHasTried(true); answersForm.submit(send)(event); }}>
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">{t('mend.title')}</h2>
        <p className="mt-2 text-ink-600">{t('mend.text')}</p>
      </div>
      <MendWhy record={record} />
      <FormFieldsSummary form={record.form} answersForm={answersForm} />
      {record.form.steps.map((step) => (
        <Card key={step.name} title={step.title[language]}><FormFields form={record.form} step={step} answersForm={answersForm} /></Card>
      ))}
      {record.attachmentRules.length > 0 ? <Card title={t('record.documents')}><DocumentUploads rules={record.attachmentRules} uploads={uploads} errors={documentErrors} /></Card> : null}
      <Checkbox name="agree" label={t('mend.agree')} value={hasAgreed} onChange={setHasAgreed} isRequired error={hasTried && !hasAgreed ? t('mend.mustAgree') : undefined} focusIds={['TermsNotAccepted']} />
      {action.error && action.error.name !== 'ValidationFailed' ? <ActionProblem error={action.error} onReload={async () => { await reload(); action.reset(); }} isTextKept isOwner /> : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="lg" isPending={action.isPending} isDisabled={uploads.isBusy}>{t('mend.send')}</Button>
        <Button variant="quiet" size="lg" isDisabled={action.isPending} onPress={onClose}>{t('mend.cancel')}</Button>
      </div>
    </form>
  );
}
