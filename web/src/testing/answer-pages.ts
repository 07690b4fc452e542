import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import {
  getAllGovernmentAgenciesByAccountType,
  getAllGovernmentAgenciesWithServices,
} from '@diwan/contract/catalogue/agencies';
import {
  getAllServiceCategoryByAccountType,
  getAllServicesCategoriesWithServices,
} from '@diwan/contract/catalogue/categories';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import { logout } from '@diwan/contract/people/users';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import {
  accountTypeRecords,
  agencyRecords,
  categoryRecords,
  pageOf,
  serviceSummaryRecord,
} from './admin-records.ts';
import { answerCall } from './answer-calls.ts';
import { statusRecords } from './request-records.ts';

/**
 * Answers the calls of the home page and of the services by category, to which many tests come; an
 * applicant has no work there.
 */
export function answerHome(): void {
  answerCall(getAllAccountTypes, accountTypeRecords);
  answerCall(serviceSearch, [serviceSummaryRecord()]);
  answerCall(getDrafts, []);
  answerCall(logout, { ended: true });
  answerCall(getAllServicesCategoriesWithServices, categoryRecords);
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  answerCall(getAllServiceCategoryByAccountType, categoryRecords);
  answerCall(getAllGovernmentAgenciesByAccountType, agencyRecords);
  answerCall(getAllStatuses, statusRecords);
  answerCall(getRequestsByStatusId, pageOf([]));
}
