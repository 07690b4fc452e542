import { z } from 'zod';
import {
  administrators,
  agencyAdministrators,
  agencyContentReaders,
  agencyReaders,
  defineCall,
} from '../wire/call.ts';
import { recordId, recordIdInAddress, recordVersion } from '../wire/ids.ts';
import { discountRules } from './fees.ts';
import { agencyChange, groupOrder, groupRecord } from './groups.ts';

/** A government agency; `name` is in the caller's language, `logo` is a path on this site. */
export const governmentAgency = z.object({ id: z.int(), name: z.string(), logo: z.string() });
export const governmentAgencyWithCount = governmentAgency.extend({ servicesCount: z.int() });
export type GovernmentAgency = z.infer<typeof governmentAgency>;
export type GovernmentAgencyWithCount = z.infer<typeof governmentAgencyWithCount>;

export const governmentAgencyCollection = defineCall({
  name: 'governmentAgencyCollection',
  method: 'GET',
  path: '/api/GovernmentAgency/GovernmentAgencyCollection',
  who: 'anyone',
  summary: 'All agencies',
  reply: z.array(governmentAgency),
  refusals: [],
});

export const getAllGovernmentAgenciesWithServices = defineCall({
  name: 'getAllGovernmentAgenciesWithServices',
  method: 'GET',
  path: '/api/GovernmentAgency/GetAllGovernmentAgenciesWithServices',
  who: 'anyone',
  summary:
    'Agencies with the number of their services, also within a search, a category or an account type',
  query: z.object({
    SearchKeyword: z.string().max(10_000).optional(),
    ServiceCategoryId: recordIdInAddress.optional(),
    AccountTypeId: recordIdInAddress.optional(),
  }),
  reply: z.array(governmentAgencyWithCount),
  refusals: [],
});

export const governmentAgencyCollectionByServiceCategory = defineCall({
  name: 'governmentAgencyCollectionByServiceCategory',
  method: 'GET',
  path: '/api/GovernmentAgency/GovernmentAgencyCollectionByServiceCategory',
  who: 'anyone',
  summary: 'Agencies with services in one category',
  query: z.object({ ServiceCategoryId: recordIdInAddress }),
  reply: z.array(governmentAgencyWithCount),
  refusals: [],
});

export const getAllGovernmentAgenciesByAccountType = defineCall({
  name: 'getAllGovernmentAgenciesByAccountType',
  method: 'GET',
  path: '/api/GovernmentAgency/GetAllGovernmentAgenciesByAccountType',
  who: 'anyone',
  summary: 'Agencies with services for one account type',
  query: z.object({ AccountTypeId: recordIdInAddress }),
  reply: z.array(governmentAgencyWithCount),
  refusals: [],
});

/** Our own: those in which the caller edits or reads services, for the lists of editors. */
export const getManagedAgencies = defineCall({
  name: 'getManagedAgencies',
  method: 'GET',
  path: '/api/GovernmentAgency/GetManagedAgencies',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The agencies whose services the caller may edit or read as an editor',
  reply: z.array(governmentAgency),
  refusals: [],
});

/** Our own calls: the specification shows the pages, not their calls. See docs/unknowns.md. */
export const getAgencyRecords = defineCall({
  name: 'getAgencyRecords',
  method: 'GET',
  path: '/api/GovernmentAgency/GetAgencyRecords',
  who: agencyReaders,
  byAgency: 'reply',
  summary: 'Every agency in three languages, retired ones too',
  reply: z.array(groupRecord),
  refusals: [],
});

export const saveAgency = defineCall({
  name: 'saveAgency',
  method: 'POST',
  path: '/api/GovernmentAgency/SaveAgency',
  who: administrators,
  summary: 'Add, change, retire or restore an agency; answers every one',
  body: agencyChange,
  reply: z.array(groupRecord),
  refusals: ['NotFound', 'RecordHasChanged', 'GroupInUse', 'LogoNotFound'],
});

export const saveAgencyDiscounts = defineCall({
  name: 'saveAgencyDiscounts',
  method: 'POST',
  path: '/api/GovernmentAgency/SaveAgencyDiscounts',
  who: agencyAdministrators,
  byAgency: { agency: 'agencyId' },
  summary: 'Change what an agency takes off the fees of its services; answers the agency',
  body: z.object({ agencyId: recordId, version: recordVersion, discounts: discountRules }),
  reply: groupRecord,
  refusals: ['NotFound', 'RecordHasChanged'],
});

export const orderAgencies = defineCall({
  name: 'orderAgencies',
  method: 'POST',
  path: '/api/GovernmentAgency/OrderAgencies',
  who: administrators,
  summary: 'Put all agencies in a new order; answers every one',
  body: groupOrder,
  reply: z.array(groupRecord),
  refusals: ['RecordHasChanged'],
});
