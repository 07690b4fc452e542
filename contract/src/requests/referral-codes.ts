import { z } from 'zod';
import { defineCall } from '../wire/call.ts';

/** As people type it; letters count the same in both cases. */
export const referralCode = z.string().trim().max(40);

/**
 * The misspelt parameter is the specification's (§7). What the call answers is not shown: `name` is
 * whose code it is, in the caller's language, while it can be used.
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
