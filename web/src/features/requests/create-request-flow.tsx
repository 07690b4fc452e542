import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Service } from '@diwan/contract/services';
import { useLanguage } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import type { Session } from '../../lib/session.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { CreateRequestDocuments } from './create-request-documents.tsx';
import { CreateRequestReview } from './create-request-review.tsx';
import { isStageDone, reachableStage } from './create-request-stages.ts';
import { CreateRequestStep } from './create-request-step.tsx';
import { useDocumentUploads } from './document-uploads-state.ts';
import { useDraft } from './draft.ts';
import { stagesOf, type Stage } from './stages-of.ts';
import { todayInDubai, type AnswerValues } from './form-fields-form.ts';

type Messages = Readonly<Record<string, string>>;

/** The part of the server's messages that speaks of `answers.` or of `attachments.`, by the name after the dot. */
function messagesOf(errors: Record<string, string[]>, prefix: string): Messages {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => field.startsWith(prefix)).map(([field, messages]) => [field.slice(prefix.length).replace(/\..*$/, ''), messages.join(' ')]));
}

/** The way through the form: one stage at a time, its name in the address, so that back, forward and reload do what people expect. */
export function CreateRequestFlow({ service, session }: { service: Service; session: Session }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const { draft, change, finish } = useDraft(service.id, service.form, session);
  const uploads = useDocumentUploads({
    serviceId: service.id, rules: service.attachments, value: draft.documents,
    onChange: (update) => {
      setDocumentErrors({});
      change((before) => ({ documents: update(before.documents) }));
    },
  });
  const [answerErrors, setAnswerErrors] = useState<Messages>({});
  const [documentErrors, setDocumentErrors] = useState<Messages>({});

  const today = todayInDubai();
  const stages = stagesOf(service);
  const asked = hash.slice(1);
  const stage = reachableStage(service, asked, draft, today);
  const index = stages.findIndex((each) => each.name === stage.name);
  const titleOf = (each: Stage) => (each.kind === 'step' ? each.step.title[language] : t(`${each.kind}.title`));
  const isFromReview = (state as { returnTo?: string } | null)?.returnTo === 'review' && stage.kind !== 'review';
  usePageTitle(`${titleOf(stage)} - ${service.name}`);

  useEffect(() => {
    if (asked !== stage.name) void navigate({ hash: `#${stage.name}` }, { replace: true });
  }, [asked, stage.name, navigate]);

  const open = (name: string) => void navigate({ hash: `#${name}` });
  const goOn = () => open((isFromReview ? undefined : stages[index + 1]?.name) ?? 'review');
  const before = stages[index - 1];
  const goBack = () => (before ? open(before.name) : void navigate(pathname));
  const pass = (answers: AnswerValues = {}) => change((before) => ({ answers: { ...before.answers, ...answers }, passed: [...new Set([...before.passed, stage.name])] }));

  const keepAnswers = (values: AnswerValues) => {
    setAnswerErrors((errors) => Object.fromEntries(Object.entries(errors).filter(([name]) => draft.answers[name] === values[name])));
    change((before) => ({ answers: { ...before.answers, ...values } }));
  };
  const showServerErrors = (errors: Record<string, string[]>) => {
    const answers = messagesOf(errors, 'answers.');
    const documents = messagesOf(errors, 'attachments.');
    setAnswerErrors(answers);
    setDocumentErrors(documents);
    const wrong = stages.find((each) => (each.kind === 'step' ? each.step.fields.some((field) => answers[field.name]) : each.kind === 'documents' && Object.keys(documents).length > 0));
    if (wrong) void navigate({ hash: `#${wrong.name}` }, { state: { returnTo: 'review' } });
  };

  const common = { savedAt: draft.savedAt, isFromReview, onBack: goBack };
  return (
    <div className="page pt-4 pb-16 md:pt-6">
      <Breadcrumbs crumbs={[{ label: t('crumbs.services'), to: '/services' }, { label: service.name, to: pathname }, { label: t('crumbs.request') }]} />
      <div className="mt-4 grid gap-6 md:mt-8 md:grid-cols-[220px_minmax(0,680px)] md:gap-16">
        <div className="md:sticky md:top-8 md:self-start">
          <Stepper label={t('steps')} current={stage.name} steps={stages.map((each) => ({ name: each.name, title: titleOf(each), isDone: isStageDone(service, each, draft, today), onSelect: reachableStage(service, each.name, draft, today).name === each.name ? () => open(each.name) : undefined }))} />
        </div>
        <div className="min-w-0">
          <p className="text-sm text-ink-500">{service.name}</p>
          <h1 className="mt-1 mb-4 text-2xl">{titleOf(stage)}</h1>
          {stage.kind === 'step' ? (
            <CreateRequestStep
              key={stage.name} {...common} form={service.form} step={stage.step} stepIndex={stage.stepIndex} answers={draft.answers} serverErrors={answerErrors} onAnswers={keepAnswers}
              onDone={(cleaned) => { pass(cleaned); goOn(); }}
            />
          ) : null}
          {stage.kind === 'documents' ? <CreateRequestDocuments {...common} rules={service.attachments} uploads={uploads} serverErrors={documentErrors} onDone={() => { pass(); goOn(); }} /> : null}
          {stage.kind === 'review' ? <CreateRequestReview service={service} draft={draft} onBack={goBack} onSent={finish} onFieldErrors={showServerErrors} /> : null}
        </div>
      </div>
    </div>
  );
}
