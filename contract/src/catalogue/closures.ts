import { z } from 'zod';
import { contentReaders, defineCall, editors } from '../wire/call.ts';
import { localTime } from '../wire/days.ts';
import { localizedText } from '../wire/languages.ts';

/** The longest reason in one language, in characters. */
export const maximumClosureReason = 300;

const reason = z.strictObject({
  'ar-EG': z.string().trim().min(1).max(maximumClosureReason),
  'en-US': z.string().trim().min(1).max(maximumClosureReason),
  'ur-PK': z.string().trim().min(1).max(maximumClosureReason),
});

/**
 * Why a service takes no new requests now, in the caller's language. `until` is missing where nobody
 * knows when it opens.
 */
export const closure = z.object({ reason: z.string(), until: z.iso.datetime().optional() });
export type Closure = z.infer<typeof closure>;

/** A closed service as an admin sees it. `from` may be in the future. */
export const serviceClosure = z.object({
  serviceId: z.int(),
  serviceName: z.string(),
  agencyName: z.string(),
  reason: localizedText,
  from: z.iso.datetime(),
  until: z.iso.datetime().optional(),
  version: z.int().min(1),
});
export type ServiceClosure = z.infer<typeof serviceClosure>;

/** Our own calls: the specification does not close services. See docs/unknowns.md. */
export const getServiceClosures = defineCall({
  name: 'getServiceClosures',
  method: 'GET',
  path: '/api/Service/GetServiceClosures',
  who: contentReaders,
  summary: 'Services that are closed now or will be, in the order in which they close',
  reply: z.array(serviceClosure),
  refusals: [],
});

export const closeService = defineCall({
  name: 'closeService',
  method: 'POST',
  path: '/api/Service/CloseService',
  who: editors,
  summary: 'Take no new requests for a service during a time; its drafts and requests stay',
  body: z.object({
    serviceId: z.int().min(1),
    /** Of the closure that is changed; missing for a service that is open. */
    version: z.int().min(1).optional(),
    reason,
    /** Times in Asia/Dubai. */
    from: localTime,
    until: localTime.optional(),
  }),
  reply: z.object({ version: z.int() }),
  refusals: ['ServiceNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

export const openService = defineCall({
  name: 'openService',
  method: 'POST',
  path: '/api/Service/OpenService',
  who: editors,
  summary: 'End the closure of a service now',
  body: z.object({ serviceId: z.int().min(1), version: z.int().min(1) }),
  reply: z.object({ serviceId: z.int() }),
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});

/** The services that a choice of a whole agency concerns, as the administrator saw them. */
const servicesOfAgency = {
  agencyId: z.int().min(1).max(2_147_483_647),
  serviceIds: z.array(z.int().min(1)).min(1).max(20_000),
};

export const getAgencyClosure = defineCall({
  name: 'getAgencyClosure',
  method: 'GET',
  path: '/api/Service/GetAgencyClosure',
  who: contentReaders,
  summary: 'The services of an agency: those that are open, and those that are closed or will be',
  query: z.object({ AgencyId: z.coerce.number().int().min(1).max(2_147_483_647) }),
  reply: z.object({
    open: z.array(z.object({ serviceId: z.int(), serviceName: z.string() })),
    closed: z.array(z.object({ serviceId: z.int(), serviceName: z.string() })),
  }),
  refusals: [],
});

export const closeAgencyServices = defineCall({
  name: 'closeAgencyServices',
  method: 'POST',
  path: '/api/Service/CloseAgencyServices',
  who: editors,
  summary: 'Close every open service of an agency for a time; closures that exist stay',
  body: z.object({
    ...servicesOfAgency,
    reason,
    /** Times in Asia/Dubai. */
    from: localTime,
    until: localTime.optional(),
  }),
  reply: z.object({ closed: z.int() }),
  refusals: ['RecordHasChanged', 'ValidationFailed'],
});

export const openAgencyServices = defineCall({
  name: 'openAgencyServices',
  method: 'POST',
  path: '/api/Service/OpenAgencyServices',
  who: editors,
  summary: 'End every closure of the services of an agency now',
  body: z.object(servicesOfAgency),
  reply: z.object({ opened: z.int() }),
  refusals: ['RecordHasChanged'],
});
