import { getServices } from '@diwan/contract/catalogue/services';
import type { TestApp } from './test-app.ts';
import { wellFormedActing } from './well-formed-acting.ts';
import { wellFormedAccounts } from './well-formed-accounts.ts';
import type { WellFormed } from './well-formed-call.ts';
import { wellFormedMessages } from './well-formed-messages.ts';
import { wellFormedDrafts } from './well-formed-drafts.ts';
import { wellFormedOrganisations } from './well-formed-organisations.ts';
import { wellFormedRequests } from './well-formed-requests.ts';

const plain: WellFormed = { make: () => ({}) };
const ask = (query: Record<string, string | number>): WellFormed => ({ make: () => ({ query }) });

function wellFormedCatalogue(app: TestApp): Record<string, WellFormed> {
  const byId = ask({ serviceId: 1 });
  const byName = ask({ serviceName: 'renew-vehicle-ownership' });
  const byType = ask({ AccountTypeId: 1 });
  return {
    getLiveness: plain,
    getReadiness: plain,
    getAllAccountTypes: plain,
    getAllAccountTypesByLogo: plain,
    governmentAgencyCollection: plain,
    getAllGovernmentAgenciesWithServices: plain,
    governmentAgencyCollectionByServiceCategory: ask({ ServiceCategoryId: 1 }),
    getAllGovernmentAgenciesByAccountType: byType,
    getAllServiceCategory: plain,
    getAllServicesCategoriesWithServices: plain,
    getAllServiceCategoryByAccountType: byType,
    getServices: plain,
    serviceSearch: ask({ Name: 'visa' }),
    getService: byId,
    checkEligibility: byId,
    getServiceNameByServiceId: byId,
    getServiceByServiceName: byName,
    getServiceIdByServiceName: byName,
    getAllServicesByAccountType: byType,
    getAllServicesForUpdatingPartner: plain,
    generateDynamicSitemapFile: plain,
    // The one that fewest ask for, so that the others find theirs.
    deleteService: {
      make: async () => ({
        params: {
          serviceId:
            (await app.call(getServices, { query: { PageSize: 100 } })).body.items.at(-1)?.id ?? 0,
        },
      }),
    },
  };
}

/**
 * A well-formed call of every kind, by its name; a second one of the same name says in brackets
 * what it is about.
 */
export function wellFormedCalls(app: TestApp): Record<string, WellFormed> {
  return {
    ...wellFormedCatalogue(app),
    ...wellFormedDrafts(app),
    ...wellFormedRequests(app),
    ...wellFormedMessages(app),
    ...wellFormedAccounts(app),
    ...wellFormedActing(app),
    ...wellFormedOrganisations(app),
  };
}
