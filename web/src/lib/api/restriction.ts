import type { Restriction } from '@diwan/contract/wire/call';
import type { SendErrorName } from './send-error.ts';

/**
 * The page that tells somebody who is restricted why, and what they can do about it. Source:
 * specification §4.
 */
export const explanationOf: Readonly<Record<Restriction, string>> = {
  secondFactor: '/account/second-factor',
  inactive: '/partner/profile',
  suspended: '/partner/profile',
};

const byRefusal: Partial<Record<SendErrorName, Restriction>> = {
  SecondFactorSetupRequired: 'secondFactor',
  ServiceProviderInactive: 'inactive',
  ServiceProviderSuspended: 'suspended',
};

/** The page that explains a refusal; `undefined` for one that is not for a restriction. */
export function explanationOfRefusal(name: SendErrorName): string | undefined {
  const restriction = byRefusal[name];
  return restriction && explanationOf[restriction];
}
