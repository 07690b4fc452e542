import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { RequestMessages } from '../../messages/request-messages.tsx';
import { ApplicantRequest } from '../record/applicant-request.tsx';
import { readDetailsLink } from '../data/details-link.ts';
import { RequestDetailsSkeleton } from '../record/request-details-skeleton.tsx';
import { listInterval, useRequestRecord } from '../data/requests.data.ts';
import { RequestReads } from '../record/request-reads.tsx';
import { StaffRequest } from '../staff/staff-request.tsx';

export function RequestDetailsPage() {
  const { t } = useTranslation(['requests', 'attachments']);
  const { state } = useLocation();
  const [search] = useSearchParams();
  const { requestNumber, from } = readDetailsLink(state, search);
  const { record, error, isRetrying, reload } = useRequestRecord(requestNumber, listInterval);
  const session = useSession();
  const isAdmin = hasRole(session, 'Admin');
  const isStaff = hasRole(session, 'Admin', 'Employee', 'ServiceProvider');
  const list = from ?? (isStaff ? '/requests/all' : '/requests');
  usePageTitle(record ? `${record.serviceName} ${record.requestNumber}` : t('record.title'));

  // Whatever has changed about the request may have been told.
  const messages = record ? (
    <RequestMessages
      key={`${record.version} ${record.refund?.refunded ?? 0}`}
      requestId={record.requestId}
      isStaff={isStaff}
    />
  ) : null;
  // The person, and an admin, who looks after how data is dealt with.
  const reads =
    record && (isAdmin || !isStaff) ? (
      <RequestReads requestId={record.requestId} requestNumber={record.requestNumber} />
    ) : null;
  if (record)
    return isStaff ? (
      <StaffRequest
        key={record.requestId}
        messages={
          <>
            {messages}
            {reads}
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
        reads={reads}
        record={record}
        list={list}
        reload={reload}
      />
    );
  const isMissing =
    requestNumber === undefined || (error instanceof SendError && error.status === 404);
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
          onRetry={reload}
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
