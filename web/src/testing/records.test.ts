import { expect, it } from 'vitest';
import { accountType } from '@diwan/contract/catalogue/account-types';
import { governmentAgencyWithCount } from '@diwan/contract/catalogue/agencies';
import { serviceCategoryWithCount } from '@diwan/contract/catalogue/categories';
import { service, serviceSummary } from '@diwan/contract/catalogue/services';
import { ownSession } from '@diwan/contract/people/accounts';
import { auditEvent } from '@diwan/contract/people/audit';
import { companySummary, companyUsers } from '@diwan/contract/people/companies';
import { partnerRecord } from '@diwan/contract/people/partner-registration';
import { partnerSummary, supervisorSummary } from '@diwan/contract/people/partners';
import { secondFactor, secondFactorPolicy } from '@diwan/contract/people/second-factor';
import { profile } from '@diwan/contract/people/users';
import { attachmentSummary } from '@diwan/contract/requests/attachments';
import { draft, draftSummary } from '@diwan/contract/requests/drafts';
import { message } from '@diwan/contract/requests/messages';
import { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import { requestFigures } from '@diwan/contract/requests/reports';
import { getAllStatuses, publicRequestStatus } from '@diwan/contract/requests/request-lists';
import { requestRecord, requestSummary } from '@diwan/contract/requests/requests';
import { savedFilter } from '@diwan/contract/requests/saved-filters';
import { workflow } from '@diwan/contract/requests/workflow';
import { activeWorkflows } from '@diwan/contract/requests/workflows';
import { userSummary } from '@diwan/contract/staff/user-administration';
import * as admin from './admin-records.ts';
import * as people from './people-records.ts';
import { requestRecordOf, requestSummaryRecord, serviceRecord } from './records.ts';
import * as requests from './request-records.ts';

it.each([
  ['serviceRecord', service.strict(), serviceRecord()],
  ['requestSummaryRecord', requestSummary.strict(), requestSummaryRecord()],
  ['requestRecordOf', requestRecord.strict(), requestRecordOf()],
  ['profileRecord', profile.strict(), people.profileRecord()],
  ['ownSessions', ownSession.strict().array(), people.ownSessions],
  ['secondFactorRecord', secondFactor.strict(), people.secondFactorRecord()],
  ['policyRecord', secondFactorPolicy.strict(), people.policyRecord],
  ['userRecord', userSummary.strict(), people.userRecord()],
  ['companyRecord', companySummary.strict(), people.companyRecord],
  ['companyUsersRecord', companyUsers.strict(), people.companyUsersRecord()],
  ['partnerSummaryRecord', partnerSummary.strict(), people.partnerSummaryRecord],
  ['supervisorRecord', supervisorSummary.strict(), people.supervisorRecord],
  ['partnerRecordOf', partnerRecord.strict(), people.partnerRecordOf()],
  ['auditEventRecord', auditEvent.strict(), people.auditEventRecord],
  ['serviceSummaries', serviceSummary.strict().array(), admin.serviceSummaries(2)],
  ['accountTypeRecords', accountType.strict().array(), admin.accountTypeRecords],
  ['agencyRecords', governmentAgencyWithCount.strict().array(), admin.agencyRecords],
  ['categoryRecords', serviceCategoryWithCount.strict().array(), admin.categoryRecords],
  ['attachmentSummaryRecord', attachmentSummary.strict(), admin.attachmentSummaryRecord],
  ['messageRecord', message.strict(), admin.messageRecord()],
  ['figuresRecord', requestFigures.strict(), admin.figuresRecord()],
  ['workflowRecord', workflow, admin.workflowRecord],
  ['statusRecords', getAllStatuses.reply, requests.statusRecords],
  ['requestSummaries', requestSummary.strict().array(), requests.requestSummaries(2)],
  ['reasonRecords', rejectionReasonCollection.reply, requests.reasonRecords],
  ['savedFilterRecord', savedFilter.strict(), requests.savedFilterRecord()],
  ['formServiceRecord', service.strict(), requests.formServiceRecord()],
  ['savedDraftRecord', draft.strict(), requests.savedDraftRecord()],
  ['draftSummaryRecord', draftSummary.strict(), requests.draftSummaryRecord()],
  ['publicStatusRecord', publicRequestStatus.strict(), requests.publicStatusRecord()],
  ['activeWorkflowsRecord', activeWorkflows.strict(), admin.activeWorkflowsRecord()],
])('%s is what the server may reply', (_name, schema, record) => {
  expect(schema.safeParse(record).error?.issues ?? []).toEqual([]);
});
