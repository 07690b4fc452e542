import { z } from 'zod';
import { defineCall } from '../wire/call.ts';

/** A code as the user types it; upper and lower case are equal. */
export const referralCode = z.string().trim().max(40);

/**
 * The misspelt parameter is the specification's (§7). The reply is our own: `name` is the owner of
 * the code, in the caller's language, while the code is valid.
 */
export const checkReferralCodeValidity = defineCall({
  name: 'checkReferralCodeValidity',
  method: 'GET',
  path: '/api/ReferralCode/CheckReferralCodeValidity',
  who: 'anyone',
  summary: 'Whether a referral code can be used now',
  query: z.object({ refferalCode: referralCode.min(1) }),
  reply: z.object({ isValid: z.boolean(), name: z.string().optional() }),
  refusals: ['TooManyRequests'],
});
