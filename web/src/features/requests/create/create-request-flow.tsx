import { useEffect, useState } from 'react';
import type { Session } from '#lib/api/session.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { Breadcrumbs } from '#ui/data/breadcrumbs.tsx';
import { Stepper } from '#ui/data/stepper.tsx';
import { SavedLine } from '#ui/editing/saved-line.tsx';
import { SkeletonBar, Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import type { Service } from '@diwan/contract/catalogue/services';
import { todayInDubai } from '@diwan/contract/wire/days';
import { useDocumentUploads } from '../documents/use-document-uploads.ts';
import { useRestoredFocus } from '../drafts/draft-focus.ts';
import { DraftPrefill, usePrefill } from '../drafts/draft-prefill.tsx';
import { loadSuggestions, withSuggestions } from '../drafts/draft-server.ts';
import { storeSending } from '../drafts/draft-storage.ts';
import { DraftConflicts, FormChanges, DraftSent } from '../drafts/draft-updates.tsx';
import { emptyDraft } from '../drafts/draft.ts';
import { useDraftView, useCurrentDraft, type CurrentDraft } from '../drafts/use-current-draft.ts';
import { topOf } from '../form-fields/answer-path.ts';
import { FormDocuments, rulesApart } from '../form-fields/form-documents.ts';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import { CreateRequestReview } from './create-request-review.tsx';
import { CreateRequestDocuments, CreateRequestStep } from './create-request-stage.tsx';
import {
  isStageDone,
  knownStages,
  reachableStage,
  stagesOf,
  type Stage,
} from './create-request-stages.ts';

type Messages = Readonly<Record<string, string>>;

/**
 * Selects the server's messages whose field begins with a prefix, keyed by the rest of the field.
 */
function messagesOf(errors: Record<string, string[]>, prefix: string): Messages {
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([field]) => field.startsWith(prefix))
      .map(([field, messages]) => [field.slice(prefix.length), messages.join(' ')]),
  );
}

interface FlowProps {
  service: Service;
  session: Session;
}

/** The form of a new request, once the user's draft is loaded. */
export function CreateRequestFlow({ service, session }: FlowProps) {
  const [round, setRound] = useState(0);
  return (
    <DraftFlow
      key={round}
      service={service}
      session={session}
      onStartOver={() => {
        storeSending(service.id, session.ssid, false);
        setRound((before) => before + 1);
      }}
    />
  );
}

function DraftFlow({ service, session, onStartOver }: FlowProps & { onStartOver: () => void }) {
  const { hash } = useLocation();
  useTranslation(['forms', 'drafts', 'saving']);
  const open = useCurrentDraft({ serviceId: service.id }, session.ssid, async () => {
    const suggestions = await loadSuggestions(service.id);
    const content = withSuggestions(emptyDraft, suggestions.fields);
    const known = knownStages(service, content, suggestions.fields, todayInDubai());
    const passed = known.map(({ name }) => name);
    return {
      blank: emptyDraft,
      // A user who opens such a step by its address is asked for it.
      content: { ...content, passed: passed.includes(hash.slice(1)) ? [] : passed },
      suggestions,
    };
  });
  const onSending = (isSending: boolean) => storeSending(service.id, session.ssid, isSending);
  if (open)
    return (
      <OpenFlow service={service} open={open} onSending={onSending} onStartOver={onStartOver} />
    );
  return (
    <div className="page py-10">
      <Skeleton>
        <div className="flex max-w-form flex-col gap-6">
          <SkeletonBar className="h-9 w-4/5" />
          <SkeletonText lines={6} />
        </div>
      </Skeleton>
    </div>
  );
}

/** Shows one stage at a time. Its name is in the address, so that back, forward and reload work. */
function OpenFlow({
  service,
  open,
  onSending,
  onStartOver,
}: {
  service: Service;
  open: CurrentDraft;
  onSending: (isSending: boolean) => void;
  onStartOver: () => void;
}) {
  const { t } = useTranslation(['forms', 'drafts']);
  const { language } = useLanguage();
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const { saver, formChanges } = open;
  const view = useDraftView(open);
  const { content: draft } = view;
  const prefill = usePrefill(open);
  const [referralCode, setReferralCode] = useState('');
  const [answerErrors, setAnswerErrors] = useState<Messages>({});
  const [documentErrors, setDocumentErrors] = useState<Messages>({});
  const uploads = useDocumentUploads({
    serviceId: service.id,
    rules: service.attachments,
    value: draft.documents,
    onChange: (update) => {
      setDocumentErrors({});
      saver.change((before) => ({ ...before, documents: update(before.documents) }));
    },
  });

  const today = todayInDubai();
  const stages = stagesOf(service, draft.answers);
  const requested = hash.slice(1);
  const stage = reachableStage(service, requested, draft, today);
  const index = stages.findIndex((each) => each.name === stage.name);
  const known = knownStages(service, draft, prefill.suggestions.fields, today);
  const titleOf = (each: Stage) =>
    each.kind === 'step' ? each.step.title[language] : t(`${each.kind}.title`);
  const isFromReview =
    (state as { returnTo?: string } | null)?.returnTo === 'review' && stage.kind !== 'review';
  const formVersion = view.merges + prefill.fills;
  const { heading, remember } = useRestoredFocus(formVersion);
  const title = view.state === 'sent' ? t('sent.title', { ns: 'drafts' }) : titleOf(stage);
  usePageTitle(`${title} - ${service.name}`);

  useEffect(() => {
    if (requested !== stage.name) void navigate({ hash: `#${stage.name}` }, { replace: true });
  }, [requested, stage.name, navigate]);

  const goTo = (name: string) => void navigate({ hash: `#${name}` });
  const goOn = () => goTo((isFromReview ? undefined : stages[index + 1]?.name) ?? 'review');
  const before = stages[index - 1];
  const goBack = () => (before ? goTo(before.name) : void navigate(pathname));
  const pass = (answers: AnswerValues = {}) => {
    saver.change((before) => ({
      ...before,
      answers: { ...before.answers, ...answers },
      passed: [...new Set([...before.passed, stage.name])],
    }));
    saver.flush();
  };
  const changeAnswers = (values: AnswerValues) => {
    setAnswerErrors((errors) =>
      Object.fromEntries(
        Object.entries(errors).filter(
          ([path]) => draft.answers[topOf(path)] === values[topOf(path)],
        ),
      ),
    );
    saver.change((before) => ({ ...before, answers: { ...before.answers, ...values } }));
  };
  const showServerErrors = (errors: Record<string, string[]>) => {
    const answers = messagesOf(errors, 'answers.');
    const documents = messagesOf(errors, 'attachments.');
    setAnswerErrors(answers);
    setDocumentErrors(documents);
    const isWrong = ({ name, attachment }: { name: string; attachment?: string | undefined }) =>
      Object.keys(answers).some((path) => topOf(path) === name) ||
      (attachment !== undefined && documents[attachment] !== undefined);
    const wrong = stages.find((each) =>
      each.kind === 'step'
        ? each.step.fields.some(isWrong)
        : each.kind === 'documents' && Object.keys(documents).length > 0,
    );
    if (wrong) void navigate({ hash: `#${wrong.name}` }, { state: { returnTo: 'review' } });
  };

  const saved = <SavedLine view={view} />;
  const common = { saved, isFromReview, onBack: goBack };
  const stepErrors = {
    ...(view.problem ? messagesOf(view.problem.fieldErrors, 'answers.') : {}),
    ...answerErrors,
  };
  const crumbs = (
    <Breadcrumbs
      crumbs={[
        { label: t('crumbs.services'), to: '/services' },
        { label: service.name, to: pathname },
        { label: t('crumbs.request') },
      ]}
    />
  );
  if (view.state === 'sent')
    return (
      <div className="page pt-4 pb-16 md:pt-6">
        {crumbs}
        <DraftSent serviceName={service.name} onStartOver={onStartOver} />
      </div>
    );
  return (
    <div className="page pt-4 pb-16 md:pt-6">
      {crumbs}
      <div className="mt-4 grid gap-6 md:mt-8 md:grid-cols-[220px_minmax(0,680px)] md:gap-16">
        <div className="md:sticky md:top-8 md:self-start">
          <Stepper
            label={t('steps')}
            current={stage.name}
            steps={stages.map((each) => ({
              name: each.name,
              title: titleOf(each),
              isDone: isStageDone(service, each, draft, today),
              onSelect:
                reachableStage(service, each.name, draft, today).name === each.name
                  ? () => goTo(each.name)
                  : undefined,
            }))}
          />
        </div>
        <div className="min-w-0" onBlur={() => saver.flush()} onFocus={remember}>
          <p className="text-sm text-ink-500 max-md:hidden">{service.name}</p>
          <h1 ref={heading} tabIndex={-1} className="mt-1 mb-4 text-2xl outline-none">
            {title}
          </h1>
          <FormDocuments value={{ rules: service.attachments, uploads, errors: documentErrors }}>
            <FormChanges changes={formChanges} />
            {stage.kind === 'step' ? (
              <div className="flex flex-col gap-6">
                <DraftPrefill
                  serviceId={service.id}
                  steps={[
                    ...(index === known.length
                      ? known.flatMap((each) => (each.kind === 'step' ? [each.step] : []))
                      : []),
                    stage.step,
                  ]}
                  isFirst={index === 0 || index === known.length}
                  answers={draft.answers}
                  suggestions={prefill.suggestions}
                  onSuggestions={prefill.apply}
                />
                <CreateRequestStep
                  key={`${stage.name} ${formVersion}`}
                  {...common}
                  form={service.form}
                  step={stage.step}
                  stepIndex={stage.stepIndex}
                  answers={draft.answers}
                  serverErrors={stepErrors}
                  onAnswers={changeAnswers}
                  onDone={(cleaned) => {
                    pass(cleaned);
                    goOn();
                  }}
                />
              </div>
            ) : null}
            {stage.kind === 'documents' ? (
              <CreateRequestDocuments
                {...common}
                rules={rulesApart(service.form, service.attachments)}
                uploads={uploads}
                serverErrors={documentErrors}
                onDone={() => {
                  pass();
                  goOn();
                }}
              />
            ) : null}
            {stage.kind === 'review' ? (
              <CreateRequestReview
                service={service}
                draft={draft}
                draftId={view.saved.draftId}
                referralCode={referralCode}
                onReferralCode={setReferralCode}
                saved={saved}
                onBack={goBack}
                onSending={onSending}
                onSent={() => saver.finish()}
                onFieldErrors={showServerErrors}
              />
            ) : null}
          </FormDocuments>
        </div>
      </div>
      {view.conflicts.length > 0 ? (
        <DraftConflicts
          form={service.form}
          conflicts={view.conflicts}
          onChoose={(choose) => saver.resolve(choose)}
        />
      ) : null}
    </div>
  );
}
