import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { Button } from '../../ui/actions/button.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { AgencyFilter } from './agency-filter.tsx';
import { listingOf, readServiceFilters, type ServiceFilters } from './service-filters.ts';
import { ServiceList } from './service-list.tsx';
import { ServiceSearchBox } from './service-search-box.tsx';
import { useServices } from './services.data.ts';

const hints = ['renewRegistration', 'applyForTradeLicence'] as const;

/** The filters live in the navigation state, so back, forward and reload keep them. */
export function ServicesPage() {
  const { t } = useTranslation('services');
  const { t: shell } = useTranslation('shell');
  const location = useLocation();
  const navigate = useNavigate();
  const filters = readServiceFilters(location.state, location.search);
  const total = useServices({}).data?.totalCount;
  const found = useServices(filters).data?.totalCount;
  usePageTitle(t('title'));
  // Whoever narrows the list looks at it: the page stays where it is.
  const show = (next: ServiceFilters) => {
    const { to, state } = listingOf(next);
    void navigate(to, { state, preventScrollReset: true });
  };
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        crumbs={[{ label: shell('navigation.home'), to: '/home' }, { label: t('title') }]}
        lead={t('listing.lead')}
        action={
          <p className="font-medium text-ink-800">
            {total === undefined ? '\u00A0' : t('listing.total', { count: total })}
          </p>
        }
      />
      <div className="flex flex-col gap-3">
        <ServiceSearchBox
          initial={filters.serviceSerach}
          accountTypeId={filters.accountTypeId}
          onSearch={(text) => show({ ...filters, serviceSerach: text, pageNumber: undefined })}
          onClear={() => {
            if (filters.serviceSerach)
              show({ ...filters, serviceSerach: undefined, pageNumber: undefined });
          }}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <span className="text-ink-600">{t('hints.title')}</span>
          {hints.map((hint) => (
            <button
              key={hint}
              type="button"
              onClick={() =>
                show({ ...filters, serviceSerach: t(`hints.${hint}`), pageNumber: undefined })
              }
              className="link min-h-9 py-1 font-medium"
            >
              {t(`hints.${hint}`)}
            </button>
          ))}
        </div>
      </div>
      <div className="mt-8 grid grid-cols-1 gap-8 md:grid-cols-[minmax(0,1fr)_18rem] lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4 max-md:order-2">
          <div className="flex flex-wrap items-center justify-between gap-3 empty:hidden [&>button]:ms-auto">
            <ActiveFilters filters={filters} onChange={show} />
            {found === 0 ? null : (
              <Button variant="secondary" size="sm" onPress={() => show({})}>
                {t('listing.showAll')}
              </Button>
            )}
          </div>
          <ServiceList
            filters={filters}
            onPage={(pageNumber) => show({ ...filters, pageNumber })}
            onShowAll={() => show({})}
          />
        </div>
        <aside className="max-md:order-1" aria-label={t('agencies.title')}>
          <AgencyFilter
            filters={filters}
            onSelect={(governmentAgencyId) =>
              show({ ...filters, governmentAgencyId, pageNumber: undefined })
            }
          />
        </aside>
      </div>
    </div>
  );
}
