import { Files, Printer } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { RequestMessages } from '#features/messages/request-messages.tsx';
import type { ApiError } from '#lib/api/api-error.ts';
import { hasRole, mayCall, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useMediaQuery } from '#lib/browser/media.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card, FoldedCard } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonBar, Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { type RequestRecord } from '@diwan/contract/requests/requests';
import { getRequestReads } from '@diwan/contract/staff/access-log';
import { requestReadersAndProviders } from '@diwan/contract/wire/call';
import { CorrectionForm, StartCorrection } from '../corrections/correction-form.tsx';
import { readDetailsLink } from '../data/details-link.ts';
import { findLatestMessage } from '../data/latest-message.ts';
import { useRequestRecord } from '../data/requests.data.ts';
import { ProviderDocuments } from '../documents/provider-documents.tsx';
import { RequestDocuments, RequestResult } from '../documents/request-documents.tsx';
import { RequestAnswers } from '../form-fields/request-answers.tsx';
import { useLiveRequests } from '../live/live-counts.ts';
import { AccessLog } from '../record/access-log.tsx';
import { WithdrawRequest } from '../record/owner-actions.tsx';
import { PrintFrame, printFullRecord } from '../record/print-frame.tsx';
import { UnreadRequest } from '../record/reading-reason.tsx';
import { RequestHeader } from '../record/request-header.tsx';
import { isFreeOfCharge, RequestMoney } from '../record/request-money.tsx';
import { RequestStatusPanel } from '../record/request-status-panel.tsx';
import { RequestTimeline } from '../record/request-timeline.tsx';
import { isStaffListAddress, ListPane } from '../staff/list/list-pane.tsx';
import { StaffRequest } from '../staff/request/staff-request.tsx';
import { useShortcuts } from '../staff/shortcuts/use-shortcuts.ts';

/** A request; for staff, in the widest windows, beside the list from which it was opened. */
export function RequestDetailsPage() {
  const { state } = useLocation();
  const [search] = useSearchParams();
  const { requestNumber, from = '' } = readDetailsLink(state, search);
  const isWide = useMediaQuery('(min-width: 90rem)');
  const isStaff = hasRole(useSession(), ...requestReadersAndProviders);
  if (!isWide || !isStaff || !isStaffListAddress(from)) return <OpenRequest />;
  return (
    <div className="grid grid-cols-[20rem_minmax(0,1fr)] min-[100rem]:grid-cols-[21rem_minmax(0,1fr)] print:block">
      <ListPane address={from} current={requestNumber} />
      <div className="min-w-0">
        <OpenRequest />
      </div>
    </div>
  );
}

function OpenRequest() {
  const { t } = useTranslation(['requests', 'attachments']);
  const { state } = useLocation();
  const [search] = useSearchParams();
  const { requestNumber, from } = readDetailsLink(state, search);
  const { requestId, record, error, isRetrying, reload } = useRequestRecord(requestNumber);
  const session = useSession();
  useLiveRequests();
  const isStaff = hasRole(session, ...requestReadersAndProviders);
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
  // Shown to the applicant, and to an admin or auditor, who supervise the use of personal data.
  const accessLog =
    record && mayCall(session, getRequestReads) ? (
      <AccessLog
        requestId={record.requestId}
        requestNumber={record.requestNumber}
        isFolded={!isStaff}
      />
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
      requestId={requestId}
      error={error}
      list={list}
      isRetrying={isRetrying}
      onRetry={reload}
    />
  );
}

interface RecordUnavailableProps {
  isMissing: boolean;
  requestId: number | undefined;
  error: ApiError | null;
  list: string;
  isRetrying: boolean;
  onRetry: () => Promise<unknown>;
}

/** The page while the record is loading, when it does not exist or needs a reason, and after an error. */
function RecordUnavailable({
  isMissing,
  requestId,
  error,
  list,
  isRetrying,
  onRetry,
}: RecordUnavailableProps) {
  const { t } = useTranslation('requests');
  if (requestId !== undefined && error?.name === 'ReasonForReadingRequired')
    return <UnreadRequest requestId={requestId} list={list} onGiven={onRetry} />;
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
  const documents = record.attachments.filter((attachment) => !attachment.isResult);
  const requestAgainLink = (
    <LinkButton
      variant="secondary"
      to={`/requests/Create/${encodeURIComponent(record.replacedName)}`}
    >
      {t('record.again')}
    </LinkButton>
  );

  return (
    <PrintFrame
      title={record.serviceName}
      requestNumber={record.requestNumber}
      address={record.requestLink}
    >
      <div data-short-print className="page pb-8 md:pb-16 print:pb-0">
        <RequestHeader
          record={record}
          list={list}
          listName={t(isCompany ? 'mine.companyTitle' : 'mine.title')}
        />
        {isCorrecting ? (
          <CorrectionForm record={record} reload={reload} onClose={closeCorrection} />
        ) : (
          <div
            className={classNames(
              'grid grid-cols-1 gap-3 print:block lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]',
              'lg:items-start lg:gap-6',
            )}
          >
            <div className="flex flex-col gap-3 print:block lg:gap-6">
              <div ref={statusPanel} tabIndex={-1} className="rounded-lg outline-none">
                {record.statusTone === 'done' ? (
                  <RequestResult record={record} reload={reload} />
                ) : (
                  <RequestStatusPanel
                    record={record}
                    reload={reload}
                    correctAction={
                      <StartCorrection record={record} onStart={() => setIsCorrecting(true)} />
                    }
                  />
                )}
              </div>
              <Card title={t('record.story')}>
                <RequestTimeline
                  isForApplicant
                  history={record.history}
                  isLatestMessageShown={findLatestMessage(record) !== undefined}
                />
              </Card>
              {documents.length > 0 ? (
                <Card title={t('record.documents')}>
                  <RequestDocuments attachments={documents} reload={reload} />
                </Card>
              ) : null}
              <ProviderDocuments record={record} />
              <FoldedCard isInFullPrintOnly title={t('record.answers')}>
                <RequestAnswers record={record} />
              </FoldedCard>
            </div>
            <div className="flex flex-col gap-3 print:block lg:gap-4">
              <RequestMoneyCard record={record} />
              {messages}
              {accessLog}
              <div data-no-print className="flex flex-col gap-2">
                {requestAgainLink}
                <div className="flex flex-wrap justify-center gap-x-2">
                  <Button
                    variant="quiet"
                    size="sm"
                    icon={<Printer aria-hidden size={18} />}
                    onPress={() => window.print()}
                  >
                    {t('record.print')}
                  </Button>
                  <Button
                    variant="quiet"
                    size="sm"
                    icon={<Files aria-hidden size={18} />}
                    onPress={printFullRecord}
                  >
                    {t('record.printFull')}
                  </Button>
                  <WithdrawRequest record={record} reload={reload} />
                </div>
              </div>
            </div>
          </div>
        )}
      </div>
    </PrintFrame>
  );
}

/** The fees and payments: open where there is space, or where money is to be paid back. */
function RequestMoneyCard({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const isWide = useMediaQuery('(min-width: 64rem)');
  const { fees, due, refund } = record;
  const isRefundOpen = refund !== undefined && refund.refundable > refund.refunded;
  const [isShown, setIsShown] = useState(isWide || isRefundOpen);
  const paid = fees.total - due;
  const summary = isRefundOpen
    ? t('refunds.due')
    : fees.total === 0
      ? undefined
      : t(due > 0 ? 'money.isDue' : 'money.isPaid', { amount: money(due > 0 ? due : paid) });
  // One sentence is not folded: on paper its title would stand alone.
  if (isFreeOfCharge(fees))
    return (
      <Card title={t('record.money')}>
        <RequestMoney record={record} />
      </Card>
    );
  return (
    <FoldedCard
      title={t('record.money')}
      summary={summary}
      isOpenAtFirst={isShown}
      onOpen={() => setIsShown(true)}
    >
      <RequestMoney record={record} isShown={isShown} />
    </FoldedCard>
  );
}

function RequestDetailsSkeleton({ title }: { title: string }) {
  // Keys that staff press now wait for the request.
  useShortcuts({}, false);
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
