import type { Call } from './call.ts';
import * as accountTypes from './account-types.ts';
import * as agencies from './agencies.ts';
import * as attachments from './attachments.ts';
import * as categories from './categories.ts';
import * as health from './health.ts';
import * as payments from './payments.ts';
import * as requests from './requests.ts';
import * as services from './services.ts';
import * as users from './users.ts';

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'who' in value;
}

/** Every call of the product, for OpenAPI and for the tests that walk them. */
export const allCalls: readonly Call[] = [accountTypes, agencies, attachments, categories, health, payments, requests, services, users].flatMap((noun) => Object.values(noun).filter(isCall));
