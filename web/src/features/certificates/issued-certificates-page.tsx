import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { detailsLink } from '#features/requests/data/details-link.ts';
import {
  CertificateStateTag,
  DownloadCertificate,
} from '#features/requests/record/request-certificate.tsx';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { KeywordField } from '#ui/search/keyword-field.tsx';
import { ServiceChoice } from '#ui/search/service-choice.tsx';
import { Reference } from '#ui/values/reference.tsx';
import {
  certificateStates,
  getCertificates,
  type ListedCertificate,
} from '@diwan/contract/content/issued-certificates';
import { pages } from '@diwan/contract/portal/pages';
import type { ReplyOf } from '@diwan/contract/wire/call';

const pageSize = 20;

/** The certificates of the applicant's own requests. */
export function MyCertificatesPage() {
  return <CertificateList isOwn />;
}

/** The certificates of all requests, for staff. */
export function IssuedCertificatesPage() {
  return <CertificateList isOwn={false} />;
}

function useColumns(from: string): Column<ListedCertificate>[] {
  const { t } = useTranslation('certificates');
  const { date } = useFormat();
  const dayOf = (day: string) => <bdi>{date(`${day}T00:00:00+04:00`)}</bdi>;
  return [
    {
      key: 'certificate',
      header: t('list.certificate'),
      isPrimary: true,
      cell: ({ requestNumber, number, title }) => (
        <span className="flex flex-col items-start gap-1">
          <Link {...detailsLink(requestNumber, from)} className="link">
            <bdi>{title}</bdi>
          </Link>
          <span className="text-sm text-ink-600">
            <Reference>{number}</Reference>
          </span>
        </span>
      ),
    },
    { key: 'service', header: t('list.service'), cell: ({ service }) => <bdi>{service}</bdi> },
    {
      key: 'state',
      header: t('labels.state'),
      cell: ({ state }) => <CertificateStateTag state={state} />,
    },
    { key: 'issued', header: t('labels.issued'), cell: ({ issuedOn }) => dayOf(issuedOn) },
    {
      key: 'validUntil',
      header: t('labels.validUntil'),
      cell: ({ validUntil }) => (validUntil ? dayOf(validUntil) : t('labels.noEnd')),
    },
    {
      key: 'download',
      header: t('list.download'),
      isControl: true,
      cell: ({ requestId, number }) => (
        <DownloadCertificate isSmall requestId={requestId} number={number} />
      ),
    },
  ];
}

function CertificateList({ isOwn }: { isOwn: boolean }) {
  const { t } = useTranslation('certificates');
  const title = t(isOwn ? 'list.ownTitle' : 'list.title');
  const filters = useSearchFilters('service', 'state');
  const { keyword, page, values } = filters;
  const state = certificateStates.find((each) => each === values.state);
  const serviceId = /^\d{1,9}$/.test(values.service) ? Number(values.service) : undefined;
  const columns = useColumns(pages[isOwn ? 'myCertificates' : 'issuedCertificates'].path);
  usePageTitle(title);
  const list = useCall(getCertificates, {
    query: {
      PageNumber: page,
      Take: pageSize,
      ...(keyword === '' ? {} : { Keyword: keyword.slice(0, 100) }),
      ...(serviceId ? { ServiceId: serviceId } : {}),
      ...(state ? { State: state } : {}),
    },
    keepPrevious: true,
  });
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <PageHeader title={title} lead={t('list.lead')} />
      {isOwn ? null : (
        <Filters
          key={keyword}
          keyword={keyword}
          serviceId={serviceId}
          state={state ?? ''}
          onChange={filters.change}
        />
      )}
      <ListContent
        list={list}
        title={title}
        emptyTitle={t(filters.isFiltered ? 'list.nothing' : isOwn ? 'list.ownEmpty' : 'list.empty')}
        emptyText={isOwn && !filters.isFiltered ? t('list.ownEmptyText') : undefined}
        columns={columns}
        page={page}
        onPage={(chosen) => filters.change({ page: chosen })}
      />
    </div>
  );
}

function ListContent({
  list: { data, error, refetch, isRefetching, isPlaceholderData },
  title,
  emptyTitle,
  emptyText,
  columns,
  page,
  onPage,
}: {
  list: UseQueryResult<ReplyOf<typeof getCertificates>, ApiError>;
  title: string;
  emptyTitle: string;
  emptyText: string | undefined;
  columns: readonly Column<ListedCertificate>[];
  page: number;
  onPage: (page: number) => void;
}) {
  const { t } = useTranslation('certificates');
  if (error && !data)
    return (
      <ErrorState
        error={error}
        title={t('list.failed')}
        onRetry={refetch}
        isRetrying={isRefetching}
      />
    );
  if (!data) return <SkeletonRows count={4} />;
  if (data.items.length === 0) return <EmptyState title={emptyTitle}>{emptyText}</EmptyState>;
  return (
    <>
      <DataTable
        caption={title}
        columns={columns}
        rows={data.items}
        rowKey={({ number }) => number}
        isStale={isPlaceholderData}
      />
      <Pager pageNumber={page} pageSize={pageSize} totalCount={data.totalCount} onSelect={onPage} />
    </>
  );
}

function Filters({
  keyword,
  serviceId,
  state,
  onChange,
}: {
  keyword: string;
  serviceId: number | undefined;
  state: string;
  onChange: (changed: {
    keyword?: string;
    service?: number | undefined;
    state?: string | undefined;
  }) => void;
}) {
  const { t } = useTranslation('certificates');
  const [text, setText] = useState(keyword);
  return (
    <div className="flex flex-col gap-4">
      <form
        role="search"
        className="flex max-w-form items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ keyword: text.trim() });
        }}
      >
        <KeywordField
          label={t('list.keyword')}
          placeholder={t('list.keyword')}
          value={text}
          onChange={setText}
          onClear={() => onChange({ keyword: '' })}
        />
      </form>
      <div className="grid max-w-form gap-4 sm:grid-cols-2">
        <ServiceChoice
          isOptional
          serviceId={serviceId}
          onChange={(service) => onChange({ service })}
        />
        <SelectField
          label={t('labels.state')}
          value={state === '' ? 'any' : state}
          onChange={(chosen) => onChange({ state: chosen === 'any' ? undefined : chosen })}
          choices={[
            { value: 'any', label: t('list.anyState') },
            ...certificateStates.map((each) => ({
              value: each,
              label: t(`certificateStates.${each}`),
            })),
          ]}
        />
      </div>
    </div>
  );
}
