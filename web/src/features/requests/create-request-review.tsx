import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { checkAnswers } from '@diwan/contract/check-answers';
import type { Service } from '@diwan/contract/services';
import { focusOn } from '../../lib/focus-on.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/language.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { KeyValueList } from '../../ui/key-value-list.tsx';
import { StageActions } from './create-request-actions.tsx';
import { CostTable } from './create-request-cost.tsx';
import { SendingProblem } from './create-request-problem.tsx';
import { useSending } from './create-request-send.ts';
import { stagesOf } from './stages-of.ts';
import { DocumentList } from './document-uploads-list.tsx';
import type { Draft } from './draft.ts';
import { AnswerText, shownAnswers } from './form-fields-answer.tsx';
import { todayInDubai } from './form-fields-form.ts';

interface CreateRequestReviewProps {
  service: Service;
  draft: Draft;
  onBack: () => void;
  onSent: () => void;
  onFieldErrors: (errors: Record<string, string[]>) => void;
}

function ChangeLink({ stageName, topic }: { stageName: string; topic: string }) {
  const { t } = useTranslation('forms');
  return <Link to={{ hash: `#${stageName}` }} state={{ returnTo: 'review' }} className="link inline-flex min-h-11 items-center font-medium">{t('review.change')}<span className="sr-only">: {topic}</span></Link>;
}

/** Everything once more before it is sent, with a way back to each part. */
export function CreateRequestReview({ service, draft, onBack, onSent, onFieldErrors }: CreateRequestReviewProps) {
  const { t } = useTranslation(['forms', 'errors']);
  const { language } = useLanguage();
  const { money } = useFormat();
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const { isSending, problem, sendRequest } = useSending({ service, onSent, onFieldErrors });
  const { form, attachments, fees } = service;

  const sendNow = () => {
    setHasTried(true);
    if (!hasAgreed) {
      window.requestAnimationFrame(() => focusOn('TermsNotAccepted'));
      return;
    }
    void sendRequest(checkAnswers(form, draft.answers, todayInDubai()).answers, draft.documents.map((each) => each.attachmentId));
  };
  const parts = stagesOf(service).flatMap((stage): { name: string; title: string; content: ReactNode }[] => {
    if (stage.kind === 'review') return [];
    if (stage.kind === 'documents') return [{ name: stage.name, title: t('documents.title'), content: <DocumentList rules={attachments} documents={draft.documents} /> }];
    const { step } = stage;
    const items = shownAnswers(form, step, draft.answers).map(({ field, value }) => ({ label: field.title[language], value: <AnswerText field={field} value={value} /> }));
    return [{ name: stage.name, title: step.title[language], content: items.length > 0 ? <KeyValueList items={items} /> : <p className="text-ink-500">{t('review.nothingAnswered')}</p> }];
  });
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-600">{t('review.lead')}</p>
      {parts.map((part) => <Card key={part.name} title={part.title} action={<ChangeLink stageName={part.name} topic={part.title} />}>{part.content}</Card>)}
      <Card title={t('cost.title')}><CostTable quote={fees} /></Card>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('review.terms')}</h2>
        <p className="text-ink-700">{service.terms}</p>
        <Checkbox
          label={t('review.agree')} value={hasAgreed} onChange={setHasAgreed} isRequired isDisabled={isSending} name="agreeToTermsAndConditions" focusIds={['TermsNotAccepted']}
          error={hasTried && !hasAgreed ? t('validation.mustBeAccepted', { ns: 'errors' }) : undefined}
        />
      </section>
      {problem ? <SendingProblem problem={problem} /> : null}
      <StageActions onBack={isSending ? undefined : onBack} savedAt={draft.savedAt}>
        <Button size="lg" isPending={isSending} pendingLabel={t('review.sending')} onPress={sendNow}>{fees.total > 0 ? t('review.sendAndPay', { amount: money(fees.total, { short: true }) }) : t('review.send')}</Button>
      </StageActions>
    </div>
  );
}
