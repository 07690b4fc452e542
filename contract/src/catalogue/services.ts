import { z } from 'zod';
import { attachmentRule, serviceForm } from '../forms/forms.ts';
import { agencyContentReaders, agencyEditors, defineCall } from '../wire/call.ts';
import { recordIdInAddress } from '../wire/ids.ts';
import { fils, quote } from '../wire/money.ts';
import { pageNumber, pageOf } from '../wire/paging.ts';
import { governmentAgency } from './agencies.ts';
import { serviceCategory } from './categories.ts';
import { closure } from './closures.ts';
import { eligibilityPoint } from './eligibility.ts';
import { feeRule, withdrawalRule } from './fees.ts';

/** The number of services on one page of the listing. Source: specification §9. */
export const servicesPageSize = 5;

/**
 * A service in lists. `replacedName` is its address segment, `total` its cost with VAT in fils;
 * `ours`: the name or the description is our own translation.
 */
export const serviceSummary = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  replacedName: z.string(),
  governmentAgency,
  serviceCategory,
  accountTypes: z.array(z.int()),
  total: fils,
  workingDays: z.int().min(0),
  attachmentsCount: z.int(),
  ours: z.boolean(),
  /** Present while the service takes no new requests. */
  closure: closure.optional(),
  /** Some fees depend on the answers; `total` is what everybody pays. */
  feesVary: z.boolean().optional(),
});
export type ServiceSummary = z.infer<typeof serviceSummary>;

/** A service in short lists: suggestions and related services. */
export const serviceSuggestion = serviceSummary.pick({
  id: true,
  name: true,
  replacedName: true,
  governmentAgency: true,
});
export type ServiceSuggestion = z.infer<typeof serviceSuggestion>;

/**
 * A discount of the agency, `rate` in basis points: for persons of an age, as far as it is on record,
 * or for those who attach a document, which a clerk confirms.
 */
export const serviceDiscount = z.object({
  name: z.string(),
  title: z.string(),
  rate: z.int(),
  fromAge: z.int().optional(),
  isForCitizens: z.boolean().optional(),
  document: z.string().optional(),
});

/**
 * A service with all details and the form of its request. `result`, `steps`, `terms` and names are
 * in the caller's language.
 */
export const service = serviceSummary.extend({
  result: z.string(),
  steps: z.array(z.string()),
  terms: z.string(),
  accountTypeNames: z.array(z.string()),
  related: z.array(serviceSuggestion),
  /** All of these rules must be met; a service without rules is open to everybody. */
  eligibility: z.array(eligibilityPoint),
  form: serviceForm,
  attachments: z.array(attachmentRule),
  /** What everybody pays. */
  fees: quote,
  /** All fees, where some depend on the answers: `quoteFees` gives the cost for answers. */
  feeRules: z.array(feeRule).optional(),
  /** The agency's discounts; missing where it has none. */
  discounts: z.array(serviceDiscount).optional(),
  /** The addresses and hours of the agency's own centres; missing where it names none. */
  centres: z.string().optional(),
  /** The first and last day, in Asia/Dubai, on which requests can be sent. */
  availableFrom: z.iso.date().nullable().optional(),
  availableUntil: z.iso.date().nullable().optional(),
  /** What of the fees is paid back on a withdrawal; missing where its workflow has none. */
  withdrawal: withdrawalRule.optional(),
  /** For so many days one can object to a rejection or a fine; missing where one cannot. */
  objectionDays: z.int().min(1).optional(),
});
export type Service = z.infer<typeof service>;

const serviceName = z.string().min(1).max(300);

const filters = {
  GovernmentAgencyId: recordIdInAddress.optional(),
  ServiceCategoryId: recordIdInAddress.optional(),
  AccountTypeId: recordIdInAddress.optional(),
};

export const getServices = defineCall({
  name: 'getServices',
  method: 'GET',
  path: '/api/Service/GetServices',
  who: 'anyone',
  summary: 'Services by text, agency, category and account type, best match first',
  query: z.object({
    SearchKeyword: z.string().max(10_000).optional(),
    ...filters,
    PageNumber: pageNumber,
    PageSize: z.coerce.number().int().min(1).max(100).default(servicesPageSize),
  }),
  /** `didYouMean`: the text with corrected spelling, when these are the services that it finds. */
  reply: pageOf(serviceSummary).extend({ didYouMean: z.string().optional() }),
  refusals: [],
});

/** Our own: the list of editors, in which an agency administrator finds the services of their agencies. */
export const getManagedServices = defineCall({
  ...getServices,
  name: 'getManagedServices',
  path: '/api/Service/GetManagedServices',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary:
    'Services that the caller may edit or read as an editor, by text and agency, best match first',
});

export const serviceSearch = defineCall({
  name: 'serviceSearch',
  method: 'GET',
  path: '/api/Service/ServiceSearch',
  who: 'anyone',
  summary:
    'Suggestions while a name is typed (15 at most), or the popular services when Pobular is true',
  query: z.object({
    Name: z.string().max(10_000).optional(),
    ...filters,
    Pobular: z.enum(['true', 'false']).optional(),
  }),
  reply: z.array(serviceSuggestion),
  refusals: [],
});

export const getService = defineCall({
  name: 'getService',
  method: 'GET',
  path: '/api/Service/GetService',
  who: 'anyone',
  summary:
    'One service with its form, documents, fees and terms; phoneNumber is accepted and ignored',
  query: z.object({
    serviceId: recordIdInAddress,
    phoneNumber: z.string().max(20).optional(),
  }),
  reply: service,
  refusals: ['ServiceNotFound'],
});

export const getAllServicesByAccountType = defineCall({
  name: 'getAllServicesByAccountType',
  method: 'GET',
  path: '/api/Service/GetAllServicesByAccountType',
  who: 'anyone',
  summary: 'Every service, or those for one account type, most popular first',
  query: z.object({ AccountTypeId: recordIdInAddress.optional() }),
  reply: z.array(serviceSuggestion.extend({ serviceCategory })),
  refusals: [],
});

export const getAllServicesForUpdatingPartner = defineCall({
  name: 'getAllServicesForUpdatingPartner',
  method: 'GET',
  path: '/api/Service/GetAllServicesForUpdatingPartner',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'Every service with its service provider, and whether that is the given one',
  query: z.object({ PartnerId: recordIdInAddress.optional() }),
  reply: z.array(
    serviceSuggestion.extend({
      partnerId: z.int().nullable(),
      partnerName: z.string().optional(),
      isOfPartner: z.boolean(),
    }),
  ),
  refusals: [],
});

/**
 * The name is that of addresses, or that of the service in any language. The service comes with its
 * id, so that its page needs one round trip: decision 0012.
 */
export const getServiceIdByServiceName = defineCall({
  name: 'getServiceIdByServiceName',
  method: 'GET',
  path: '/api/Service/GetServiceIdByServiceName',
  who: 'anyone',
  summary: 'The id of a service by its name in addresses, and the service as GetService gives it',
  query: z.object({ serviceName }),
  reply: z.object({ serviceId: z.int(), service }),
  refusals: ['ServiceNotFound'],
});

export const getServiceNameByServiceId = defineCall({
  name: 'getServiceNameByServiceId',
  method: 'GET',
  path: '/api/Service/GetServiceNameByServiceId',
  who: 'anyone',
  summary: 'The name of a service in addresses by its id',
  query: z.object({ serviceId: recordIdInAddress }),
  reply: z.object({ name: z.string(), replacedName: z.string() }),
  refusals: ['ServiceNotFound'],
});

export const deleteService = defineCall({
  name: 'deleteService',
  method: 'POST',
  path: '/api/Service/DeleteService{serviceId}',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Remove a service from the catalogue; its requests stay',
  params: z.object({ serviceId: recordIdInAddress }),
  reply: z.object({ id: z.int() }),
  refusals: ['ServiceNotFound'],
});
