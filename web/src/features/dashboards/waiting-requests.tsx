import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link, type LinkProps } from '#lib/router/link.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';

const shown = 5;

/**
 * The first requests in several statuses: for staff what is due first, for applicants, from whom no
 * day is expected, the first.
 */
function useFirstRequests(statusIds: readonly number[], isApplicant: boolean) {
  const { language } = useLanguage();
  const SortBy = isApplicant ? 'sent' : 'due';
  return useQuery<RequestSummary[], ApiError>({
    queryKey: [getRequestsByStatusId.name, language, SortBy, statusIds],
    queryFn: async ({ signal }) => {
      const query = {
        StatusIds: statusIds.join(','),
        SortBy,
        sortOrder: 'asc',
        Take: shown,
      } as const;
      return (await send(getRequestsByStatusId, { query, signal })).items;
    },
    enabled: statusIds.length > 0,
    refetchInterval: 60_000,
  });
}

interface WaitingRequestsProps {
  statusCounts: RequestFigures['standing'];
  title: string;
  /** The text shown when no request waits. */
  empty: string;
  all: string;
  linkOf: (requestNumber: string) => Pick<LinkProps, 'to' | 'state'>;
  /** The due day of a request, for staff; without it the requests are those of an applicant. */
  Due?: (props: { request: RequestSummary }) => ReactNode;
}

function useColumns(
  linkOf: WaitingRequestsProps['linkOf'],
  Due: WaitingRequestsProps['Due'],
): Column<RequestSummary>[] {
  const { t } = useTranslation(['dashboards', 'staff']);
  return [
    {
      key: 'number',
      header: t('waiting.number'),
      isPrimary: true,
      cell: (request) => (
        <Link {...linkOf(request.requestNumber)} className="row-link link">
          <Reference>{request.requestNumber}</Reference>
        </Link>
      ),
    },
    ...(Due
      ? [
          {
            key: 'due',
            header: t('staff:due.title'),
            className: 'whitespace-nowrap',
            cell: (request: RequestSummary) => <Due request={request} />,
          },
        ]
      : []),
    {
      key: 'status',
      header: t('waiting.status'),
      cell: (request) => <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag>,
    },
    {
      key: 'service',
      header: t('waiting.service'),
      cell: (request) => (
        <>
          <span className="block font-medium">{request.serviceName}</span>
          <span className="block text-ink-500">{request.governmentAgency.name}</span>
        </>
      ),
    },
    ...(Due
      ? [
          {
            key: 'applicant',
            header: t('waiting.applicant'),
            cell: (request: RequestSummary) => <bdi>{request.applicantName}</bdi>,
          },
        ]
      : []),
    {
      key: 'since',
      header: t('waiting.since'),
      className: 'whitespace-nowrap',
      cell: (request) => <Moment at={request.createdAt} as="relative" />,
    },
  ];
}

/** The requests that wait for the user. */
export function WaitingRequests({
  statusCounts,
  title,
  empty,
  all,
  linkOf,
  Due,
}: WaitingRequestsProps) {
  const { t } = useTranslation('dashboards');
  const statusIds = statusCounts
    .filter(({ waitsForMe, count }) => waitsForMe && count > 0)
    .map(({ statusId }) => statusId);
  const first = useFirstRequests(statusIds, Due === undefined);
  const columns = useColumns(linkOf, Due);
  return (
    <section>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 pb-3">
        <h2 className="text-lg">{title}</h2>
        <TextLink to={all}>{t('waiting.all')}</TextLink>
      </div>
      {statusIds.length === 0 || first.data?.length === 0 ? (
        <p
          data-surface
          className="rounded-lg border border-ink-100 bg-desert-50 p-4 text-ink-600 md:p-6"
        >
          {empty}
        </p>
      ) : first.data ? (
        <DataTable
          caption={title}
          columns={columns}
          rows={first.data}
          rowKey={({ requestId }) => requestId}
        />
      ) : first.error ? (
        <ErrorState error={first.error} onRetry={first.refetch} isRetrying={first.isRefetching} />
      ) : (
        <SkeletonRows count={3} />
      )}
    </section>
  );
}
