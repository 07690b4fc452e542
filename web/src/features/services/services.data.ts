import { useCall } from '#lib/api/use-call.ts';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import {
  getAllGovernmentAgenciesByAccountType,
  getAllGovernmentAgenciesWithServices,
  governmentAgencyCollectionByServiceCategory,
} from '@diwan/contract/catalogue/agencies';
import {
  getAllServiceCategoryByAccountType,
  getAllServicesCategoriesWithServices,
} from '@diwan/contract/catalogue/categories';
import { getServices, servicesPageSize, serviceSearch } from '@diwan/contract/catalogue/services';
import type { ServiceFilters } from './service-filters.ts';

/** The catalogue changes rarely; it is loaded again after five minutes. */
export const staleTime = 300_000;

// The server ignores longer texts, and addresses have a length limit.
const maximumTextLength = 400;

export function useAccountTypes(enabled = true) {
  return useCall(getAllAccountTypes, { staleTime, enabled });
}

export function useCategories(accountTypeId: number | undefined, enabled = true) {
  const all = useCall(getAllServicesCategoriesWithServices, {
    staleTime,
    enabled: enabled && accountTypeId === undefined,
  });
  const some = useCall(getAllServiceCategoryByAccountType, {
    query: { AccountTypeId: accountTypeId },
    staleTime,
    enabled: enabled && accountTypeId !== undefined,
  });
  return accountTypeId === undefined ? all : some;
}

export function useAgencies(accountTypeId: number | undefined, enabled = true) {
  const all = useCall(getAllGovernmentAgenciesWithServices, {
    query: {},
    staleTime,
    enabled: enabled && accountTypeId === undefined,
  });
  const some = useCall(getAllGovernmentAgenciesByAccountType, {
    query: { AccountTypeId: accountTypeId },
    staleTime,
    enabled: enabled && accountTypeId !== undefined,
  });
  return accountTypeId === undefined ? all : some;
}

/**
 * The agencies with the number of services that match the filters, ignoring the selected agency.
 */
export function useMatchingAgencies({
  serviceSerach,
  serviceCategoryId,
  accountTypeId,
}: ServiceFilters) {
  const isCategoryAlone =
    serviceCategoryId !== undefined && serviceSerach === undefined && accountTypeId === undefined;
  const ofCategory = useCall(governmentAgencyCollectionByServiceCategory, {
    query: { ServiceCategoryId: serviceCategoryId },
    staleTime,
    keepPrevious: true,
    enabled: isCategoryAlone,
  });
  const matching = useCall(getAllGovernmentAgenciesWithServices, {
    query: {
      SearchKeyword: serviceSerach?.slice(0, maximumTextLength),
      ServiceCategoryId: serviceCategoryId,
      AccountTypeId: accountTypeId,
    },
    staleTime,
    keepPrevious: true,
    enabled: !isCategoryAlone,
  });
  // The agencies of the earlier filters stay until those of the category are there.
  return isCategoryAlone
    ? { data: ofCategory.data ?? matching.data, isPending: ofCategory.isPending }
    : matching;
}

const queryOf = (filters: ServiceFilters) => ({
  SearchKeyword: filters.serviceSerach?.slice(0, maximumTextLength),
  GovernmentAgencyId: filters.governmentAgencyId,
  ServiceCategoryId: filters.serviceCategoryId,
  AccountTypeId: filters.accountTypeId,
  PageNumber: filters.pageNumber ?? 1,
  PageSize: servicesPageSize,
});

export function useServices(filters: ServiceFilters) {
  return useCall(getServices, { query: queryOf(filters), staleTime, keepPrevious: true });
}

/** How many services a text finds among all; asked when `isReady`, unknown until then. */
export function useFoundCount(text: string, isReady: boolean): number | undefined {
  return useCall(getServices, {
    query: queryOf({ serviceSerach: text }),
    staleTime,
    enabled: isReady,
    skipErrorHandling: true,
  }).data?.totalCount;
}

/** A blank text has no suggestions. Source: specification §5. */
export function useServiceSuggestions(text: string, accountTypeId: number | undefined) {
  const name = text.trim().slice(0, maximumTextLength);
  return useCall(serviceSearch, {
    query: { Name: name, AccountTypeId: accountTypeId },
    staleTime,
    enabled: name !== '',
    keepPrevious: true,
    skipErrorHandling: true,
  });
}

export function usePopularServices(enabled = true) {
  return useCall(serviceSearch, { query: { Pobular: 'true' }, staleTime, enabled });
}
