import { z } from 'zod';
import {
  defineCall,
  grantedRoles,
  requestReadersAndProviders,
  roles,
  signedIn,
} from '../wire/call.ts';
import { recordIdInAddress } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { invoiceKinds, paymentStatuses } from './payments.ts';
import { requestSummary } from './requests.ts';
import { statusFields } from './workflow.ts';

/** The status of a request as every holder of its number may see it. Times are ISO 8601 in UTC. */
export const publicRequestStatus = z.object({
  requestNumber: z.string(),
  serviceName: z.string(),
  governmentAgencyName: z.string(),
  ...statusFields,
  statusDescription: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The due day of a request in progress, as in `requestSummary`. */
  promisedBy: z.iso.date().optional(),
});
export type PublicRequestStatus = z.infer<typeof publicRequestStatus>;

/** `late`: due before today; `week`: due today or on one of the six days after it. */
export const dueFilters = ['late', 'today', 'week'] as const;
export type DueFilter = (typeof dueFilters)[number];

/** The groups of statuses: those that wait for the applicant, those in progress, and ended ones. */
export const statusGroups = ['waiting', 'progress', 'finished'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/**
 * The requests behind a figure of dashboards and reports: those that are not ended; those of them
 * that wait for the caller's side; and those that were completed, rejected, completed after their
 * due day or paid for within the days of `FigureFrom` and `FigureTo`.
 */
export const listFigures = ['open', 'waiting', 'done', 'refused', 'doneLate', 'paid'] as const;
export type ListFigure = (typeof listFigures)[number];

/**
 * The columns by which a list is sorted besides the times. `status` is in the order of the workflow;
 * `holder` is for clerks and admins only.
 */
export const sortColumns = [
  'number',
  'service',
  'agency',
  'applicant',
  'status',
  'total',
  'holder',
] as const;
export type SortColumn = (typeof sortColumns)[number];

/**
 * The query of the lists; days are in Asia/Dubai. Our own are (docs/unknowns.md): `StatusIds`
 * (several, separated by commas); `StatusGroup`; `OnlyMine` (requests assigned to the caller); `Holder`, a user's id
 * or `nobody`, which finds requests for clerks and admins only; `ServiceId`, `GovernmentAgencyId`,
 * `TeamId` (the work of a team of the caller) and `Due`; `PartnerId` (requests that have reached this
 * partner), `CompanyId` and `FigureBy` (the user who completed or rejected them), for clerks and admins
 * only; `Figure`; `SortBy`: with `due`, requests without a due day come last; names are in the order of
 * the caller's language, and of equal ones the newest request comes first. A search by words is sorted
 * by the time of sending.
 */
export const listQuery = {
  StatusId: recordIdInAddress.optional(),
  StatusIds: z
    .string()
    .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,29}$/)
    .optional(),
  StatusGroup: z.enum(statusGroups).optional(),
  OnlyMine: z.stringbool().optional(),
  Holder: z.union([z.literal('nobody'), z.uuid()]).optional(),
  ServiceId: recordIdInAddress.optional(),
  GovernmentAgencyId: recordIdInAddress.optional(),
  TeamId: recordIdInAddress.optional(),
  Due: z.enum(dueFilters).optional(),
  PartnerId: recordIdInAddress.optional(),
  CompanyId: recordIdInAddress.optional(),
  Figure: z.enum(listFigures).optional(),
  FigureFrom: z.iso.date().optional(),
  FigureTo: z.iso.date().optional(),
  FigureBy: z.uuid().optional(),
  SearchKeyword: z.string().max(200).optional(),
  SortBy: z.enum(['sent', 'due', ...sortColumns]).default('sent'),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
  DateFrom: z.iso.date().optional(),
  DateTo: z.iso.date().optional(),
  PageNumber: pageNumber,
  Take: take,
};

const inquiryQuery = {
  SearchKeyword: z.string().trim().min(1).max(60),
  PageNumber: pageNumber,
  Take: take,
  SortOrder: z.enum(['asc', 'desc']).default('desc'),
};

/**
 * A page of summaries. `totalCount` is exact up to 10 000 (with a keyword up to 200), and at any
 * size for clerks' lists by status alone; `isTotalAtLeast` says that there are more.
 */
export const requestPage = pageOf(requestSummary).extend({
  isTotalAtLeast: z.literal(true).optional(),
});

export const getRequestsByStatusId = defineCall({
  name: 'getRequestsByStatusId',
  method: 'GET',
  path: '/api/Request/GetRequestsByStatusId',
  who: signedIn,
  summary: 'Requests that the caller may see, by status, text, day (Asia/Dubai) and refund',
  query: z.object({
    ...listQuery,
    HasRefundableFees: z.stringbool().optional(),
    IsRefunded: z.stringbool().optional(),
  }),
  reply: requestPage,
  refusals: [],
});
/** As GetRequestsByStatusId, without the refund filters. Source: specification §7. */
export const getAllRequestsByStatusId = defineCall({
  name: 'getAllRequestsByStatusId',
  method: 'GET',
  path: '/api/Request/GetAllRequestsByStatusId',
  who: signedIn,
  summary: 'Requests that the caller may see, by status, text and day (Asia/Dubai)',
  query: z.object(listQuery),
  reply: requestPage,
  refusals: [],
});
/**
 * `sequence` is the number of the last event of the request hub that the counts include; 0 before
 * the first one, and for callers who hear of no event. Design §10.
 */
export const getRequestsCount = defineCall({
  name: 'getRequestsCount',
  method: 'GET',
  path: '/api/Request/GetRequestsCount',
  who: requestReadersAndProviders,
  summary:
    'The numbers of new and processing requests; for service providers, of approved and accepted ones',
  reply: z.object({
    newRequestsCount: z.int(),
    processingRequestsCount: z.int(),
    sequence: z.int().min(0),
  }),
  refusals: [],
});
export const getAllStatuses = defineCall({
  name: 'getAllStatuses',
  method: 'GET',
  path: '/api/Request/GetAllStatuses',
  who: signedIn,
  summary:
    'The statuses of the active workflows; for applicants also that of a draft, which is not a request yet (`isDraft`)',
  reply: z.array(
    z.object({
      ...statusFields,
      key: z.string(),
      countsAs: z.enum(['new', 'processing']).optional(),
      isDraft: z.literal(true).optional(),
    }),
  ),
  refusals: [],
});
const listChoice = z.object({ id: z.int(), name: z.string() });
/**
 * Our own calls: docs/unknowns.md. The choices of every filter of requests and payments; for service
 * providers those whose requests have reached them.
 */
export const getVisibleAgencies = defineCall({
  name: 'getVisibleAgencies',
  method: 'GET',
  path: '/api/Request/GetVisibleAgencies',
  who: requestReadersAndProviders,
  summary: 'The agencies whose requests and payments the caller may see, retired ones too',
  reply: z.array(listChoice),
  refusals: [],
});
export const getVisibleServices = defineCall({
  name: 'getVisibleServices',
  method: 'GET',
  path: '/api/Request/GetVisibleServices',
  who: requestReadersAndProviders,
  summary:
    'Services of the requests that the caller sees, by text, best match first (15 at most), or one by its id',
  query: z.object({
    SearchKeyword: z.string().max(200).optional(),
    ServiceId: recordIdInAddress.optional(),
  }),
  reply: z.array(listChoice),
  refusals: [],
});
export const getRequestByRequestNoOrMobileNo = defineCall({
  name: 'getRequestByRequestNoOrMobileNo',
  method: 'GET',
  path: '/api/Request/GetRequestByRequestNoOrMobileNo',
  who: 'anyone',
  summary:
    'Inquiry by request number, or by mobile number and code; limited to what a signed-in caller may see',
  query: z.object({ ...inquiryQuery, VerificationCode: z.string().max(12).optional() }),
  reply: pageOf(publicRequestStatus),
  refusals: ['VerificationCodeRequired', 'VerificationCodeWrong', 'TooManyRequests'],
});
/** The inquiry for signed-in callers: summaries of the requests that they may see. */
export const getRequestByRequestNoOrMobileNoV2 = defineCall({
  name: 'getRequestByRequestNoOrMobileNoV2',
  method: 'GET',
  path: '/api/Request/GetRequestByRequestNoOrMobileNoV2',
  who: signedIn,
  summary: 'Requests by request number or mobile number that the caller may see',
  query: z.object(inquiryQuery),
  reply: requestPage,
  refusals: [],
});

/** The most results of a kind, and the fewest characters of a text. */
export const maximumFound = 6;
export const minimumFindText = 2;

/** The kinds of things that are found; pages are found in the browser. */
export const foundKinds = [
  'requests',
  'documents',
  'payments',
  'services',
  'people',
  'companies',
  'partners',
] as const;
export type FoundKind = (typeof foundKinds)[number];

const foundList = <Shape extends z.ZodObject>(item: Shape) => z.array(item).max(maximumFound);

/**
 * Our own: finds requests, services, people, companies and service providers by number or words, and
 * invoices, receipts, credit notes, certificates and payments by number. Each kind has what the
 * caller may open: requests as in the caller's lists, documents for who may read them, the rest for
 * administrators and auditors, services for everybody, to an agency administrator those of their
 * agencies. `unfinished` names kinds that took too long.
 */
export const findAnything = defineCall({
  name: 'findAnything',
  method: 'GET',
  path: '/api/Request/FindAnything',
  who: grantedRoles,
  byAgency: 'reply',
  summary: 'Requests, documents, payments, services, people and organisations the caller may open',
  query: z.object({ Text: z.string().trim().min(minimumFindText).max(100) }),
  reply: z.object({
    requests: foundList(
      z.object({
        requestNumber: z.string(),
        serviceName: z.string(),
        applicantName: z.string(),
        ...statusFields,
      }),
    ),
    documents: foundList(
      z.object({
        number: z.string(),
        kind: z.enum([...invoiceKinds, 'certificate']),
        requestNumber: z.string(),
      }),
    ),
    payments: foundList(
      z.object({
        merchantReference: z.string(),
        status: z.enum(paymentStatuses),
        amount: z.int(),
        currency: z.string(),
      }),
    ),
    services: foundList(
      z.object({
        id: z.int(),
        name: z.string(),
        replacedName: z.string(),
        agencyName: z.string(),
      }),
    ),
    people: foundList(
      z.object({
        userId: z.string(),
        username: z.string(),
        fullName: z.string(),
        email: z.string(),
        roles: z.array(z.enum(roles)),
      }),
    ),
    companies: foundList(z.object({ id: z.int(), name: z.string() })),
    partners: foundList(z.object({ id: z.int(), name: z.string() })),
    unfinished: z.array(z.enum(foundKinds)),
  }),
  refusals: [],
});
