import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { localizedText, type Language } from '../wire/languages.ts';

/**
 * A reason as an admin sees it; a retired one can no longer be chosen and stays wherever it was
 * given.
 */
export const reasonRecord = z.object({
  id: z.int(),
  names: localizedText,
  isRetired: z.boolean(),
  version: z.int(),
});
export type ReasonRecord = z.infer<typeof reasonRecord>;

/** The longest name of a reason in one language, in characters. */
export const longestReasonName = 200;
const name = z.string().trim().max(longestReasonName);

/**
 * What an admin sends: a new reason without `id`; with it, how that one is called from now on and
 * whether it is retired.
 */
export const reasonChange = z.object({
  id: z.int().min(1).optional(),
  version: z.int().min(1).optional(),
  nameAr: name,
  nameEn: name,
  nameUr: name,
  isRetired: z.boolean().optional(),
});
export type ReasonChange = z.infer<typeof reasonChange>;

/** Which part of a change holds the name in a language. */
export const nameFields = {
  'ar-EG': 'nameAr',
  'en-US': 'nameEn',
  'ur-PK': 'nameUr',
} as const satisfies Record<Language, keyof ReasonChange>;

/** Our own calls: the specification shows the page and not what it does. See docs/unknowns.md. */
export const getAllRejectionReasons = defineCall({
  name: 'getAllRejectionReasons',
  method: 'GET',
  path: '/api/RejectionReason/GetAllRejectionReasons',
  who: ['Admin'],
  summary: 'Every reason in three languages, retired ones too',
  reply: z.array(reasonRecord),
  refusals: [],
});
export const saveRejectionReason = defineCall({
  name: 'saveRejectionReason',
  method: 'POST',
  path: '/api/RejectionReason/SaveRejectionReason',
  who: ['Admin'],
  summary: 'Add, rename, retire or restore a reason; answers every reason',
  body: reasonChange,
  reply: z.array(reasonRecord),
  refusals: ['RejectionReasonNotFound', 'ReasonHasChanged', 'ValidationFailed'],
});
