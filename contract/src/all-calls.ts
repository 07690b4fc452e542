import type { Call } from './call.ts';
import * as accountTypes from './account-types.ts';
import * as accounts from './accounts.ts';
import * as agencies from './agencies.ts';
import * as attachments from './attachments.ts';
import * as audit from './audit.ts';
import * as categories from './categories.ts';
import * as companies from './companies.ts';
import * as companyUsers from './company-users.ts';
import * as health from './health.ts';
import * as partnerRegistration from './partner-registration.ts';
import * as partners from './partners.ts';
import * as payments from './payments.ts';
import * as reports from './reports.ts';
import * as requests from './requests.ts';
import * as secondFactor from './second-factor.ts';
import * as services from './services.ts';
import * as sitemap from './sitemap.ts';
import * as users from './users.ts';

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'who' in value;
}

/** Every call of the product, for OpenAPI and for the tests that walk them. */
export const allCalls: readonly Call[] = [accountTypes, accounts, agencies, attachments, audit, categories, companies, companyUsers, health, partnerRegistration, partners, payments, reports, requests, secondFactor, services, sitemap, users].flatMap((noun) => Object.values(noun).filter(isCall));
