import * as calendars from './calendars/calendar-calls.ts';
import * as accountTypes from './catalogue/account-types.ts';
import * as agencies from './catalogue/agencies.ts';
import * as categories from './catalogue/categories.ts';
import * as closures from './catalogue/closures.ts';
import * as eligibility from './catalogue/eligibility.ts';
import * as logos from './catalogue/logos.ts';
import * as partnerServices from './catalogue/partner-services.ts';
import * as searches from './catalogue/searches.ts';
import * as serviceDesigns from './catalogue/service-designs.ts';
import * as services from './catalogue/services.ts';
import * as transfer from './catalogue/transfer.ts';
import * as announcements from './content/announcements.ts';
import * as attachmentTypes from './content/attachment-types.ts';
import * as certificates from './content/certificates.ts';
import * as complaintDocuments from './content/complaint-documents.ts';
import * as complaints from './content/complaints.ts';
import * as issuedCertificates from './content/issued-certificates.ts';
import * as legalPages from './content/legal-pages.ts';
import * as portalDetails from './content/portal-details.ts';
import * as sitemap from './content/sitemap.ts';
import * as status from './content/status.ts';
import * as texts from './content/texts.ts';
import * as closings from './payments/closings.ts';
import * as paymentEvents from './payments/events.ts';
import * as journal from './payments/journal.ts';
import * as ledger from './payments/ledger.ts';
import * as paymentLists from './payments/payment-lists.ts';
import * as payouts from './payments/payouts.ts';
import * as paymentProviders from './payments/providers.ts';
import * as receiptRuns from './payments/receipt-runs.ts';
import * as referralCodes from './payments/referral-codes.ts';
import * as sellers from './payments/sellers.ts';
import * as settlementFiles from './payments/settlement-files.ts';
import * as vatReport from './payments/vat-report.ts';
import * as accounts from './people/accounts.ts';
import * as acting from './people/acting.ts';
import * as audit from './people/audit.ts';
import * as changes from './people/changes.ts';
import * as communicationTypes from './people/communication-types.ts';
import * as companies from './people/companies.ts';
import * as partnerRegistration from './people/partner-registration.ts';
import * as partners from './people/partners.ts';
import * as secondFactor from './people/second-factor.ts';
import * as setup from './people/setup.ts';
import * as snippets from './people/snippets.ts';
import * as users from './people/users.ts';
import * as auditLog from './portal/audit-log.ts';
import * as readiness from './portal/readiness.ts';
import * as assignments from './processing/assignments.ts';
import * as objections from './processing/objections.ts';
import * as pendingActions from './processing/pending-actions.ts';
import * as waitingCharges from './processing/waiting-charges.ts';
import * as withdrawals from './processing/withdrawals.ts';
import * as attachments from './requests/attachments.ts';
import * as drafts from './requests/drafts.ts';
import * as messages from './requests/messages.ts';
import * as payments from './requests/payments.ts';
import * as providerDocuments from './requests/provider-documents.ts';
import * as rejectionReasons from './requests/rejection-reasons.ts';
import * as reports from './requests/reports.ts';
import * as requestActions from './requests/request-actions.ts';
import * as requestCosts from './requests/request-costs.ts';
import * as requestLists from './requests/request-lists.ts';
import * as requests from './requests/requests.ts';
import * as savedFilters from './requests/saved-filters.ts';
import * as workflows from './requests/workflows.ts';
import * as accessLog from './staff/access-log.ts';
import * as notifications from './staff/notifications.ts';
import * as roleChanges from './staff/role-changes.ts';
import * as staffInvitations from './staff/staff-invitations.ts';
import * as teams from './staff/teams.ts';
import * as urgentReading from './staff/urgent-reading.ts';
import * as userAdministration from './staff/user-administration.ts';
import type { Call } from './wire/call.ts';
import * as health from './wire/health.ts';

/** Whether a value that a module exports is a call. */
export function isCall(value: unknown): value is Call {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'path' in value &&
    'who' in value
  );
}

/**
 * Every call of the product, for OpenAPI and for the tests that walk them. A test fails when a file
 * of the contract is missing here.
 */
export const allCalls: readonly Call[] = [
  accessLog,
  accountTypes,
  accounts,
  acting,
  agencies,
  announcements,
  status,
  legalPages,
  certificates,
  complaintDocuments,
  complaints,
  issuedCertificates,
  attachments,
  audit,
  auditLog,
  categories,
  changes,
  calendars,
  closures,
  communicationTypes,
  companies,
  drafts,
  eligibility,
  health,
  logos,
  messages,
  partnerServices,
  partnerRegistration,
  partners,
  payments,
  paymentLists,
  closings,
  paymentEvents,
  portalDetails,
  readiness,
  paymentProviders,
  receiptRuns,
  settlementFiles,
  vatReport,
  assignments,
  objections,
  waitingCharges,
  withdrawals,
  pendingActions,
  journal,
  sellers,
  ledger,
  payouts,
  providerDocuments,
  attachmentTypes,
  referralCodes,
  rejectionReasons,
  reports,
  requestActions,
  requestCosts,
  requestLists,
  requests,
  roleChanges,
  savedFilters,
  notifications,
  snippets,
  searches,
  secondFactor,
  serviceDesigns,
  services,
  setup,
  sitemap,
  texts,
  transfer,
  staffInvitations,
  teams,
  urgentReading,
  userAdministration,
  users,
  workflows,
].flatMap((noun) => Object.values(noun).filter(isCall));
