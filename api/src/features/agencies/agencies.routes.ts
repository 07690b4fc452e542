import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/agencies';
import type { Language } from '@diwan/contract/wire/languages';
import {
  listGroups,
  orderGroups,
  saveAgencyDiscounts,
  saveGroup,
} from '../services/groups/groups.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';

type CountedAgency = ReturnType<Catalogue['agencies']>[number];

function describeAgency(
  { item, servicesCount }: CountedAgency,
  language: Language,
): contract.GovernmentAgencyWithCount {
  return { id: item.id, name: localize(item.name, language), logo: item.logo, servicesCount };
}

const offersServices = ({ servicesCount }: CountedAgency) => servicesCount > 0;

/** The government agencies of the catalogue. */
export function serveAgencies(context: AppContext, catalogue: Catalogue): void {
  serve(
    context,
    contract.governmentAgencyCollection,
    ({ language }) => catalogue.agencies().map((agency) => describeAgency(agency, language)),
    { version: catalogue.version },
  );

  serve(
    context,
    contract.getAllGovernmentAgenciesWithServices,
    ({ query, language }) =>
      catalogue
        .agencies(
          { categoryId: query.ServiceCategoryId, accountTypeId: query.AccountTypeId },
          query.SearchKeyword,
          language,
        )
        .filter(offersServices)
        .map((agency) => describeAgency(agency, language)),
    { version: catalogue.version },
  );

  serve(
    context,
    contract.governmentAgencyCollectionByServiceCategory,
    ({ query, language }) =>
      catalogue
        .agencies({ categoryId: query.ServiceCategoryId })
        .filter(offersServices)
        .map((agency) => describeAgency(agency, language)),
    { version: catalogue.version },
  );

  serve(
    context,
    contract.getAllGovernmentAgenciesByAccountType,
    ({ query, language }) =>
      catalogue
        .agencies({ accountTypeId: query.AccountTypeId })
        .filter(offersServices)
        .map((agency) => describeAgency(agency, language)),
    { version: catalogue.version },
  );

  serve(context, contract.getManagedAgencies, ({ caller, language }) => {
    const scope = administeredAgencies(caller);
    return catalogue
      .agencies()
      .filter(({ item }) => coversAgency({ scope }, item.id))
      .map((agency) => describeAgency(agency, language));
  });

  const { database } = context;
  serve(context, contract.getAgencyRecords, async ({ caller }) => {
    const scope = administeredAgencies(caller);
    return (await listGroups(database, 'agencies')).filter(({ id }) => coversAgency({ scope }, id));
  });

  serve(context, contract.saveAgency, async ({ caller, body, request }) => {
    const author = { caller, address: request.ip };
    await saveGroup(database, catalogue, 'agencies', { author, change: body });
    return listGroups(database, 'agencies');
  });

  serve(context, contract.saveAgencyDiscounts, ({ caller, body, request }) =>
    saveAgencyDiscounts(database, catalogue, { caller, address: request.ip }, body),
  );

  serve(context, contract.orderAgencies, async ({ caller, body, request }) => {
    const author = { caller, address: request.ip };
    await orderGroups(database, catalogue, 'agencies', { author, ids: body.ids });
    return listGroups(database, 'agencies');
  });
}
