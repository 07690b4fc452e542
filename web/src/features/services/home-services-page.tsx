import { ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/account-types';
import { usePageTitle } from '../../lib/page-title.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ServiceSearchBox } from './service-search-box.tsx';
import { ServiceTiles, type Tile } from './service-tiles.tsx';
import { useAccountTypes, useAgencies, useCategories } from './services.data.ts';

function isAccountType(slug: string | undefined): slug is AccountTypeSlug {
  return slug !== undefined && slug in accountTypeIds;
}

/** The services of one account type, or of all. The tabs are the fragments `all` and `category` (specification §2). */
export function HomeServicesPage() {
  const { t } = useTranslation('services');
  const { t: shell } = useTranslation('shell');
  const { accountType } = useParams();
  const location = useLocation();
  const navigate = useNavigate();
  const accountTypeId = isAccountType(accountType) ? accountTypeIds[accountType] : undefined;
  const accountTypes = useAccountTypes();
  const categories = useCategories(accountTypeId);
  const agencies = useAgencies(accountTypeId);
  const name = accountTypes.data?.find((each) => each.accountTypeId === accountTypeId)?.accountTypeName;
  const title = accountTypeId === undefined ? t('allServices') : t('servicesOf', { accountType: name ?? '…' });
  usePageTitle(name === undefined && accountTypeId !== undefined ? undefined : title);
  useEffect(() => {
    if (accountTypeId === undefined) window.sessionStorage.removeItem('accountType');
    else window.sessionStorage.setItem('accountType', String(accountTypeId));
  }, [accountTypeId]);
  if (accountType !== undefined && accountTypeId === undefined) return <Navigate to="/home/services" replace />;
  const failed = [categories, agencies].find((query) => query.error && !query.data);
  const tabs = [
    { id: 'all', label: t('tabs.categories'), content: <ServiceTiles tiles={categories.data} filtersOf={(tile: Tile) => ({ serviceCategoryId: tile.id, accountTypeId })} /> },
    { id: 'category', label: t('tabs.agencies'), content: <ServiceTiles tiles={agencies.data} filtersOf={(tile: Tile) => ({ governmentAgencyId: tile.id, accountTypeId })} /> },
  ];
  return (
    <div className="page pb-16">
      <PageHeader title={title} lead={t('categorization')} crumbs={[{ label: shell('navigation.home'), to: '/home' }, { label: title }]} />
      <ServiceSearchBox accountTypeId={accountTypeId} onSearch={(serviceSerach) => void navigate('/services', { state: { serviceSerach, accountTypeId } })} />
      <div className="mt-8">
        {failed
          ? <ErrorState error={failed.error} title={t('listing.failed')} onRetry={failed.refetch} isRetrying={failed.isFetching} />
          : <Tabs label={t('tabs.title')} tabs={tabs} selected={location.hash === '#category' ? 'category' : 'all'} onSelect={(id) => void navigate({ hash: id }, { replace: true, preventScrollReset: true })} />}
      </div>
      {accountTypeId === undefined ? null : (
        <div className="mt-8">
          <LinkButton to="/services" state={{ accountTypeId }} variant="secondary" icon={<ArrowRight aria-hidden size={18} className="mirror" />}>{t('skip')}</LinkButton>
        </div>
      )}
    </div>
  );
}
