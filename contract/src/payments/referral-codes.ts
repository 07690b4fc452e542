import { z } from 'zod';
import { editedText } from '../catalogue/groups.ts';
import { typedReferralCode } from '../requests/request-actions.ts';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { isRealDay } from '../wire/days.ts';
import { recordVersion, versionOrNew } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';
import { fils } from '../wire/money.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** `planned`: valid from a later moment. `usedUp`: it was used as often as it can be. */
export const referralCodeStates = ['active', 'planned', 'usedUp', 'ended'] as const;
export type ReferralCodeState = (typeof referralCodeStates)[number];

/** What a code is made of; small letters are read as large ones. */
export const referralCodeForm = /^[A-Z0-9][A-Z0-9-]{2,39}$/;
/** The longest name of a code, in one language. */
export const maximumReferralNameLength = 200;
/** The most uses that a code can have. */
export const maximumReferralUses = 1_000_000;

const day = z.string().max(10).refine(isRealDay, 'is no day');
const code = z
  .string()
  .trim()
  .max(40)
  .transform((text) => text.toUpperCase())
  .pipe(z.string().regex(referralCodeForm));

/**
 * A referral code. Days are those of Asia/Dubai, both included. A code that has been used cannot be
 * changed, only ended.
 */
export const referralCode = z.object({
  code: z.string(),
  name: localizedText,
  validFrom: z.string(),
  validUntil: z.string().optional(),
  mostUses: z.int().optional(),
  uses: z.int(),
  state: z.enum(referralCodeStates),
  version: z.int(),
});
export type ReferralCode = z.infer<typeof referralCode>;

/** Our own calls: the specification shows only the check of a code. */
export const getReferralCodes = defineCall({
  name: 'getReferralCodes',
  method: 'GET',
  path: '/api/ReferralCode/GetReferralCodes',
  who: moneyReaders,
  summary: 'Referral codes with how often each was used, the newest first',
  query: z.object({
    State: z.enum(referralCodeStates).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(referralCode),
  refusals: [],
});

export const saveReferralCode = defineCall({
  name: 'saveReferralCode',
  method: 'POST',
  path: '/api/ReferralCode/SaveReferralCode',
  who: money,
  summary: 'Add a referral code, or change one that nobody has used; version 0 adds',
  body: z.object({
    code,
    version: versionOrNew,
    name: editedText(maximumReferralNameLength),
    validFrom: day,
    validUntil: day.optional(),
    mostUses: z.int().min(1).max(maximumReferralUses).optional(),
  }),
  reply: referralCode,
  refusals: ['NotFound', 'ReferralCodeTaken', 'ReferralCodeIsUsed', 'RecordHasChanged'],
});

export const endReferralCode = defineCall({
  name: 'endReferralCode',
  method: 'POST',
  path: '/api/ReferralCode/EndReferralCode',
  who: money,
  summary: 'End a referral code now; requests that used it keep it',
  body: z.object({ code, version: recordVersion }),
  reply: referralCode,
  refusals: ['NotFound', 'RecordHasChanged'],
});

export const getReferralCodeUses = defineCall({
  name: 'getReferralCodeUses',
  method: 'GET',
  path: '/api/ReferralCode/GetReferralCodeUses',
  who: moneyReaders,
  summary: 'The requests that were sent with a referral code, the newest first',
  query: z.object({ Code: code, PageNumber: pageNumber, Take: take }),
  reply: pageOf(
    z.object({
      requestNumber: z.string(),
      serviceName: z.string(),
      total: fils,
      sentAt: z.string(),
    }),
  ),
  refusals: ['NotFound'],
});

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
  query: z.object({ refferalCode: typedReferralCode.min(1) }),
  reply: z.object({ isValid: z.boolean(), name: z.string().optional() }),
  refusals: ['TooManyRequests'],
});
