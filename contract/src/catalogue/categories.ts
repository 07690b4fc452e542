import { z } from 'zod';
import { contentReaders, defineCall, editors } from '../wire/call.ts';
import { recordIdInAddress } from '../wire/ids.ts';
import { describedGroupChange, groupOrder, groupRecord } from './groups.ts';

/** A service category; `name` is in the caller's language, `logo` is a path on this site. */
export const serviceCategory = z.object({ id: z.int(), name: z.string(), logo: z.string() });
export const serviceCategoryWithCount = serviceCategory.extend({
  description: z.string(),
  servicesCount: z.int(),
});
export type ServiceCategory = z.infer<typeof serviceCategory>;
export type ServiceCategoryWithCount = z.infer<typeof serviceCategoryWithCount>;

export const getAllServiceCategory = defineCall({
  name: 'getAllServiceCategory',
  method: 'GET',
  path: '/api/ServiceCategory/GetAllServiceCategory',
  who: 'anyone',
  summary: 'All categories, including those without services',
  reply: z.array(serviceCategoryWithCount),
  refusals: [],
});

export const getAllServicesCategoriesWithServices = defineCall({
  name: 'getAllServicesCategoriesWithServices',
  method: 'GET',
  path: '/api/ServiceCategory/GetAllServicesCategoriesWithServices',
  who: 'anyone',
  summary: 'Categories that hold services, with the number of their services',
  reply: z.array(serviceCategoryWithCount),
  refusals: [],
});

export const getAllServiceCategoryByAccountType = defineCall({
  name: 'getAllServiceCategoryByAccountType',
  method: 'GET',
  path: '/api/ServiceCategory/GetAllServiceCategoryByAccountType',
  who: 'anyone',
  summary: 'Categories with services for one account type',
  query: z.object({ AccountTypeId: recordIdInAddress }),
  reply: z.array(serviceCategoryWithCount),
  refusals: [],
});

/** Our own calls: the specification shows the pages, not their calls. See docs/unknowns.md. */
export const getCategoryRecords = defineCall({
  name: 'getCategoryRecords',
  method: 'GET',
  path: '/api/ServiceCategory/GetCategoryRecords',
  who: contentReaders,
  summary: 'Every category in three languages, retired ones too',
  reply: z.array(groupRecord),
  refusals: [],
});

export const saveCategory = defineCall({
  name: 'saveCategory',
  method: 'POST',
  path: '/api/ServiceCategory/SaveCategory',
  who: editors,
  summary: 'Add, change, retire or restore a category; answers every one',
  body: describedGroupChange,
  reply: z.array(groupRecord),
  refusals: ['NotFound', 'RecordHasChanged', 'GroupInUse', 'LogoNotFound'],
});

export const orderCategories = defineCall({
  name: 'orderCategories',
  method: 'POST',
  path: '/api/ServiceCategory/OrderCategories',
  who: editors,
  summary: 'Put all categories in a new order; answers every one',
  body: groupOrder,
  reply: z.array(groupRecord),
  refusals: ['RecordHasChanged'],
});
