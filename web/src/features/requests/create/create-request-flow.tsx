import { useEffect, useState, type ReactNode } from 'react';
import type { Session } from '#lib/api/session.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { Breadcrumbs } from '#ui/data/breadcrumbs.tsx';
import { Stepper } from '#ui/data/stepper.tsx';
import { SavedLine } from '#ui/editing/saved-line.tsx';
import type { Service } from '@diwan/contract/catalogue/services';
import type { SpecialData } from '@diwan/contract/forms/forms';
import { draftConsent } from '@diwan/contract/forms/special-data';
import { useDocumentUploads } from '../documents/use-document-uploads.ts';
import { useRestoredFocus } from '../drafts/draft-focus.ts';
import { DraftPrefill, usePrefill } from '../drafts/draft-prefill.tsx';
import { loadSuggestions, withSuggestions } from '../drafts/draft-server.ts';
import { storeSending } from '../drafts/draft-storage.ts';
import { DraftConflicts, FormChanges, DraftSent, DraftSkeleton } from '../drafts/draft-updates.tsx';
import { emptyDraft, type Draft } from '../drafts/draft.ts';
import { useDraftView, useCurrentDraft, type CurrentDraft } from '../drafts/use-current-draft.ts';
import { topOf } from '../form-fields/answer-path.ts';
import { FormDocuments, rulesApart } from '../form-fields/form-documents.ts';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import { SpecialGate } from '../special-data/special-gate.ts';
import { CreateRequestReview } from './create-request-review.tsx';
import { CreateRequestDocuments, CreateRequestStep } from './create-request-stage.tsx';
import {
  isStageDone,
  knownStages,
  reachableStage,
  stagesOf,
  type Stage,
} from './create-request-stages.ts';
import { ServiceClosed } from './service-closed.tsx';

type Messages = Readonly<Record<string, string>>;

/** The server's messages about a form: by the path of the answer, and by the document's rule. */
interface FormErrors {
  answers: Messages;
  documents: Messages;
}

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

/** The first stage with an answer or a document that the server refuses. */
function findWrongStage(stages: readonly Stage[], { answers, documents }: FormErrors) {
  const isWrong = ({ name, attachment }: { name: string; attachment?: string | undefined }) =>
    Object.keys(answers).some((path) => topOf(path) === name) ||
    (attachment !== undefined && documents[attachment] !== undefined);
  return stages.find((stage) =>
    stage.kind === 'step'
      ? stage.step.fields.some(isWrong)
      : stage.kind === 'documents' && Object.keys(documents).length > 0,
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
    const known = knownStages(service, content, suggestions.fields, serverToday());
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
      <DraftSkeleton />
    </div>
  );
}

/** The stages for these answers, and the one that is shown: its name is in the address. */
function useStages(service: Service, draft: Draft) {
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const stages = stagesOf(service, draft.answers);
  const stage = reachableStage(service, hash.slice(1), draft, serverToday());
  const index = stages.findIndex((each) => each.name === stage.name);
  const before = stages[index - 1];
  const returnsToReview = (state as { returnTo?: string } | null)?.returnTo === 'review';
  const isFromReview = returnsToReview && stage.kind !== 'review';
  const goTo = (name: string) => void navigate({ hash: `#${name}` });
  return {
    stages,
    stage,
    index,
    /** The user came to change something, and goes back to the review. */
    isFromReview,
    goTo,
    goToCorrect: (name: string) =>
      void navigate({ hash: `#${name}` }, { state: { returnTo: 'review' } }),
    goOn: () => goTo((isFromReview ? undefined : stages[index + 1]?.name) ?? 'review'),
    goBack: () => (before ? goTo(before.name) : void navigate(pathname)),
  };
}

/** Names the shown stage in the address, where that names another one. */
function useStageInAddress({ name }: Stage): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const requested = hash.slice(1);
  useEffect(() => {
    if (requested !== name) void navigate({ hash: `#${name}` }, { replace: true });
  }, [requested, name, navigate]);
}

/** A new request while its form is filled in: its draft, its errors and its stages. */
function useFlow(service: Service, open: CurrentDraft) {
  const { saver, formChanges } = open;
  const view = useDraftView(open);
  const { content: draft } = view;
  const prefill = usePrefill(open);
  const [referralCode, setReferralCode] = useState('');
  const [errors, setErrors] = useState<FormErrors>({ answers: {}, documents: {} });
  const uploads = useDocumentUploads({
    serviceId: service.id,
    rules: service.attachments,
    value: draft.documents,
    onChange: (update) => {
      setErrors((before) => ({ ...before, documents: {} }));
      saver.change((before) => ({ ...before, documents: update(before.documents) }));
    },
  });
  const position = useStages(service, draft);
  const { stages, stage, goOn } = position;
  return {
    service,
    formChanges,
    saver,
    view,
    draft,
    prefill,
    referralCode,
    setReferralCode,
    errors,
    uploads,
    /** Counts how often the answers were changed from elsewhere than the fields. */
    formVersion: view.merges + prefill.fills,
    ...position,
    changeAnswers: (values: AnswerValues) => {
      setErrors(({ answers, documents }) => ({
        answers: Object.fromEntries(
          Object.entries(answers).filter(
            ([path]) => draft.answers[topOf(path)] === values[topOf(path)],
          ),
        ),
        documents,
      }));
      saver.change((before) => ({ ...before, answers: { ...before.answers, ...values } }));
    },
    /** Ends this stage; `answers` are its final ones. */
    pass: (answers: AnswerValues = {}) => {
      saver.change((before) => ({
        ...before,
        answers: { ...before.answers, ...answers },
        passed: [...new Set([...before.passed, stage.name])],
      }));
      saver.flush();
      goOn();
    },
    showServerErrors: (fieldErrors: Record<string, string[]>) => {
      const found = {
        answers: messagesOf(fieldErrors, 'answers.'),
        documents: messagesOf(fieldErrors, 'attachments.'),
      };
      setErrors(found);
      const wrong = findWrongStage(stages, found);
      if (wrong) position.goToCorrect(wrong.name);
    },
  };
}
type Flow = ReturnType<typeof useFlow>;

function useStageTitle(): (stage: Stage) => string {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  return (stage) => (stage.kind === 'step' ? stage.step.title[language] : t(`${stage.kind}.title`));
}

interface OpenFlowProps {
  service: Service;
  open: CurrentDraft;
  onSending: (isSending: boolean) => void;
  onStartOver: () => void;
}

/** Shows one stage at a time. Its name is in the address, so that back, forward and reload work. */
function OpenFlow({ service, open, onSending, onStartOver }: OpenFlowProps) {
  const { t } = useTranslation('drafts');
  const flow = useFlow(service, open);
  const { saver, view, stage, errors, uploads } = flow;
  const { heading, remember } = useRestoredFocus(flow.formVersion);
  const titleOf = useStageTitle();
  const title = view.state === 'sent' ? t('sent.title') : titleOf(stage);
  usePageTitle(`${title} - ${service.name}`);
  useStageInAddress(stage);
  if (view.state === 'sent')
    return (
      <FlowPage service={service}>
        <DraftSent serviceName={service.name} onStartOver={onStartOver} />
      </FlowPage>
    );
  return (
    <FlowPage service={service}>
      <div className="mt-4 grid gap-6 md:mt-8 md:grid-cols-[220px_minmax(0,680px)] md:gap-16">
        <div className="md:sticky md:top-8 md:self-start">
          <FlowStepper flow={flow} />
        </div>
        <div className="min-w-0" onBlur={() => saver.flush()} onFocus={remember}>
          <p className="text-sm text-ink-500 max-md:hidden">{service.name}</p>
          <h1 ref={heading} tabIndex={-1} className="mt-1 mb-4 text-2xl outline-none">
            {title}
          </h1>
          <FormDocuments
            value={{
              serviceId: service.id,
              rules: service.attachments,
              uploads,
              errors: errors.documents,
            }}
          >
            <div className="mb-6 empty:hidden">
              <ServiceClosed closure={service.closure} isLive />
            </div>
            <FormChanges changes={flow.formChanges} />
            <SpecialGate value={specialGateOf(flow)}>
              {stage.kind === 'step' ? <StepStage flow={flow} stage={stage} /> : null}
              {stage.kind === 'documents' ? <DocumentsStage flow={flow} /> : null}
              {stage.kind === 'review' ? <ReviewStage flow={flow} onSending={onSending} /> : null}
            </SpecialGate>
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
    </FlowPage>
  );
}

// The draft holds the consent, so that nobody is asked twice.
const specialGateOf = ({ service, draft, saver }: Flow) => ({
  agency: service.governmentAgency.name,
  rules: service.attachments,
  hasConsented: (kind: SpecialData) => draft.passed.includes(draftConsent(kind)),
  consent: (kinds: readonly SpecialData[]) =>
    saver.change((before) => ({
      ...before,
      passed: [...new Set([...before.passed, ...kinds.map(draftConsent)])],
    })),
});

function FlowPage({ service, children }: { service: Service; children: ReactNode }) {
  const { t } = useTranslation('forms');
  const { pathname } = useLocation();
  return (
    <div className="page pt-4 pb-16 md:pt-6">
      <Breadcrumbs
        crumbs={[
          { label: t('crumbs.services'), to: '/services' },
          { label: service.name, to: pathname },
          { label: t('crumbs.request') },
        ]}
      />
      {children}
    </div>
  );
}

/** The list of the stages; those that can be reached are buttons. */
function FlowStepper({ flow: { service, draft, stages, stage, goTo } }: { flow: Flow }) {
  const { t } = useTranslation('forms');
  const titleOf = useStageTitle();
  const today = serverToday();
  return (
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
  );
}

interface StepStageProps {
  flow: Flow;
  stage: Extract<Stage, { kind: 'step' }>;
}

/** A step of the form, with what was filled in for it and for the known steps before it. */
function StepStage({ flow, stage }: StepStageProps) {
  const { service, view, draft, prefill, errors, index } = flow;
  const known = knownStages(service, draft, prefill.suggestions.fields, serverToday());
  const isFirstAsked = index === known.length;
  return (
    <div className="flex flex-col gap-6">
      <DraftPrefill
        serviceId={service.id}
        steps={[
          ...(isFirstAsked
            ? known.flatMap((each) => (each.kind === 'step' ? [each.step] : []))
            : []),
          stage.step,
        ]}
        isFirst={index === 0 || isFirstAsked}
        answers={draft.answers}
        suggestions={prefill.suggestions}
        onSuggestions={prefill.apply}
      />
      <CreateRequestStep
        key={`${stage.name} ${flow.formVersion}`}
        saved={<SavedLine view={view} />}
        isFromReview={flow.isFromReview}
        onBack={flow.goBack}
        form={service.form}
        step={stage.step}
        stepIndex={stage.stepIndex}
        answers={draft.answers}
        serverErrors={{
          ...(view.problem ? messagesOf(view.problem.fieldErrors, 'answers.') : {}),
          ...errors.answers,
        }}
        onAnswers={flow.changeAnswers}
        onDone={flow.pass}
      />
    </div>
  );
}

function DocumentsStage({ flow }: { flow: Flow }) {
  const { service, view, uploads, errors } = flow;
  return (
    <CreateRequestDocuments
      saved={<SavedLine view={view} />}
      isFromReview={flow.isFromReview}
      onBack={flow.goBack}
      rules={rulesApart(service.form, service.attachments)}
      uploads={uploads}
      serverErrors={errors.documents}
      onDone={flow.pass}
    />
  );
}

interface ReviewStageProps {
  flow: Flow;
  onSending: (isSending: boolean) => void;
}

function ReviewStage({ flow, onSending }: ReviewStageProps) {
  const { service, saver, view, draft } = flow;
  return (
    <CreateRequestReview
      service={service}
      draft={draft}
      draftId={view.saved.draftId}
      referralCode={flow.referralCode}
      onReferralCode={flow.setReferralCode}
      saved={<SavedLine view={view} />}
      onBack={flow.goBack}
      onSending={onSending}
      onSent={() => saver.finish()}
      onFieldErrors={flow.showServerErrors}
    />
  );
}
