import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency } from '#platform/auth/caller.ts';
import { localize, localizeQuote } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { joinPage, JsonBytes, SizedCache } from '#platform/http/replies/response-cache.ts';
import { serve, toJsonBytes } from '#platform/http/serve.ts';
import { checkEligibility } from '@diwan/contract/catalogue/eligibility';
import { isVariableFee } from '@diwan/contract/catalogue/fees';
import * as contract from '@diwan/contract/catalogue/services';
import type { EveryField, ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import type { CatalogueClosure, CatalogueService } from './catalogue-records.ts';
import { describeClosure } from './closures.actions.ts';
import { describeDiscounts } from './discounts.actions.ts';
import { describeEligibility, evaluateEligibility } from './eligibility.actions.ts';
import type { ServiceFilter } from './service-buckets.ts';
import { deleteService, quoteOf, type Catalogue } from './services.actions.ts';
import { selectPartnerNames } from './services.store.ts';

interface FilterQuery {
  GovernmentAgencyId?: number | undefined;
  ServiceCategoryId?: number | undefined;
  AccountTypeId?: number | undefined;
}

function toFilter(query: FilterQuery): ServiceFilter {
  return {
    agencyId: query.GovernmentAgencyId,
    categoryId: query.ServiceCategoryId,
    accountTypeId: query.AccountTypeId,
  };
}

function describeSuggestion(service: CatalogueService, language: Language) {
  const { agency } = service;
  return {
    id: service.id,
    name: localize(service.name, language),
    replacedName: service.replacedName,
    governmentAgency: { id: agency.id, name: localize(agency.name, language), logo: agency.logo },
  };
}

function describeCategory({ category }: CatalogueService, language: Language) {
  return { id: category.id, name: localize(category.name, language), logo: category.logo };
}

function describeSummary(
  service: CatalogueService,
  closure: CatalogueClosure | undefined,
  language: Language,
): EveryField<contract.ServiceSummary> {
  return {
    ...describeSuggestion(service, language),
    description: localize(service.description, language),
    serviceCategory: describeCategory(service, language),
    accountTypes: [...service.accountTypeIds],
    total: quoteOf(service).total,
    workingDays: service.workingDays,
    attachmentsCount: service.attachmentsCount,
    ours: service.unofficialTextLanguages.includes(language),
    closure: describeClosure(closure, language),
    feesVary: service.fees.some(isVariableFee) ? true : undefined,
  };
}

// To write the summary of a service for each page took most of the processor time of a list. A service
// is immutable: its summary is written again for a new snapshot, and when it closes or opens.
interface WrittenSummary {
  service: CatalogueService;
  closure: CatalogueClosure | undefined;
  json: JsonBytes;
}

// In bytes for each language, about 1,500 summaries: lists begin with popular services.
const maximumSummaries = 1_400_000;

function openSummaryWriter() {
  const inLanguage = () =>
    new LRUCache<number, WrittenSummary>({
      maxSize: maximumSummaries,
      sizeCalculation: ({ json }) => json.bytes.length,
    });
  const written: Record<Language, ReturnType<typeof inLanguage>> = {
    'ar-EG': inLanguage(),
    'en-US': inLanguage(),
    'ur-PK': inLanguage(),
  };
  return (
    reply: FastifyReply,
    { service, closure }: Pick<WrittenSummary, 'service' | 'closure'>,
    language: Language,
  ): JsonBytes => {
    const known = written[language].get(service.id);
    if (known?.service === service && known.closure === closure) return known.json;
    const described = describeSummary(service, closure, language);
    const json = toJsonBytes(reply, contract.serviceSummary, described);
    written[language].set(service.id, { service, closure, json });
    return json;
  };
}

/** What the workflow of a service lets applicants do, and how often that has changed. */
export interface OwnerActions {
  hasAction(serviceId: number, action: 'withdraw' | 'askToWithdraw' | 'object'): boolean;
  changes(): number;
}

/** How one gets out of a request for a service, and objects to its decision. */
function describeWaysOut(
  { id, withdrawal, objectionDays }: CatalogueService,
  { hasAction }: OwnerActions,
): Pick<EveryField<contract.Service>, 'withdrawal' | 'objectionDays'> {
  const canWithdraw = hasAction(id, 'withdraw') || hasAction(id, 'askToWithdraw');
  return {
    withdrawal: canWithdraw ? withdrawal : undefined,
    objectionDays: objectionDays > 0 && hasAction(id, 'object') ? objectionDays : undefined,
  };
}

async function describeService(
  catalogue: Catalogue,
  service: CatalogueService,
  { language, ownerActions }: { language: Language; ownerActions: OwnerActions },
): Promise<EveryField<contract.Service>> {
  const { form, attachments, terms, steps, result } = await catalogue.getDetails(service.id);
  return {
    ...describeSummary(service, catalogue.findClosure(service, new Date()), language),
    result: localize(result, language),
    steps: steps.map((step) => localize(step, language)),
    terms: localize(terms, language),
    accountTypeNames: catalogue
      .accountTypes()
      .filter(({ item }) => service.accountTypeIds.includes(item.id))
      .map(({ item }) => localize(item.name, language)),
    related: catalogue.related(service).map((other) => describeSuggestion(other, language)),
    eligibility: describeEligibility(catalogue, service, language),
    form,
    attachments,
    fees: localizeQuote(quoteOf(service), language),
    feeRules: service.fees.some(isVariableFee) ? [...service.fees] : undefined,
    discounts:
      service.agency.discounts.length > 0 ? describeDiscounts(service, language) : undefined,
    centres: service.agency.centres ? localize(service.agency.centres, language) : undefined,
    availableFrom: service.availableFrom,
    availableUntil: service.availableUntil,
    ...describeWaysOut(service, ownerActions),
  };
}

// The services whose replies stay in memory, in bytes.
const maximumWritten = 6_000_000;

/** Lists of services: pages, suggestions, and all of an account type or for a service provider. */
function serveServiceLists(context: AppContext, catalogue: Catalogue): void {
  const writeSummary = openSummaryWriter();

  serve(
    context,
    contract.getServices,
    ({ query, language, reply }) => {
      const found = catalogue.search(query.SearchKeyword, language, toFilter(query));
      const first = (query.PageNumber - 1) * query.PageSize;
      const at = new Date();
      const items = found
        .take(first, query.PageSize)
        .map((service) =>
          writeSummary(reply, { service, closure: catalogue.findClosure(service, at) }, language),
        );
      const rest: Omit<EveryField<ReplyOf<typeof contract.getServices>>, 'items'> = {
        pageNumber: query.PageNumber,
        totalCount: found.count,
        didYouMean: found.correction,
      };
      return joinPage(items, rest);
    },
    { version: catalogue.version },
  );

  serve(context, contract.getManagedServices, ({ query, language, caller }) => {
    const scope = administeredAgencies(caller);
    const found = catalogue.search(query.SearchKeyword, language, toFilter(query));
    const services = found
      .take(0, found.count)
      .filter(({ agency }) => coversAgency({ scope }, agency.id));
    const first = (query.PageNumber - 1) * query.PageSize;
    const at = new Date();
    return {
      items: services
        .slice(first, first + query.PageSize)
        .map((service) => describeSummary(service, catalogue.findClosure(service, at), language)),
      pageNumber: query.PageNumber,
      totalCount: services.length,
      didYouMean: services.length > 0 ? found.correction : undefined,
    };
  });

  serve(
    context,
    contract.serviceSearch,
    ({ query, language }) => {
      const services =
        query.Pobular === 'true'
          ? catalogue.popular(toFilter(query))
          : catalogue.suggest(query.Name, language, toFilter(query));
      return services.map((service) => describeSuggestion(service, language));
    },
    { version: catalogue.version },
  );

  serve(
    context,
    contract.getAllServicesByAccountType,
    ({ query, language }) =>
      catalogue.list({ accountTypeId: query.AccountTypeId }).map((service) => ({
        ...describeSuggestion(service, language),
        serviceCategory: describeCategory(service, language),
      })),
    { version: catalogue.version },
  );

  serve(context, contract.getAllServicesForUpdatingPartner, async ({ query, language, caller }) => {
    const scope = administeredAgencies(caller);
    const names = await selectPartnerNames(context.database);
    return catalogue
      .list()
      .filter(({ agency }) => coversAgency({ scope }, agency.id))
      .map((service) => {
        const { partnerId } = service;
        const name = partnerId === null ? undefined : names.get(partnerId);
        return {
          ...describeSuggestion(service, language),
          partnerId,
          partnerName: name && localize(name, language),
          isOfPartner: partnerId !== null && partnerId === query.PartnerId,
        };
      });
  });
}

/** The reply of GetServiceIdByServiceName, from the bytes of the service. */
const joinService = (serviceId: number, { bytes, hash }: JsonBytes): JsonBytes =>
  new JsonBytes(
    Buffer.concat([Buffer.from(`{"serviceId":${serviceId},"service":`), bytes, Buffer.from('}')]),
    `${hash}-named`,
  );

/** One service with its details, by id or by name. Its replies stay in memory. */
function serveServiceDetails(
  context: AppContext,
  catalogue: Catalogue,
  ownerActions: OwnerActions,
): void {
  // Above every number that the version of a catalogue reaches, within 53 bits with its fraction.
  const version = () => catalogue.version() + (ownerActions.changes() % 8192) * 2 ** 23;
  const written = new SizedCache<string, JsonBytes>(maximumWritten, ({ bytes }) => bytes.length);
  const writeService = async (
    service: CatalogueService,
    { language, reply }: { language: Language; reply: FastifyReply },
  ) => {
    const key = `${version()} ${service.id} ${language}`;
    const known = written.get(key);
    if (known) return known;
    const described = await describeService(catalogue, service, { language, ownerActions });
    const made = toJsonBytes(reply, contract.service, described);
    written.set(key, made);
    return made;
  };

  // `phoneNumber` has no effect: a reply that depends on it would reveal the owner of the number
  // (design §11).
  serve(
    context,
    contract.getService,
    ({ query, ...incoming }) => writeService(catalogue.getService(query.serviceId), incoming),
    { version },
  );

  serve(
    context,
    contract.getServiceIdByServiceName,
    async ({ query, ...incoming }) => {
      const service = catalogue.getServiceByName(query.serviceName);
      return joinService(service.id, await writeService(service, incoming));
    },
    { version },
  );
}

/** The services of the catalogue: lists, suggestions, one service, and the deletion of a service. */
export function serveServices(
  context: AppContext,
  catalogue: Catalogue,
  ownerActions: OwnerActions,
): void {
  serveServiceLists(context, catalogue);
  serveServiceDetails(context, catalogue, ownerActions);

  serve(context, checkEligibility, ({ caller, query }) =>
    evaluateEligibility(
      context.database,
      caller,
      catalogue.getService(query.serviceId),
      new Date(),
    ),
  );

  serve(
    context,
    contract.getServiceNameByServiceId,
    ({ query, language }) => {
      const service = catalogue.getService(query.serviceId);
      return { name: localize(service.name, language), replacedName: service.replacedName };
    },
    { version: catalogue.version },
  );

  serve(context, contract.deleteService, async ({ caller, params, request }) => {
    const author = { caller, address: request.ip };
    await deleteService(context.database, catalogue, author, params.serviceId);
    return { id: params.serviceId };
  });
}
