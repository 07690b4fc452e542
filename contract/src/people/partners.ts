import { z } from 'zod';
import { governmentAgencyWithCount } from '../catalogue/agencies.ts';
import { defineCall } from '../wire/call.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { partnerStates } from './partner-states.ts';
import { serviceSuggestion } from '../catalogue/services.ts';

const listQuery = z.object({
  SearchKeyword: z.string().max(200).optional(),
  PageNumber: pageNumber,
  Take: take,
});

/**
 * A partner, that is a service provider, as an admin's list shows it; `name` is in the caller's
 * language.
 */
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
 * A supervisor, that is a user of a partner. `lastSignInAt` is ISO 8601 in UTC; without it nobody
 * has signed in with the account.
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

/** What a partner is to its own supervisors: its name, what it provides, and for which agencies. */
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
  who: ['Admin'],
  summary: 'Partners by text, with the number of their services, supervisors and requests',
  query: listQuery.extend({ State: z.enum(partnerStates).optional() }),
  reply: pageOf(partnerSummary),
  refusals: [],
});

export const getAllServiceProviders = defineCall({
  name: 'getAllServiceProviders',
  method: 'GET',
  path: '/api/ServiceProvider/GetAllServiceProviders',
  who: ['Admin'],
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
