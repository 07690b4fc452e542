import type { Call } from './call.ts';
import * as accountTypes from './account-types.ts';
import * as accounts from './accounts.ts';
import * as acting from './acting.ts';
import * as agencies from './agencies.ts';
import * as attachments from './attachments.ts';
import * as audit from './audit.ts';
import * as categories from './categories.ts';
import * as communicationTypes from './communication-types.ts';
import * as companies from './companies.ts';
import * as companyUsers from './company-users.ts';
import * as drafts from './drafts.ts';
import * as eligibility from './eligibility.ts';
import * as health from './health.ts';
import * as messages from './messages.ts';
import * as partnerRegistration from './partner-registration.ts';
import * as partnerSupervisors from './partner-supervisors.ts';
import * as partners from './partners.ts';
import * as payments from './payments.ts';
import * as referralCodes from './referral-codes.ts';
import * as rejectionReasons from './rejection-reasons.ts';
import * as reports from './reports.ts';
import * as requestAttachments from './request-attachments.ts';
import * as requestFinds from './request-finds.ts';
import * as requestRefunds from './request-refunds.ts';
import * as requestState from './request-state.ts';
import * as requestReads from './request-reads.ts';
import * as requests from './requests.ts';
import * as savedFilters from './saved-filters.ts';
import * as secondFactor from './second-factor.ts';
import * as serviceProviderAttachments from './service-provider-attachments.ts';
import * as services from './services.ts';
import * as sitemap from './sitemap.ts';
import * as users from './users.ts';
import * as workflows from './workflows.ts';

function isCall(value: unknown): value is Call {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'path' in value &&
    'who' in value
  );
}

/** Every call of the product, for OpenAPI and for the tests that walk them. */
export const allCalls: readonly Call[] = [
  accountTypes,
  accounts,
  acting,
  agencies,
  attachments,
  audit,
  categories,
  communicationTypes,
  companies,
  companyUsers,
  drafts,
  eligibility,
  health,
  messages,
  partnerRegistration,
  partnerSupervisors,
  partners,
  payments,
  referralCodes,
  rejectionReasons,
  reports,
  requestAttachments,
  requestFinds,
  requestReads,
  requestRefunds,
  requestState,
  requests,
  savedFilters,
  secondFactor,
  serviceProviderAttachments,
  services,
  sitemap,
  users,
  workflows,
].flatMap((noun) => Object.values(noun).filter(isCall));
