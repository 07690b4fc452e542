import { z } from 'zod';
import { governmentAgencyWithCount } from '../catalogue/agencies.ts';
import { editedText } from '../catalogue/groups.ts';
import { serviceSuggestion } from '../catalogue/services.ts';
import { administrators, auditReaders, contentReaders, defineCall } from '../wire/call.ts';
import { recordId, recordVersion } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { partnerRecord } from './partner-registration.ts';
import { partnerStates } from './partner-states.ts';

const listQuery = z.object({
  SearchKeyword: z.string().max(200).optional(),
  PageNumber: pageNumber,
  Take: take,
});

/** A partner (service provider) in the list of an admin; `name` is in the caller's language. */
export const partnerSummary = z.object({
  id: z.int(),
  name: z.string(),
  servicesCount: z.int(),
  supervisorsCount: z.int(),
  requestsCount: z.int(),
  state: z.enum(partnerStates),
});
export type PartnerSummary = z.infer<typeof partnerSummary>;

/**
 * A supervisor (user of a partner). `lastSignInAt` is ISO 8601 in UTC; missing until the first
 * sign-in.
 */
export const supervisorSummary = z.object({
  id: z.uuid(),
  fullName: z.string(),
  username: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  partner: z.object({ id: z.int(), name: z.string(), state: z.enum(partnerStates) }).optional(),
  lastSignInAt: z.string().optional(),
  isSuspended: z.boolean(),
});
export type SupervisorSummary = z.infer<typeof supervisorSummary>;

/** A partner for its own supervisors: its name, its services, and their agencies. */
export const ownPartner = z.object({
  id: z.int(),
  name: z.string(),
  agencies: z.array(governmentAgencyWithCount),
  services: z.array(serviceSuggestion),
});
export type OwnPartner = z.infer<typeof ownPartner>;

export const getAllPartners = defineCall({
  name: 'getAllPartners',
  method: 'GET',
  path: '/api/Partner/GetAllPartners',
  who: contentReaders,
  summary: 'Partners by text, with the number of their services, supervisors and requests',
  query: listQuery.extend({ State: z.enum(partnerStates).optional() }),
  reply: pageOf(partnerSummary),
  refusals: [],
});

export const getAllServiceProviders = defineCall({
  name: 'getAllServiceProviders',
  method: 'GET',
  path: '/api/ServiceProvider/GetAllServiceProviders',
  who: auditReaders,
  summary: 'Supervisors by text, with their partner',
  query: listQuery.extend({ State: z.enum(partnerStates).optional() }),
  reply: pageOf(supervisorSummary),
  refusals: [],
});

export const getOwnPartner = defineCall({
  name: 'getOwnPartner',
  method: 'GET',
  path: '/api/Partner/GetOwnPartner',
  who: ['ServiceProvider'],
  summary: 'The partner that the caller belongs to, with its services and their agencies',
  reply: ownPartner,
  refusals: ['NotFound'],
});

const partnerId = recordId;

/**
 * Our own calls: the specification has supervisors but does not show how they are added and
 * removed. Decision 0017. Where changes of roles wait for a second admin, these wait too: the reply
 * has them as `pendingSupervisors`.
 */
export const addSupervisor = defineCall({
  name: 'addSupervisor',
  method: 'POST',
  path: '/api/Partner/AddSupervisor',
  who: administrators,
  summary:
    'Add an account as a supervisor of a service provider; not staff, no company, no provider, no requests sent',
  body: z.object({ partnerId, username: z.string().trim().min(1).max(200) }),
  reply: partnerRecord,
  refusals: [
    'NotFound',
    'UsernameNotFound',
    'AccountCannotSupervise',
    'AlreadySupervisor',
    'AccountCannotHaveRoles',
    'ChangeIsPending',
  ],
});

export const removeSupervisor = defineCall({
  name: 'removeSupervisor',
  method: 'POST',
  path: '/api/Partner/RemoveSupervisor',
  who: administrators,
  summary:
    'Remove a supervisor from a service provider immediately; one active supervisor always remains',
  body: z.object({ partnerId, userId: z.uuid() }),
  reply: partnerRecord,
  refusals: ['NotFound', 'ProviderNeedsSupervisor', 'AccountCannotHaveRoles', 'ChangeIsPending'],
});

/** Our own call: the specification has the page, not the call. `version` is that of the record. */
export const updatePartner = defineCall({
  name: 'updatePartner',
  method: 'POST',
  path: '/api/Partner/UpdatePartner',
  who: administrators,
  summary: 'Change the names of a service provider',
  body: z.object({ partnerId, version: recordVersion, name: editedText(200) }),
  reply: partnerRecord,
  refusals: ['NotFound', 'RecordHasChanged'],
});
