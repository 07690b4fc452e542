import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { focusOn, focusSoon } from '#lib/browser/focus-on.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import type { Service } from '@diwan/contract/catalogue/services';
import { checkAnswers, listRequiredDocuments } from '@diwan/contract/forms/check-answers';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';
import {
  draftConsent,
  kindsOf,
  listSpecialData,
  type SpecialItem,
} from '@diwan/contract/forms/special-data';
import { UploadedDocumentList } from '../documents/uploaded-document-list.tsx';
import type { UploadedDocument } from '../documents/uploaded-documents.ts';
import { useLoadedPictures } from '../documents/use-document-uploads.ts';
import type { Draft } from '../drafts/draft.ts';
import { rulesApart, useFormDocuments } from '../form-fields/form-documents.ts';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import { shownAnswers, StepAnswers } from '../form-fields/step-answers.tsx';
import type { FormStep } from '../form-fields/use-answers-form.ts';
import { SpecialConsent } from '../special-data/special-consent.tsx';
import { CostTable } from './create-request-cost.tsx';
import { ReferralBox, useReferral } from './create-request-referral.tsx';
import { StageActions } from './create-request-stage.tsx';
import { stagesOf } from './create-request-stages.ts';
import { useCurrentFees, useSendRequest } from './create-request.data.ts';

/**
 * The reason why sending failed, and that the input is safe. Without a reply it is unknown whether
 * the request arrived.
 */
function SendErrorAlert({ problem }: { problem: ApiError }) {
  const { t } = useTranslation('forms');
  // A register of fines that gives no answer is asked before anything is stored.
  const isUnknown =
    problem.status === 0 || (problem.status >= 500 && problem.name !== 'FinesRegisterUnreachable');
  return (
    <Alert
      tone="danger"
      isLive
      title={messageOf(problem)}
      action={isUnknown ? <TextLink to="/requests">{t('review.myRequests')}</TextLink> : null}
    >
      {isUnknown ? t('review.perhapsSent') : t('review.notSent')}
    </Alert>
  );
}

interface CreateRequestReviewProps {
  service: Service;
  draft: Draft;
  draftId: string;
  /** Stored while the user returns to another stage. */
  referralCode: string;
  onReferralCode: (code: string) => void;
  saved: ReactNode;
  onBack: () => void;
  /** Called before the request is sent, and with the reply. */
  onSending: (isSending: boolean) => void;
  onSent: () => void;
  onFieldErrors: (errors: Record<string, string[]>) => void;
}

function ChangeLink({ stageName, topic }: { stageName: string; topic: string }) {
  const { t } = useTranslation('forms');
  return (
    <Link
      to={{ hash: `#${stageName}` }}
      state={{ returnTo: 'review' }}
      className="link inline-flex min-h-11 items-center font-medium"
    >
      {t('review.change')}
      <span className="sr-only">
        : <span>{topic}</span>
      </span>
    </Link>
  );
}

function showReferral(box: HTMLDetailsElement | null): void {
  if (box) box.open = true;
  focusOn('ReferralCodeNotValid');
}

// Nobody is asked again for what they consented to before the questions.
const isConsentedIn = ({ passed }: Draft, special: readonly SpecialItem[]) =>
  kindsOf(special).every((kind) => passed.includes(draftConsent(kind)));

/** The summary before submission, with a link to change each part. */
export function CreateRequestReview({
  service,
  draft,
  draftId,
  referralCode,
  onReferralCode,
  saved,
  onBack,
  onSending,
  onSent,
  onFieldErrors,
}: CreateRequestReviewProps) {
  const { t } = useTranslation('forms');
  const [hasAgreed, setHasAgreed] = useState(false);
  const [ticked, setHasConsented] = useState<boolean>();
  const [hasTried, setHasTried] = useState(false);
  const names = [...new Set(draft.documents.map(({ name }) => name))].toSorted();
  const { fees, feesProblem, refresh } = useCurrentFees(service, draft.answers, names);
  const { isSending, problem, clearProblem, sendRequest } = useSendRequest({
    serviceId: service.id,
    isFree: fees.total === 0,
    draftId,
    expectedTotal: fees.total,
    onTotalChanged: refresh,
    onSending,
    onSent,
    onFieldErrors,
  });
  const { form, attachments } = service;
  const isClosed = service.closure !== undefined;
  const [sentCode, setSentCode] = useState('');
  const hasTotalChanged = problem?.name === 'TotalHasChanged';
  const isCodeRefused = problem?.name === 'ReferralCodeNotValid';
  const referral = useReferral(referralCode, onReferralCode, isCodeRefused ? sentCode : undefined);
  const referralBox = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (problem?.name === 'ReferralCodeNotValid') showReferral(referralBox.current);
    if (problem?.name === 'TotalHasChanged') focusOn('TotalHasChanged');
    // The page has read why and until when; the error would stay when the service opens.
    if (problem?.name === 'ServiceClosed' && isClosed) {
      clearProblem();
      focusOn('ServiceClosed');
    }
  }, [problem, isClosed, clearProblem]);

  // Documents that the answers no longer require are not sent.
  const required = listRequiredDocuments(form, attachments, draft.answers)
    .filter(({ isAsked }) => isAsked)
    .map(({ rule }) => rule);
  const documents = draft.documents.filter((each) =>
    required.some((rule) => rule.name === each.name),
  );

  const { answers } = checkAnswers(form, draft.answers, serverToday());
  const held = documents.map(({ name }) => name);
  const special = listSpecialData(form, attachments, answers, held);
  const hasConsented = ticked ?? isConsentedIn(draft, special);

  const sendNow = () => {
    setHasTried(true);
    if (special.length > 0 && !hasConsented) return focusSoon('SpecialDataConsentMissing');
    if (!hasAgreed) return focusSoon('TermsNotAccepted');
    if (referral.isInvalid) return showReferral(referralBox.current);
    setSentCode(referralCode.trim());
    void sendRequest({
      answers,
      attachmentIds: documents.map((each) => each.attachmentId),
      referralCode: referralCode.trim(),
      ...(special.length > 0 ? { consentsToSpecialData: true } : {}),
    });
  };
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-600">{t('review.lead')}</p>
      <ReviewedStages
        service={service}
        answers={draft.answers}
        required={required}
        documents={documents}
      />
      <Card title={t('cost.title')}>
        <CostTable quote={fees} />
        <FeesProblem problem={feesProblem} onRetry={refresh} />
        {hasTotalChanged ? (
          <ChangedTotal
            problem={problem}
            total={fees.total}
            isSending={isSending}
            onAccept={sendNow}
          />
        ) : null}
      </Card>
      <ReferralBox ref={referralBox} referral={referral} isDisabled={isSending} />
      <SpecialConsent
        items={special}
        agency={service.governmentAgency.name}
        consent={{ hasConsented, setHasConsented, hasTried }}
        isDisabled={isSending}
      />
      <Terms
        terms={service.terms}
        hasAgreed={hasAgreed}
        onAgree={setHasAgreed}
        isDisabled={isSending}
        isMissing={hasTried && !hasAgreed}
      />
      {problem && !hasTotalChanged && (!isCodeRefused || referral.isInvalid) ? (
        <SendErrorAlert problem={problem} />
      ) : null}
      <StageActions onBack={isSending ? undefined : onBack} saved={saved}>
        <SendButton
          total={fees.total}
          isClosed={isClosed}
          isSending={isSending}
          onPress={sendNow}
        />
      </StageActions>
    </div>
  );
}

interface SendButtonProps {
  total: number;
  /** The service takes no requests now. */
  isClosed: boolean;
  isSending: boolean;
  onPress: () => void;
}

function SendButton({ total, isClosed, isSending, onPress }: SendButtonProps) {
  const { t } = useTranslation('forms');
  const { money } = useFormat();
  return (
    <Button
      size="lg"
      isPending={isSending}
      pendingLabel={t('review.sending')}
      isDisabled={isClosed}
      onPress={onPress}
    >
      {isClosed
        ? t('closed.start')
        : total > 0
          ? t('review.sendAndPay', { amount: money(total) })
          : t('review.send')}
    </Button>
  );
}

interface ReviewedStagesProps {
  service: Service;
  answers: AnswerValues;
  /** The rules of the documents that the answers require. */
  required: readonly AttachmentRule[];
  documents: readonly UploadedDocument[];
}

/** The answers and documents of each stage, with a link to change them. */
function ReviewedStages({ service, answers, required, documents }: ReviewedStagesProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { form } = service;
  const uploads = useFormDocuments()?.uploads;
  useLoadedPictures(uploads?.loadPictures, documents);
  const documentsOf = (rules: readonly AttachmentRule[]) => (
    <UploadedDocumentList
      rules={rules}
      documents={documents}
      previewOf={(attachmentId) => uploads?.pictureOf(attachmentId)?.preview}
    />
  );
  return stagesOf(service, answers).map((stage) => {
    if (stage.kind === 'review') return null;
    const title = stage.kind === 'step' ? stage.step.title[language] : t('documents.title');
    return (
      <Card
        key={stage.name}
        title={title}
        action={<ChangeLink stageName={stage.name} topic={title} />}
      >
        {stage.kind === 'step' ? (
          <ReviewedStep
            form={form}
            step={stage.step}
            answers={answers}
            required={required}
            documentsOf={documentsOf}
          />
        ) : (
          documentsOf(rulesApart(form, required))
        )}
      </Card>
    );
  });
}

interface ReviewedStepProps extends Pick<ReviewedStagesProps, 'answers' | 'required'> {
  form: ServiceForm;
  step: FormStep;
  documentsOf: (rules: readonly AttachmentRule[]) => ReactNode;
}

function ReviewedStep({ form, step, answers, required, documentsOf }: ReviewedStepProps) {
  const { t } = useTranslation('forms');
  const here = required.filter((rule) =>
    step.fields.some((field) => field.attachment === rule.name),
  );
  if (shownAnswers(form, step, answers).length === 0 && here.length === 0)
    return <p className="text-ink-500">{t('review.nothingAnswered')}</p>;
  return (
    <div className="flex flex-col gap-5">
      <StepAnswers form={form} step={step} answers={answers} />
      {here.length > 0 ? documentsOf(here) : null}
    </div>
  );
}

/** The register of fines gives no answer, so that the total is not known. */
function FeesProblem({ problem, onRetry }: { problem: ApiError | null; onRetry: () => void }) {
  const { t } = useTranslation('forms');
  if (problem?.name !== 'FinesRegisterUnreachable') return null;
  return (
    <div className="mt-4">
      <Alert
        tone="danger"
        isLive
        title={messageOf(problem)}
        action={
          <Button variant="secondary" onPress={onRetry}>
            {t('fines.tryAgain')}
          </Button>
        }
      />
    </div>
  );
}

interface ChangedTotalProps {
  problem: ApiError;
  /** The new total. */
  total: number;
  isSending: boolean;
  onAccept: () => void;
}

/** Says that the total has changed since the page was opened; the request is sent with the new one. */
function ChangedTotal({ problem, total, isSending, onAccept }: ChangedTotalProps) {
  const { t } = useTranslation('forms');
  const { money } = useFormat();
  return (
    <div data-focus-id="TotalHasChanged" tabIndex={-1} className="mt-4">
      <Alert
        tone="warning"
        isLive
        title={t('review.totalChanged')}
        action={
          <Button variant="secondary" onPress={onAccept} isPending={isSending}>
            {t('review.acceptTotal', { amount: money(total) })}
          </Button>
        }
      >
        {messageOf(problem)}
      </Alert>
    </div>
  );
}

interface TermsProps {
  terms: string;
  hasAgreed: boolean;
  onAgree: (hasAgreed: boolean) => void;
  isDisabled: boolean;
  /** The user has tried to send without having agreed. */
  isMissing: boolean;
}

function Terms({ terms, hasAgreed, onAgree, isDisabled, isMissing }: TermsProps) {
  const { t } = useTranslation(['forms', 'errors']);
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('review.terms')}</h2>
      <p className="text-ink-700">{terms}</p>
      <Checkbox
        label={t('review.agree')}
        value={hasAgreed}
        onChange={onAgree}
        isRequired
        isDisabled={isDisabled}
        name="agreeToTermsAndConditions"
        focusIds={['TermsNotAccepted']}
        error={isMissing ? t('validation.mustBeAccepted', { ns: 'errors' }) : undefined}
      />
    </section>
  );
}
