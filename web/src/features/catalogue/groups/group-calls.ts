import {
  getAgencyRecords,
  governmentAgencyCollection,
  orderAgencies,
  saveAgency,
} from '@diwan/contract/catalogue/agencies';
import {
  getAllServiceCategory,
  getCategoryRecords,
  orderCategories,
  saveCategory,
} from '@diwan/contract/catalogue/categories';

/** The calls of the two kinds of group, and those whose replies change with them. */
export const groupCalls = {
  agencies: {
    entity: 'agency',
    read: getAgencyRecords,
    save: saveAgency,
    order: orderAgencies,
    changes: governmentAgencyCollection,
    filter: 'agency',
  },
  categories: {
    entity: 'category',
    read: getCategoryRecords,
    save: saveCategory,
    order: orderCategories,
    changes: getAllServiceCategory,
    filter: 'category',
  },
} as const;
export type GroupKind = keyof typeof groupCalls;
