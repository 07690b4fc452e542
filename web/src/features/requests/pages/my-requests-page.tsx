import { useTranslation } from 'react-i18next';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { DraftList } from '../drafts/draft-list.tsx';
import { GroupChips } from '../staff/group-chips.tsx';
import { KeywordForm } from '../staff/keyword-form.tsx';
import { useListFilters, wantedOf } from '../staff/list-filters.ts';
import { MyRequestRow } from './my-request-row.tsx';
import { requestsPageSize, useRequestList } from '../data/request-list.data.ts';
import { useStatuses } from '../data/requests.data.ts';
import { statusIdsOfGroup } from '../data/status-groups.ts';

export function MyRequestsPage() {
  const { t } = useTranslation('requests');
  const isCompany = hasRole(useSession(), 'CompanyUser');
  const title = t(isCompany ? 'mine.companyTitle' : 'mine.title');
  usePageTitle(title);
  const { filters, change, clear, isFiltered } = useListFilters();
  const statuses = useStatuses();
  const statusIds =
    filters.group && statuses.data ? statusIdsOfGroup(statuses.data, filters.group) : undefined;
  const { keyword, page } = filters;
  const list = useRequestList(
    { ...wantedOf(filters), statusIds, take: requestsPageSize },
    { enabled: filters.group === undefined || statuses.data !== undefined },
  );
  const error = list.error ?? statuses.error;
  const retry = () => Promise.all([statuses.refetch(), list.refetch()]);
  const isNew = !isFiltered && list.data?.totalCount === 0;

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
      {isNew ? (
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
          </div>
          <p role="status" className="min-h-[1lh] py-4 text-sm text-ink-500">
            {list.data?.isTotalAtLeast
              ? t('listing.moreThan', { number: list.data.totalCount })
              : list.data
                ? t('listing.count', { count: list.data.totalCount })
                : ''}
          </p>
          {error && !list.data ? (
            <ErrorState
              error={error}
              title={t('listing.failed')}
              safety={t('listing.safe')}
              onRetry={retry}
              isRetrying={list.isRefetching || statuses.isRefetching}
            />
          ) : !list.data ? (
            <SkeletonRows count={4} />
          ) : list.data.items.length === 0 ? (
            <EmptyState
              title={t('listing.nothingTitle')}
              action={
                <Button variant="secondary" onPress={clear}>
                  {t('listing.clear')}
                </Button>
              }
            >
              {t('listing.nothingText')}
            </EmptyState>
          ) : (
            <ul
              className={`flex flex-col gap-4 transition-opacity duration-150 ${list.isPlaceholderData ? 'opacity-60' : ''}`}
              aria-busy={list.isPlaceholderData}
            >
              {list.data.items.map((request) => (
                <MyRequestRow key={request.requestId} request={request} />
              ))}
            </ul>
          )}
          {list.data ? (
            <div className="pt-8">
              <Pager
                pageNumber={page}
                pageSize={requestsPageSize}
                totalCount={list.data.totalCount}
                onSelect={(next) => change({ page: next })}
              />
            </div>
          ) : null}
        </>
      )}
    </div>
  );
}
