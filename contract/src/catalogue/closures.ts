import { z } from 'zod';
import { agencyContentReaders, agencyEditors, defineCall } from '../wire/call.ts';
import { localTime } from '../wire/days.ts';
import { recordId, recordIdInAddress, recordVersion } from '../wire/ids.ts';
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
  version: recordVersion,
});
export type ServiceClosure = z.infer<typeof serviceClosure>;

/** Our own calls: the specification does not close services. See docs/unknowns.md. */
export const getServiceClosures = defineCall({
  name: 'getServiceClosures',
  method: 'GET',
  path: '/api/Service/GetServiceClosures',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'Services that are closed now or will be, in the order in which they close',
  reply: z.array(serviceClosure),
  refusals: [],
});

export const closeService = defineCall({
  name: 'closeService',
  method: 'POST',
  path: '/api/Service/CloseService',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Take no new requests for a service during a time; its drafts and requests stay',
  body: z.object({
    serviceId: recordId,
    /** Of the closure that is changed; missing for a service that is open. */
    version: recordVersion.optional(),
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
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'End the closure of a service now',
  body: z.object({ serviceId: recordId, version: recordVersion }),
  reply: z.object({ serviceId: z.int() }),
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});

const namedServices = z.array(z.object({ serviceId: z.int(), serviceName: z.string() }));
const id = recordIdInAddress;

/** Services by exact values, of which all that are given must hold; `Name` is a part of the name in any language. */
export const getClosableServices = defineCall({
  name: 'getClosableServices',
  method: 'GET',
  path: '/api/Service/GetClosableServices',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'Services by exact values: those that are open, and those that are closed or will be',
  query: z.object({
    Name: z.string().trim().max(200).optional(),
    AgencyId: id.optional(),
    CategoryId: id.optional(),
  }),
  reply: z.object({ open: namedServices, closed: namedServices }),
  refusals: [],
});

/** The services as the administrator saw them: all of them are open, or all are closed or will be. */
const seenServices = { serviceIds: z.array(recordId).min(1).max(20_000) };

export const closeServices = defineCall({
  name: 'closeServices',
  method: 'POST',
  path: '/api/Service/CloseServices',
  who: agencyEditors,
  byAgency: { service: 'serviceIds' },
  summary: 'Close many open services for a time',
  body: z.object({
    ...seenServices,
    reason,
    /** Times in Asia/Dubai. */
    from: localTime,
    until: localTime.optional(),
  }),
  reply: z.object({ closed: z.int() }),
  refusals: ['ServiceNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

export const openServices = defineCall({
  name: 'openServices',
  method: 'POST',
  path: '/api/Service/OpenServices',
  who: agencyEditors,
  byAgency: { service: 'serviceIds' },
  summary: 'End the closures of many services now',
  body: z.object(seenServices),
  reply: z.object({ opened: z.int() }),
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});
