import { Link, type LinkProps } from '../../lib/router/link.tsx';
import { useQuery } from '@tanstack/react-query';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import type { ApiError } from '../../lib/api/api-error.ts';
import { send } from '../../lib/api/send.ts';
import { DataTable, type Column } from '../../ui/data/data-table.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { Reference } from '../../ui/values/reference.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { StatusTag } from '../../ui/values/status-tag.tsx';
import { TextLink } from '../../ui/actions/links.tsx';

const shown = 5;

/**
 * The oldest requests in several statuses. The call accepts one status, so it is called for each.
 */
function useOldestRequests(statusIds: readonly number[], isEnabled: boolean) {
  const { language } = useLanguage();
  return useQuery<RequestSummary[], ApiError>({
    queryKey: [getRequestsByStatusId.name, language, 'oldest', statusIds],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        statusIds.map((StatusId) =>
          send(getRequestsByStatusId, {
            query: { StatusId, sortOrder: 'asc', Take: shown },
            signal,
          }),
        ),
      );
      return lists
        .flatMap(({ items }) => items)
        .sort(
          (one, other) =>
            one.createdAt.localeCompare(other.createdAt) || one.requestId - other.requestId,
        )
        .slice(0, shown);
    },
    enabled: isEnabled,
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
  isApplicant?: boolean;
}

function useColumns(
  linkOf: WaitingRequestsProps['linkOf'],
  isApplicant: boolean,
): Column<RequestSummary>[] {
  const { t } = useTranslation('dashboards');
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
    ...(isApplicant
      ? []
      : [
          {
            key: 'applicant',
            header: t('waiting.applicant'),
            cell: (request: RequestSummary) => <bdi>{request.applicantName}</bdi>,
          },
        ]),
    {
      key: 'since',
      header: t('waiting.since'),
      cell: (request) => <Moment at={request.createdAt} as="relative" />,
    },
  ];
}

/** The requests that wait for the user, oldest first. */
export function WaitingRequests({
  statusCounts,
  title,
  empty,
  all,
  linkOf,
  isApplicant = false,
}: WaitingRequestsProps) {
  const { t } = useTranslation('dashboards');
  const statusIds = statusCounts
    .filter(({ waitsForMe, count }) => waitsForMe && count > 0)
    .map(({ statusId }) => statusId);
  const oldest = useOldestRequests(statusIds, statusIds.length > 0);
  const columns = useColumns(linkOf, isApplicant);
  return (
    <section>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 pb-3">
        <h2 className="text-lg">{title}</h2>
        <TextLink to={all}>{t('waiting.all')}</TextLink>
      </div>
      {statusIds.length === 0 || oldest.data?.length === 0 ? (
        <p
          data-surface
          className="rounded-lg border border-ink-100 bg-desert-50 p-4 text-ink-600 md:p-6"
        >
          {empty}
        </p>
      ) : oldest.data ? (
        <DataTable
          caption={title}
          columns={columns}
          rows={oldest.data}
          rowKey={({ requestId }) => requestId}
        />
      ) : oldest.error ? (
        <ErrorState
          error={oldest.error}
          onRetry={oldest.refetch}
          isRetrying={oldest.isRefetching}
        />
      ) : (
        <SkeletonRows count={3} />
      )}
    </section>
  );
}
