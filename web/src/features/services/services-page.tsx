import { X } from 'lucide-react';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { sanitizeForQuote } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { AnnouncementSlot } from '#ui/feedback/announcement-slot.tsx';
import { AgencyFilter } from './agency-filter.tsx';
import {
  isNarrowed as isNarrowedBy,
  listingOf,
  narrowingOf,
  readServiceFilters,
  type ServiceFilters,
} from './service-filters.ts';
import { ServiceList } from './service-list.tsx';
import { ServiceSearchBox } from './service-search-box.tsx';
import {
  useServices,
  useAccountTypes,
  useAgencies,
  useCategories,
  useFoundCount,
} from './services.data.ts';

/** The active filters, each with a button to remove it. */
function ActiveFilters({
  filters,
  onChange,
}: {
  filters: ServiceFilters;
  onChange: (filters: ServiceFilters) => void;
}) {
  const { t } = useTranslation('services');
  const categories = useCategories(undefined, filters.serviceCategoryId !== undefined).data;
  const agencies = useAgencies(undefined, filters.governmentAgencyId !== undefined).data;
  const accountTypes = useAccountTypes(filters.accountTypeId !== undefined).data;
  const chips = [
    {
      key: 'serviceSerach' as const,
      text: filters.serviceSerach && sanitizeForQuote(filters.serviceSerach),
    },
    {
      key: 'accountTypeId' as const,
      text:
        filters.accountTypeId &&
        accountTypes?.find((each) => each.accountTypeId === filters.accountTypeId)?.accountTypeName,
    },
    {
      key: 'serviceCategoryId' as const,
      text:
        filters.serviceCategoryId &&
        categories?.find((each) => each.id === filters.serviceCategoryId)?.name,
    },
    {
      key: 'governmentAgencyId' as const,
      text:
        filters.governmentAgencyId &&
        agencies?.find((each) => each.id === filters.governmentAgencyId)?.name,
    },
  ].filter((chip) => chip.text);
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t('filters.title')} className="flex max-w-full min-w-0 flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.key} className="max-w-full">
          <button
            type="button"
            aria-label={t('filters.remove', { name: chip.text })}
            onClick={() => onChange({ ...narrowingOf(filters), [chip.key]: undefined })}
            className={classNames(
              'inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border',
              'border-gold-300 bg-gold-50 ps-4 pe-3 text-sm leading-(--leading-control)',
              'font-medium text-gold-800 hover:border-gold-600 md:min-h-9',
            )}
          >
            <bdi className="truncate">{chip.text}</bdi>
            <X aria-hidden size={16} className="shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}

const hints = ['renewRegistration', 'applyForTradeLicence'] as const;

interface HintsProps {
  /** The services of the portal; unknown until they are loaded. */
  total: number | undefined;
  onSearch: (text: string) => void;
  className?: string | undefined;
}

/** The popular searches; those that are known to find nothing are not offered. */
function Hints({ total, onSearch, className }: HintsProps) {
  const { t } = useTranslation('services');
  const isReady = total !== undefined && total > 0;
  const counts = {
    renewRegistration: useFoundCount(t('hints.renewRegistration'), isReady),
    applyForTradeLicence: useFoundCount(t('hints.applyForTradeLicence'), isReady),
  };
  const useful = hints.filter((hint) => total !== 0 && counts[hint] !== 0);
  if (useful.length === 0) return null;
  return (
    <div className={classNames('flex flex-wrap items-center gap-x-4 gap-y-1 text-sm', className)}>
      <span className="text-ink-600">{t('hints.title')}</span>
      {useful.map((hint) => (
        <button
          key={hint}
          type="button"
          onClick={() => onSearch(t(`hints.${hint}`))}
          className="link min-h-9 py-1 font-medium"
        >
          {t(`hints.${hint}`)}
        </button>
      ))}
    </div>
  );
}

/**
 * The list of services. The filters are in the navigation state, so that back, forward and reload
 * keep them.
 */
export function ServicesPage() {
  const { t } = useTranslation('services');
  const { t: shell } = useTranslation('shell');
  const home = useHomeAddress();
  const location = useLocation();
  const navigate = useNavigate();
  const filters = readServiceFilters(location.state, location.search);
  const total = useServices({}).data?.totalCount;
  const narrowing = narrowingOf(filters);
  const isNarrowed = isNarrowedBy(filters);
  // After a search a phone begins with the box and the results: the hints are below them.
  const besideResults = isNarrowed ? 'max-md:hidden' : undefined;
  usePageTitle(t('title'));
  // Changing a filter keeps the scroll position.
  const show = (next: ServiceFilters) => {
    const { to, state } = listingOf(next);
    void navigate(to, { state, preventScrollReset: true });
  };
  const search = (text: string) => show({ ...narrowing, serviceSerach: text });
  const agencyFilter = {
    filters,
    onSelect: (governmentAgencyId: number | undefined) =>
      show({ ...narrowing, governmentAgencyId }),
  };
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        crumbs={[{ label: shell('navigation.home'), to: home }, { label: t('title') }]}
        hasWholeTrail
        lead={<span className={besideResults}>{t('listing.lead')}</span>}
        action={
          <p className="font-medium text-ink-800 max-md:text-sm">
            {!total ? '\u00A0' : t('listing.total', { count: total })}
          </p>
        }
      />
      {filters.governmentAgencyId === undefined ? null : (
        <div className="pb-4 empty:hidden">
          <AnnouncementSlot agencyId={filters.governmentAgencyId} />
        </div>
      )}
      <div className={classNames('flex flex-col gap-3', isNarrowed && 'max-md:-mt-4')}>
        <ServiceSearchBox
          initial={filters.serviceSerach}
          accountTypeId={filters.accountTypeId}
          onSearch={search}
          onClear={() => {
            if (filters.serviceSerach) show({ ...narrowing, serviceSerach: undefined });
          }}
        />
        <Hints total={total} onSearch={search} className={besideResults} />
      </div>
      <div
        className={classNames(
          'mt-3 grid grid-cols-1 gap-2 md:mt-8 md:gap-8 md:grid-cols-[minmax(0,1fr)_18rem]',
          'lg:grid-cols-[minmax(0,1fr)_20rem]',
        )}
      >
        <aside className="md:hidden" aria-label={t('agencies.title')}>
          <AgencyFilter on="phone" {...agencyFilter} />
        </aside>
        <div className="flex min-w-0 flex-col gap-2 md:gap-4">
          <ActiveFilters filters={filters} onChange={show} />
          <ServiceList filters={filters} onShow={show} onSearch={search} />
          {isNarrowed ? <Hints total={total} onSearch={search} className="pt-2 md:hidden" /> : null}
        </div>
        <aside className="max-md:hidden" aria-label={t('agencies.title')}>
          <AgencyFilter on="desktop" {...agencyFilter} />
        </aside>
      </div>
    </div>
  );
}
