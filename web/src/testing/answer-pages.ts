import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { getAllGovernmentAgenciesWithServices } from '@diwan/contract/catalogue/agencies';
import { getAllServicesCategoriesWithServices } from '@diwan/contract/catalogue/categories';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import { logout } from '@diwan/contract/people/users';
import { getDrafts } from '@diwan/contract/requests/drafts';
import {
  accountTypeRecords,
  agencyRecords,
  categoryRecords,
  serviceSummaryRecord,
} from './admin-records.ts';
import { answerCall } from './answer-calls.ts';

/** Answers the calls of the home page and of all services, to which many tests come. */
export function answerHome(): void {
  answerCall(getAllAccountTypes, accountTypeRecords);
  answerCall(serviceSearch, [serviceSummaryRecord()]);
  answerCall(getDrafts, []);
  answerCall(logout, { ended: true });
  answerCall(getAllServicesCategoriesWithServices, categoryRecords);
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
}
