import { ArrowRight } from 'lucide-react';
import { Fragment, useEffect } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { removeItem, storeItem } from '#lib/browser/storage.ts';
import { loadNamespaces, useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLoadedComponent } from '#lib/page/lazy-component.ts';
import { Navigate } from '#lib/router/link.tsx';
import { useLocation, useNavigate, useParams } from '#lib/router/router-provider.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';
import { AllServices } from './all-services.tsx';
import { listingOf } from './service-filters.ts';
import { ServiceSearchBox } from './service-search-box.tsx';
import { ServiceTiles, type Tile } from './service-tiles.tsx';
import { useAgencies, useCategories } from './services.data.ts';

function isAccountType(slug: string | undefined): slug is AccountTypeSlug {
  return slug !== undefined && Object.hasOwn(accountTypeIds, slug);
}

/** The code and texts of what an applicant has to do; nothing for others, or without a connection. */
async function loadOwnWork(isApplicant: boolean) {
  if (!isApplicant) return Fragment;
  try {
    const [{ OwnWork }] = await Promise.all([
      import('../requests/pages/own-work.tsx'),
      loadNamespaces('requests', 'drafts'),
    ]);
    return OwnWork;
  } catch {
    return Fragment;
  }
}

/**
 * The search of a start page. Before everything that loads, so that it works immediately and stays
 * in its place.
 */
function SearchBand({ accountTypeId }: { accountTypeId?: number | undefined }) {
  const navigate = useNavigate();
  return (
    <div className="border-b border-ink-100 bg-desert-50">
      <div className="page py-4">
        <ServiceSearchBox
          accountTypeId={accountTypeId}
          onSearch={(serviceSerach) => {
            const { to, state } = listingOf({ serviceSerach, accountTypeId });
            void navigate(to, { state });
          }}
        />
      </div>
    </div>
  );
}

/** While the applicant's work is loading, the rest of the page waits too, so that nothing moves. */
function Waiting() {
  return (
    <div className="page">
      <SkeletonRows count={3} />
    </div>
  );
}

/**
 * The services of one account type, or of all. The tabs are the fragments `all` and `category`
 * (specification §2).
 */
export function HomeServicesPage() {
  const { t } = useTranslation(['services', 'pages']);
  const { t: shell } = useTranslation('shell');
  const home = useHomeAddress();
  const { accountType } = useParams();
  const location = useLocation();
  const navigate = useNavigate();
  const accountTypeId = isAccountType(accountType) ? accountTypeIds[accountType] : undefined;
  const categories = useCategories(accountTypeId);
  const agencies = useAgencies(accountTypeId);
  // The title is a separate text: languages that decline names cannot combine two texts.
  const title = isAccountType(accountType)
    ? t(`titles.${accountType}`, { ns: 'pages' })
    : t('allServices');
  usePageTitle(title);
  const session = useSession();
  // A visitor's page needs neither the code nor the texts of requests.
  const isApplicant = hasRole(session, 'Client', 'CompanyUser');
  const { component: OwnWork } = useLoadedComponent(() => loadOwnWork(isApplicant));
  useEffect(() => {
    if (accountTypeId === undefined) removeItem('session', 'accountType');
    else storeItem('session', 'accountType', String(accountTypeId));
  }, [accountTypeId]);
  if (accountType !== undefined && accountTypeId === undefined)
    return <Navigate to="/home/services" replace />;
  const Frame = OwnWork ?? (isApplicant ? Waiting : Fragment);
  const selected = location.hash === '#category' ? 'category' : 'all';
  const failed = [categories, agencies].find((query) => query.error && !query.data);
  const isEmpty = categories.data?.length === 0 && agencies.data?.length === 0;
  const tabs = [
    {
      id: 'all',
      label: t('tabs.categories'),
      content: (
        <ServiceTiles
          label={t('tabs.categories')}
          tiles={categories.data}
          filtersOf={(tile: Tile) => ({ serviceCategoryId: tile.id, accountTypeId })}
        />
      ),
    },
    {
      id: 'category',
      label: t('tabs.agencies'),
      content: (
        <ServiceTiles
          label={t('tabs.agencies')}
          tiles={agencies.data}
          filtersOf={(tile: Tile) => ({ governmentAgencyId: tile.id, accountTypeId })}
        />
      ),
    },
  ];
  return (
    <>
      <SearchBand accountTypeId={accountTypeId} />
      <div className="page">
        <PageHeader
          title={title}
          lead={t('categorization')}
          crumbs={[{ label: shell('navigation.home'), to: home }, { label: title }]}
        />
      </div>
      <Frame>
        <div className="page pb-16">
          {failed ? (
            <ErrorState
              error={failed.error}
              title={t('listing.failed')}
              onRetry={failed.refetch}
              isRetrying={failed.isFetching}
            />
          ) : isEmpty ? (
            <EmptyState title={t('noneYet.title')}>
              <p>{t('noneYet.hint')}</p>
            </EmptyState>
          ) : (
            <Tabs
              label={t('tabs.title')}
              tabs={tabs}
              selected={selected}
              onSelect={(id) => {
                if (id !== selected) void navigate({ hash: id }, { preventScrollReset: true });
              }}
            />
          )}
          {accountTypeId === undefined || isEmpty ? null : (
            <>
              <AllServices key={accountTypeId} accountTypeId={accountTypeId} />
              <div className="mt-8">
                <LinkButton
                  {...listingOf({ accountTypeId })}
                  variant="secondary"
                  endIcon={<ArrowRight aria-hidden size={18} className="mirror" />}
                >
                  {t('skip')}
                </LinkButton>
              </div>
            </>
          )}
        </div>
      </Frame>
    </>
  );
}
