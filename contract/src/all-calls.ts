import type { Call } from './wire/call.ts';
import * as accountTypes from './catalogue/account-types.ts';
import * as accounts from './people/accounts.ts';
import * as acting from './people/acting.ts';
import * as agencies from './catalogue/agencies.ts';
import * as attachments from './requests/attachments.ts';
import * as audit from './people/audit.ts';
import * as categories from './catalogue/categories.ts';
import * as communicationTypes from './people/communication-types.ts';
import * as companies from './people/companies.ts';
import * as companyUsers from './people/company-users.ts';
import * as drafts from './requests/drafts.ts';
import * as eligibility from './forms/eligibility.ts';
import * as health from './wire/health.ts';
import * as messages from './requests/messages.ts';
import * as partnerRegistration from './people/partner-registration.ts';
import * as partnerSupervisors from './people/partner-supervisors.ts';
import * as partners from './people/partners.ts';
import * as payments from './requests/payments.ts';
import * as referralCodes from './requests/referral-codes.ts';
import * as rejectionReasons from './requests/rejection-reasons.ts';
import * as reports from './requests/reports.ts';
import * as requestAttachments from './requests/request-attachments.ts';
import * as requestFinds from './requests/request-finds.ts';
import * as requestRefunds from './requests/request-refunds.ts';
import * as requestState from './requests/request-state.ts';
import * as requestReads from './requests/request-reads.ts';
import * as requests from './requests/requests.ts';
import * as savedFilters from './requests/saved-filters.ts';
import * as secondFactor from './people/second-factor.ts';
import * as serviceProviderAttachments from './requests/service-provider-attachments.ts';
import * as services from './catalogue/services.ts';
import * as sitemap from './catalogue/sitemap.ts';
import * as users from './people/users.ts';
import * as workflows from './requests/workflows.ts';

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
