import { getAllAccountTypes } from '@diwan/contract/account-types';
import { getAllGovernmentAgenciesByAccountType, getAllGovernmentAgenciesWithServices } from '@diwan/contract/agencies';
import { getAllServiceCategoryByAccountType, getAllServicesCategoriesWithServices } from '@diwan/contract/categories';
import { getServices, servicesPageSize, serviceSearch } from '@diwan/contract/services';
import { useCall } from '../../lib/use-call.ts';
import type { ServiceFilters } from './service-filters.ts';

/** The catalogue changes rarely; it is asked for again after five minutes. */
const staleTime = 300_000;

export function useAccountTypes() {
  return useCall(getAllAccountTypes, { staleTime });
}

export function useCategories(accountTypeId: number | undefined) {
  const all = useCall(getAllServicesCategoriesWithServices, { staleTime, enabled: accountTypeId === undefined });
  const some = useCall(getAllServiceCategoryByAccountType, { query: { AccountTypeId: accountTypeId }, staleTime, enabled: accountTypeId !== undefined });
  return accountTypeId === undefined ? all : some;
}

export function useAgencies(accountTypeId: number | undefined) {
  const all = useCall(getAllGovernmentAgenciesWithServices, { staleTime, enabled: accountTypeId === undefined });
  const some = useCall(getAllGovernmentAgenciesByAccountType, { query: { AccountTypeId: accountTypeId }, staleTime, enabled: accountTypeId !== undefined });
  return accountTypeId === undefined ? all : some;
}

export function useServices(filters: ServiceFilters) {
  return useCall(getServices, {
    query: {
      SearchKeyword: filters.serviceSerach, GovernmentAgencyId: filters.governmentAgencyId, ServiceCategoryId: filters.serviceCategoryId, AccountTypeId: filters.accountTypeId,
      PageNumber: filters.pageNumber ?? 1, PageSize: servicesPageSize,
    },
    staleTime, keepPrevious: true,
  });
}

/** Blank text has no suggestions. Source: specification §5. */
export function useServiceSuggestions(name: string) {
  return useCall(serviceSearch, { query: { Name: name.trim() }, staleTime, enabled: name.trim() !== '', keepPrevious: true, skipErrorHandling: true });
}

export function usePopularServices() {
  return useCall(serviceSearch, { query: { Pobular: 'true' }, staleTime });
}
