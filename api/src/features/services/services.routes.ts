import type { Language } from '@diwan/contract/wire/languages';
import { checkEligibility } from '@diwan/contract/forms/eligibility';
import * as contract from '@diwan/contract/catalogue/services';
import type { AppContext } from '../../platform/http/context.ts';
import { localize, localizeQuote } from '../../platform/core/localize.ts';
import { serve } from '../../platform/http/serve.ts';
import { describeEligibility, judgeEligibility } from './eligibility.actions.ts';
import {
  deleteService,
  quoteOf,
  type Catalogue,
  type CatalogueService,
  type ServiceFilter,
} from './services.actions.ts';

interface FilterQuery {
  GovernmentAgencyId?: number | undefined;
  ServiceCategoryId?: number | undefined;
  AccountTypeId?: number | undefined;
}

function filterOf(query: FilterQuery): ServiceFilter {
  return {
    agencyId: query.GovernmentAgencyId,
    categoryId: query.ServiceCategoryId,
    accountTypeId: query.AccountTypeId,
  };
}

function suggestionOf(service: CatalogueService, language: Language) {
  const { agency } = service;
  return {
    id: service.id,
    name: localize(service.name, language),
    replacedName: service.replacedName,
    governmentAgency: { id: agency.id, name: localize(agency.name, language), logo: agency.logo },
  };
}

function categoryOf({ category }: CatalogueService, language: Language) {
  return { id: category.id, name: localize(category.name, language), logo: category.logo };
}

function summaryOf(service: CatalogueService, language: Language): contract.ServiceSummary {
  return {
    ...suggestionOf(service, language),
    description: localize(service.description, language),
    serviceCategory: categoryOf(service, language),
    accountTypes: [...service.accountTypeIds],
    total: quoteOf(service).total,
    workingDays: service.workingDays,
    attachmentsCount: service.attachments.length,
    ours: service.oursIn.includes(language),
  };
}

function wholeOf(
  catalogue: Catalogue,
  service: CatalogueService,
  language: Language,
): contract.Service {
  return {
    ...summaryOf(service, language),
    result: localize(service.result, language),
    steps: service.steps.map((step) => localize(step, language)),
    terms: localize(service.terms, language),
    accountTypeNames: catalogue
      .accountTypes()
      .filter(({ item }) => service.accountTypeIds.includes(item.id))
      .map(({ item }) => localize(item.name, language)),
    related: catalogue.related(service).map((other) => suggestionOf(other, language)),
    eligibility: describeEligibility(catalogue, service, language),
    form: service.form,
    attachments: service.attachments,
    fees: localizeQuote(quoteOf(service), language),
  };
}

/** The services of the catalogue: lists, suggestions, one service, and taking one out. */
export function serveServices(context: AppContext, catalogue: Catalogue): void {
  serve(
    context,
    contract.getServices,
    ({ query, language }) => {
      const services = catalogue.search(query.SearchKeyword, language, filterOf(query));
      const first = (query.PageNumber - 1) * query.PageSize;
      return {
        items: services
          .slice(first, first + query.PageSize)
          .map((service) => summaryOf(service, language)),
        pageNumber: query.PageNumber,
        totalCount: services.length,
      };
    },
    { isShared: true },
  );

  serve(
    context,
    contract.serviceSearch,
    ({ query, language }) => {
      const services =
        query.Pobular === 'true'
          ? catalogue.popular(filterOf(query))
          : catalogue.suggest(query.Name, language, filterOf(query));
      return services.map((service) => suggestionOf(service, language));
    },
    { isShared: true },
  );

  // `phoneNumber` changes nothing: a reply that depended on it would tell strangers whose number it
  // is (design §11).
  serve(
    context,
    contract.getService,
    ({ query, language }) => wholeOf(catalogue, catalogue.getService(query.serviceId), language),
    { isShared: true },
  );

  serve(context, checkEligibility, ({ caller, query }) =>
    judgeEligibility(context.database, caller, catalogue.getService(query.serviceId), new Date()),
  );

  serve(
    context,
    contract.getServiceByServiceName,
    ({ query, language }) =>
      wholeOf(catalogue, catalogue.getServiceByName(query.serviceName), language),
    { isShared: true },
  );

  serve(
    context,
    contract.getAllServicesByAccountType,
    ({ query, language }) =>
      catalogue
        .search(undefined, language, { accountTypeId: query.AccountTypeId })
        .map((service) => ({
          ...suggestionOf(service, language),
          serviceCategory: categoryOf(service, language),
        })),
    { isShared: true },
  );

  serve(context, contract.getAllServicesForUpdatingPartner, ({ language }) =>
    catalogue
      .search(undefined, language)
      .map((service) => ({ ...suggestionOf(service, language), partnerId: service.partnerId })),
  );

  serve(
    context,
    contract.getServiceIdByServiceName,
    ({ query }) => ({ serviceId: catalogue.getServiceByName(query.serviceName).id }),
    { isShared: true },
  );

  serve(
    context,
    contract.getServiceNameByServiceId,
    ({ query, language }) => {
      const service = catalogue.getService(query.serviceId);
      return { name: localize(service.name, language), replacedName: service.replacedName };
    },
    { isShared: true },
  );

  serve(context, contract.deleteService, async ({ params }) => {
    await deleteService(context.database, catalogue, params.serviceId);
    return { id: params.serviceId };
  });
}
