import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRows, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { type OwnPartner, getOwnPartner } from '@diwan/contract/people/partners';
import { getProfile } from '@diwan/contract/people/users';
import { FigureCard } from '../reports/figure-card.tsx';
import { useFigures } from '../reports/reports.data.ts';
import { useRequestsCount } from '../requests/data/requests.data.ts';

const pageSize = 10;
type Service = OwnPartner['services'][number];

function useColumns(): Column<Service>[] {
  const { t } = useTranslation('partners');
  return [
    {
      key: 'name',
      header: t('services.name'),
      isPrimary: true,
      cell: (service) => (
        <Link to={`/requests/Create/${service.replacedName}`} className="row-link">
          {service.name}
        </Link>
      ),
    },
    {
      key: 'agency',
      header: t('services.agency'),
      cell: (service) => service.governmentAgency.name,
    },
  ];
}

/** The agencies of a partner, and its services with a search. */
function PartnerServices({ partner }: { partner: OwnPartner }) {
  const { t } = useTranslation('partners');
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const found = partner.services.filter((service) =>
    containsText(`${service.name} ${service.governmentAgency.name}`, text),
  );
  const columns = useColumns();
  return (
    <>
      <section>
        <h2 className="pb-3 text-lg">{t('agencies.title')}</h2>
        <ul className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
          {partner.agencies.map((agency) => (
            <li
              key={agency.id}
              data-surface
              className="flex items-center gap-3 rounded-lg border border-ink-100 bg-white p-4"
            >
              <img
                src={agency.logo}
                alt=""
                width={40}
                height={40}
                loading="lazy"
                className="size-10 shrink-0"
              />
              <span className="min-w-0">
                <span className="block font-medium">{agency.name}</span>
                <span className="block text-sm text-ink-600">
                  {t('agencies.count', { count: agency.servicesCount })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
          <h2 className="text-lg">{t('services.title')}</h2>
          <div className="w-full md:w-80">
            <TextField
              label={t('services.search')}
              isLabelHidden
              isOptional
              placeholder={t('services.search')}
              value={text}
              maxLength={200}
              onChange={(next) => {
                setText(next);
                setPage(1);
              }}
            />
          </div>
        </div>
        <p role="status" className="sr-only">
          {t('agencies.count', { count: found.length })}
        </p>
        {found.length > 0 ? (
          <DataTable
            caption={t('services.title')}
            columns={columns}
            rows={found.slice((page - 1) * pageSize, page * pageSize)}
            rowKey={(service) => service.id}
          />
        ) : (
          <p className="text-ink-600">{t('services.none')}</p>
        )}
        <div className="pt-6">
          <Pager
            pageNumber={page}
            pageSize={pageSize}
            totalCount={found.length}
            onSelect={setPage}
          />
        </div>
      </section>
    </>
  );
}

/** The profile of a supervisor and of their partner: services, agencies and open requests. */
export function WorkingProfilePage() {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const profile = useCall(getProfile, {});
  const partner = useCall(getOwnPartner, {});
  const open = useRequestsCount();
  const figures = useFigures();
  usePageTitle(t('profile.title'));
  const mine = figures.data?.standing
    .filter(({ waitsForMe }) => waitsForMe)
    .reduce((sum, status) => sum + status.count, 0);
  const numbers = [
    ['waiting', mine],
    ['processing', open?.processingRequestsCount],
    ['completed', figures.data?.current.completed],
    ['services', partner.data?.services.length],
  ] as const;
  const isWithoutPartner = partner.error?.status === 404;
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('profile.title')}
        lead={partner.data ? <bdi>{partner.data.name}</bdi> : undefined}
        action={
          <LinkButton to="/dashboard-supervisor" variant="secondary">
            {t('profile.toDashboard')}
          </LinkButton>
        }
      />
      <div className="flex flex-col gap-8">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Card title={t('profile.own')}>
            {profile.data ? (
              <KeyValueList
                items={[
                  { label: t('profile.name'), value: <bdi>{profile.data.fullName}</bdi> },
                  {
                    label: t('profile.username'),
                    value: <Reference isName>{profile.data.username}</Reference>,
                  },
                  {
                    label: t('profile.email'),
                    value: <EmailAddress>{profile.data.email}</EmailAddress>,
                  },
                  {
                    label: t('profile.phone'),
                    value: <Reference>{profile.data.phoneNumber}</Reference>,
                  },
                ]}
              />
            ) : profile.error ? (
              <ErrorState
                error={profile.error}
                onRetry={profile.refetch}
                isRetrying={profile.isRefetching}
              />
            ) : (
              <Skeleton>
                <SkeletonText lines={4} />
              </Skeleton>
            )}
          </Card>
          <dl className="grid grid-cols-2 gap-3 md:gap-4">
            {numbers.map(([name, value]) => (
              <FigureCard
                key={name}
                label={t(`numbers.${name}`)}
                value={value === undefined ? '…' : count(value)}
              />
            ))}
          </dl>
        </div>
        {partner.data ? (
          <PartnerServices partner={partner.data} />
        ) : isWithoutPartner ? (
          <EmptyState title={t('profile.noPartnerTitle')}>{t('profile.noPartnerText')}</EmptyState>
        ) : partner.error ? (
          <ErrorState
            error={partner.error}
            onRetry={partner.refetch}
            isRetrying={partner.isRefetching}
          />
        ) : (
          <SkeletonRows count={4} />
        )}
      </div>
    </div>
  );
}
