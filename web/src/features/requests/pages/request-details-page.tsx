import { useLocation, useSearchParams } from '../../../lib/router/router-provider.tsx';
import { Printer } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { usePageTitle } from '../../../lib/page/head.ts';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { classNames } from '../../../lib/browser/class-names.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../../ui/actions/links.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { SkeletonBar, Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';
import { RequestMessages } from '../../messages/request-messages.tsx';
import { readDetailsLink } from '../data/details-link.ts';
import { useRequestRecord } from '../data/requests.data.ts';
import { AccessLog } from '../record/access-log.tsx';
import { StaffRequest } from '../staff/request/staff-request.tsx';
import { CorrectionForm, StartCorrection } from '../corrections/correction-form.tsx';
import { PrintFrame } from '../record/print-frame.tsx';
import { ProviderDocuments } from '../documents/provider-documents.tsx';
import { RequestAnswers } from '../form-fields/request-answers.tsx';
import { RequestDocuments } from '../documents/request-documents.tsx';
import { RequestHeader } from '../record/request-header.tsx';
import { RequestMoney } from '../record/request-money.tsx';
import { findLatestMessage, RequestStatusPanel } from '../record/request-status-panel.tsx';
import { RequestTimeline } from '../record/request-timeline.tsx';

export function RequestDetailsPage() {
  const { t } = useTranslation(['requests', 'attachments']);
  const { state } = useLocation();
  const [search] = useSearchParams();
  const { requestNumber, from } = readDetailsLink(state, search);
  const { record, error, isRetrying, reload } = useRequestRecord(requestNumber);
  const session = useSession();
  const isAdmin = hasRole(session, 'Admin');
  const isStaff = hasRole(session, 'Admin', 'Employee', 'ServiceProvider');
  const list = from ?? (isStaff ? '/requests/all' : '/requests');
  usePageTitle(record ? `${record.serviceName} ${record.requestNumber}` : t('record.title'));

  // Every change of the request may have sent another notification, so the list is loaded again.
  const messages = record ? (
    <RequestMessages
      key={`${record.version} ${record.refund?.refunded ?? 0}`}
      requestId={record.requestId}
      isStaff={isStaff}
    />
  ) : null;
  // Shown to the applicant, and to an admin, who supervises the use of personal data.
  const accessLog =
    record && (isAdmin || !isStaff) ? (
      <AccessLog requestId={record.requestId} requestNumber={record.requestNumber} />
    ) : null;
  if (record)
    return isStaff ? (
      <StaffRequest
        key={record.requestId}
        messages={
          <>
            {messages}
            {accessLog}
          </>
        }
        record={record}
        list={list}
        reload={reload}
      />
    ) : (
      <ApplicantRequest
        key={record.requestId}
        messages={messages}
        accessLog={accessLog}
        record={record}
        list={list}
        reload={reload}
      />
    );
  return (
    <RecordUnavailable
      isMissing={requestNumber === undefined || error?.status === 404}
      error={error}
      list={list}
      isRetrying={isRetrying}
      onRetry={reload}
    />
  );
}

interface RecordUnavailableProps {
  isMissing: boolean;
  error: ApiError | null;
  list: string;
  isRetrying: boolean;
  onRetry: () => Promise<unknown>;
}

/** The page while the record is loading, when it does not exist, and after an error. */
function RecordUnavailable({
  isMissing,
  error,
  list,
  isRetrying,
  onRetry,
}: RecordUnavailableProps) {
  const { t } = useTranslation('requests');
  return (
    <div className="page pb-16">
      {isMissing || error ? <PageHeader title={t('record.title')} /> : null}
      {isMissing ? (
        <EmptyState
          title={t('record.missingTitle')}
          action={<LinkButton to={list}>{t('record.toList')}</LinkButton>}
        >
          {t('record.missingText')}
        </EmptyState>
      ) : error ? (
        <ErrorState
          error={error}
          title={t('record.failed')}
          safety={t('record.safe')}
          onRetry={onRetry}
          isRetrying={isRetrying}
          action={
            <LinkButton variant="quiet" to={list}>
              {t('record.toList')}
            </LinkButton>
          }
        />
      ) : (
        <RequestDetailsSkeleton title={t('record.title')} />
      )}
    </div>
  );
}

interface ApplicantRequestProps {
  record: RequestRecord;
  list: string;
  /** The notifications that were sent. */
  messages: ReactNode;
  accessLog: ReactNode;
  reload: () => Promise<unknown>;
}

/** A request for the applicant. */
function ApplicantRequest({ record, list, messages, accessLog, reload }: ApplicantRequestProps) {
  const { t } = useTranslation('requests');
  const isCompany = hasRole(useSession(), 'CompanyUser');
  const [isCorrecting, setIsCorrecting] = useState(false);
  const statusPanel = useRef<HTMLDivElement>(null);
  const closeCorrection = () => {
    setIsCorrecting(false);
    // The focused element was removed with the form, so the focus moves to the status panel.
    window.requestAnimationFrame(() => statusPanel.current?.focus());
  };
  const results = record.attachments.filter((attachment) => attachment.isResult);
  const documents = record.attachments.filter((attachment) => !attachment.isResult);
  // Once the request is completed, its results come first.
  const isDone = record.statusTone === 'done';
  const resultCard =
    results.length > 0 ? (
      <Card title={t('record.results')}>
        <p className="mb-4 text-ink-600">{t('record.resultsText')}</p>
        <RequestDocuments attachments={results} reload={reload} />
      </Card>
    ) : null;
  const requestAgainLink = (
    <LinkButton
      variant="secondary"
      to={`/requests/Create/${encodeURIComponent(record.replacedName)}`}
    >
      {t('record.again')}
    </LinkButton>
  );
  const printButton = (
    <Button variant="quiet" icon={<Printer aria-hidden size={18} />} onPress={() => window.print()}>
      {t('record.print')}
    </Button>
  );

  return (
    <PrintFrame
      title={record.serviceName}
      requestNumber={record.requestNumber}
      address={record.requestLink}
    >
      <div className="page pb-16">
        <RequestHeader
          record={record}
          list={list}
          listName={t(isCompany ? 'mine.companyTitle' : 'mine.title')}
          action={
            <span data-no-print className="-me-5 max-md:hidden">
              {printButton}
            </span>
          }
        />
        {isCorrecting ? (
          <CorrectionForm record={record} reload={reload} onClose={closeCorrection} />
        ) : (
          <div
            className={classNames(
              'grid grid-cols-1 gap-6 print:block lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]',
              'lg:grid-rows-[auto_1fr] lg:items-start',
            )}
          >
            <div className="flex flex-col gap-6 print:block">
              {isDone ? resultCard : null}
              <div ref={statusPanel} tabIndex={-1} className="rounded-lg outline-none">
                <RequestStatusPanel
                  record={record}
                  correctAction={
                    <StartCorrection record={record} onStart={() => setIsCorrecting(true)} />
                  }
                />
              </div>
              {isDone ? null : resultCard}
            </div>
            {/* A phone does not show the costs of a free request, so that the timeline is near. */}
            <div
              className={classNames(
                'flex flex-col gap-6 print:block lg:col-start-2 lg:row-span-2 lg:row-start-1',
                record.fees.total === 0 && 'not-print:max-lg:hidden',
              )}
            >
              <Card title={t('record.money')}>
                <RequestMoney record={record} />
              </Card>
              <div data-no-print className="hidden flex-col lg:flex">
                {requestAgainLink}
              </div>
            </div>
            <div className="flex flex-col gap-6 print:block">
              <Card title={t('record.story')}>
                <RequestTimeline
                  isForApplicant
                  history={record.history}
                  isLatestMessageShown={findLatestMessage(record) !== undefined}
                />
              </Card>
              {messages}
              <Card title={t('record.answers')}>
                <RequestAnswers record={record} />
              </Card>
              <Card title={t('record.documents')}>
                {documents.length > 0 ? (
                  <RequestDocuments attachments={documents} reload={reload} />
                ) : (
                  <p className="text-ink-600">{t('record.noDocuments')}</p>
                )}
              </Card>
              <ProviderDocuments record={record} />
              {accessLog}
              <div data-no-print className="flex flex-col gap-3 lg:hidden">
                {requestAgainLink}
                <span className="flex flex-col md:hidden">{printButton}</span>
              </div>
            </div>
          </div>
        )}
      </div>
    </PrintFrame>
  );
}

function RequestDetailsSkeleton({ title }: { title: string }) {
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <Skeleton>
        <div className="flex items-start gap-4 pt-10 pb-8">
          <SkeletonBar className="size-14 shrink-0" />
          <div className="flex grow flex-col gap-3">
            <SkeletonBar className="h-7 w-2/3" />
            <SkeletonBar className="h-4 w-1/3" />
            <SkeletonBar className="h-8 w-40" />
          </div>
        </div>
        <div className="grid gap-6 lg:grid-cols-[2fr_1fr]">
          <div className="flex flex-col gap-6 rounded-lg border border-ink-100 p-6">
            <SkeletonBar className="h-5 w-1/3" />
            <SkeletonText lines={6} />
          </div>
          <div className="flex flex-col gap-6 rounded-lg border border-ink-100 p-6">
            <SkeletonBar className="h-5 w-1/2" />
            <SkeletonText lines={4} />
          </div>
        </div>
      </Skeleton>
    </>
  );
}
