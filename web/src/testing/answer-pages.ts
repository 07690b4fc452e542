import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { accountTypeRecords, serviceSummaryRecord } from './admin-records.ts';
import { answerCall } from './answer-calls.ts';

/** Answers the calls of the home page, to which many tests come. */
export function answerHome(): void {
  answerCall(getAllAccountTypes, accountTypeRecords);
  answerCall(serviceSearch, [serviceSummaryRecord()]);
  answerCall(getDrafts, []);
}
