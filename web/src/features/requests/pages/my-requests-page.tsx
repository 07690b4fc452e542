import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ScrollRow } from '#ui/actions/scroll-row.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { FilterChips } from '#ui/search/filter-chips.tsx';
import { KeywordField } from '#ui/search/keyword-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { statusGroups, type StatusGroup } from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { detailsLink } from '../data/details-link.ts';
import { useListFilters, toRequestListQuery } from '../data/list-filters.ts';
import { requestsPageSize, useRequestList, useTotalText } from '../data/request-list.data.ts';
import { useStatuses } from '../data/requests.data.ts';
import { findExpectedStep } from '../data/status-groups.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';
import { DraftList } from '../drafts/draft-list.tsx';
import { useLiveRequests } from '../live/live-counts.ts';
import { useActorName } from '../record/actor-name.tsx';
import { ApplicantDueDate } from '../record/due-date.tsx';
import { useFigureFilters } from '../record/figure-filters.ts';

export function MyRequestsPage() {
  const { t } = useTranslation('requests');
  const isCompany = hasRole(useSession(), 'CompanyUser');
  const title = t(isCompany ? 'mine.companyTitle' : 'mine.title');
  usePageTitle(title);
  useLiveRequests();
  const totalText = useTotalText();
  const { filters, change, clear, isFiltered } = useListFilters();
  const { keyword, page } = filters;
  const {
    data,
    // The rows of the previous query are shown while the next one is loading.
    isPlaceholderData: isStale,
    error,
    isRefetching,
    refetch,
  } = useRequestList({
    ...toRequestListQuery(filters),
    statusGroup: filters.group,
    statusId: undefined,
    statusIds: filters.statusId === undefined ? undefined : [filters.statusId],
    pageSize: requestsPageSize,
  });
  const statuses = useStatuses(filters.statusId !== undefined);
  const status = statuses.data?.find(({ statusId }) => statusId === filters.statusId);
  const figures = useFigureFilters(filters);
  const chips = status
    ? [{ text: status.statusName, without: { statusId: undefined } }, ...figures]
    : figures;
  const isLoadingDrafts = useDrafts().isLoading;
  const isNew = !isFiltered && data?.totalCount === 0;

  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        lead={t('mine.lead')}
        action={
          isNew ? null : (
            <LinkButton to="/services" variant="secondary">
              {t('mine.newRequest')}
            </LinkButton>
          )
        }
      />
      <DraftList />
      {isLoadingDrafts ? (
        // Drafts that come later would push the list down.
        <SkeletonRows count={4} />
      ) : isNew ? (
        <EmptyState
          title={t('mine.emptyTitle')}
          action={<LinkButton to="/services">{t('mine.toServices')}</LinkButton>}
        >
          {t('mine.emptyText')}
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-col gap-4 border-b border-ink-100 pb-5">
            <KeywordForm
              key={keyword}
              keyword={keyword}
              placeholder={t('listing.searchMine')}
              onSubmit={(text) => change({ keyword: text })}
            />
            <GroupChips selected={filters.group} onSelect={(group) => change({ group })} />
            {/* A dashboard leads here. */}
            <FilterChips active={chips} onChange={change} onClear={clear} />
          </div>
          <p role="status" className="min-h-[1lh] py-4 text-sm text-ink-500">
            {data ? totalText(data) : ''}
          </p>
          {error && !data ? (
            <ErrorState
              error={error}
              title={t('listing.failed')}
              safety={t('listing.safe')}
              onRetry={refetch}
              isRetrying={isRefetching}
            />
          ) : !data ? (
            <SkeletonRows count={4} />
          ) : (
            <MyRequestRows requests={data.items} isStale={isStale} onClear={clear} />
          )}
          {data ? (
            <div className="pt-8">
              <Pager
                pageNumber={page}
                pageSize={requestsPageSize}
                totalCount={data.totalCount}
                onSelect={(next) => change({ page: next })}
              />
            </div>
          ) : null}
        </>
      )}
    </div>
  );
}

interface MyRequestRowsProps {
  requests: readonly RequestSummary[];
  isStale: boolean;
  onClear: () => void;
}

function MyRequestRows({ requests, isStale, onClear }: MyRequestRowsProps) {
  const { t } = useTranslation(['requests', 'shell']);
  if (requests.length === 0)
    return (
      <EmptyState
        title={t('listing.nothingTitle')}
        action={
          <Button variant="secondary" onPress={onClear}>
            {t('shell:kit.clearFilters')}
          </Button>
        }
      >
        {t('listing.nothingText')}
      </EmptyState>
    );
  return (
    <ul
      className={classNames(
        'flex flex-col gap-4 transition-opacity duration-150',
        isStale && 'opacity-60',
      )}
      aria-busy={isStale}
    >
      {requests.map((request) => (
        <MyRequestRow key={request.requestId} request={request} />
      ))}
    </ul>
  );
}

/**
 * Searches when the user submits the form, not while typing. Use the keyword as `key`, so that the
 * field follows the address.
 */
function KeywordForm({
  keyword,
  placeholder,
  onSubmit,
}: {
  keyword: string;
  placeholder: string;
  onSubmit: (keyword: string) => void;
}) {
  const { t } = useTranslation('requests');
  const [text, setText] = useState(keyword);
  return (
    <form
      role="search"
      aria-label={t('listing.search')}
      className="flex max-w-form items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text.trim());
      }}
    >
      <KeywordField
        label={t('listing.search')}
        placeholder={placeholder}
        value={text}
        onChange={setText}
        onClear={() => onSubmit('')}
      />
    </form>
  );
}

/** The choice of a status group, as toggle buttons. */
function GroupChips({
  selected,
  onSelect,
}: {
  selected: StatusGroup | undefined;
  onSelect: (group: StatusGroup | undefined) => void;
}) {
  const { t } = useTranslation('requests');
  return (
    <ScrollRow role="group" aria-label={t('listing.groups')} className="flex gap-1.5 py-1">
      {[undefined, ...statusGroups].map((group) => (
        <button
          key={group ?? 'all'}
          type="button"
          aria-pressed={group === selected}
          onClick={() => onSelect(group)}
          className={classNames(
            'min-h-11 shrink-0 rounded-full border px-3 md:px-4 text-sm font-semibold transition-colors duration-150',
            group === selected
              ? 'border-primary bg-primary text-white'
              : 'border-ink-200 bg-white text-ink-700 hover:border-gold-600 hover:bg-gold-50',
          )}
        >
          {t(`listing.${group ?? 'all'}`)}
        </button>
      ))}
    </ScrollRow>
  );
}

/** One request of the applicant. The whole row is a link. */
function MyRequestRow({ request }: { request: RequestSummary }) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const actorName = useActorName();
  const expectedStep = findExpectedStep(request);
  const { sentBy } = request;
  return (
    <li
      data-surface
      className={classNames(
        'relative flex gap-4 rounded-lg border border-ink-100 bg-white p-4 transition-colors',
        'duration-150 hover:border-gold-600 hover:bg-desert-50 md:p-6',
      )}
    >
      <img
        src={request.governmentAgency.logo}
        alt=""
        width={48}
        height={48}
        className="size-12 shrink-0 max-md:hidden"
      />
      <div className="min-w-0 grow">
        <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag>
        <h2 className="mt-2 text-lg">
          <Link {...detailsLink(request.requestNumber)} className="row-link">
            {request.serviceName}
          </Link>
        </h2>
        <p className="text-sm text-ink-600">{request.governmentAgency.name}</p>
        <p className="flex flex-wrap gap-x-4 text-sm text-ink-500">
          <span>
            <span className="sr-only">{t('fields.number')} </span>
            <Reference>{request.requestNumber}</Reference>
          </span>
          <span>
            <span className="sr-only">{t('fields.sentOn')} </span>
            <Moment at={request.createdAt} as="date" />
          </span>
          {/* All requests in a company's list are for that company, so only the sender is named. */}
          {sentBy ? (
            <span>
              {t('actors.sentBy')}{' '}
              <span>
                {sentBy.actedFor.by === 'company' ? (
                  <bdi>{sentBy.name}</bdi>
                ) : (
                  actorName({ kind: 'employee', ...sentBy })
                )}
              </span>
            </span>
          ) : null}
        </p>
        <ApplicantDueDate request={request} isShort />
        {expectedStep ? (
          <p className="mt-3 flex items-center gap-2 font-semibold text-gold-700">
            <span>{t(`mine.expected.${expectedStep}`, { amount: money(request.due) })}</span>
            <ArrowLeft aria-hidden size={18} className="shrink-0 ltr:-scale-x-100" />
          </p>
        ) : null}
      </div>
    </li>
  );
}
