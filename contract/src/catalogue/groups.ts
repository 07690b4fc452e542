import { z } from 'zod';
import { emirates } from '../forms/emirates.ts';
import { recordId, recordVersion } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';
import { discountRules } from './fees.ts';

/** The longest name and description of an agency, category or account type, in one language. */
export const maximumGroupNameLength = 200;
export const maximumGroupDescriptionLength = 1000;
/** The longest text of an agency about its centres, in one language. */
export const maximumCentresLength = 2000;

/** A text in three languages as an admin writes it: trimmed, and not blank in any language. */
export const editedText = (maximum: number) => {
  const text = z.string().trim().min(1).max(maximum);
  return z.strictObject({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
};

/**
 * An agency or a category as an admin sees it. `slug` names it in files. A retired one is not shown
 * to visitors; requests that have it still show it. `servicesCount` counts services that people can
 * request.
 */
export const groupRecord = z.object({
  id: z.int(),
  slug: z.string(),
  name: localizedText,
  description: localizedText.optional(),
  logo: z.string(),
  isRetired: z.boolean(),
  version: z.int(),
  servicesCount: z.int(),
  /** Of an agency: what it takes off the fees of its services. */
  discounts: discountRules.optional(),
  /** Of an agency: the addresses and hours of the agency's centres. */
  centres: localizedText.optional(),
  /** Of an agency: where it supplies its services, for VAT; null where that is not known. */
  emirate: z.enum(emirates).nullable().optional(),
  /** Of an agency: how many administrators of it can sign in. */
  administratorsCount: z.int().optional(),
  /** Of an agency without an administrator: when the last one left, ISO 8601 in UTC. */
  administratorLostAt: z.iso.datetime().optional(),
});
export type GroupRecord = z.infer<typeof groupRecord>;

/** The path of a logo: one of the portal's files, or one that an admin uploaded. */
export const logoPath = z
  .string()
  .regex(/^\/logos\/([a-z-]+\/)?[a-z0-9-]+\.(svg|png)$/)
  .max(200);

/**
 * The input of an admin: without `id` a new group; with `id` its new texts, its logo, and whether it
 * is retired. Without `logo` the logo stays, and a new group has a neutral one.
 */
export const groupChange = z.object({
  id: recordId.optional(),
  version: recordVersion.optional(),
  name: editedText(maximumGroupNameLength),
  logo: logoPath.optional(),
  isRetired: z.boolean().optional(),
});
/**
 * An agency also has discounts, the addresses and hours of its centres, and an emirate, of which `null` takes
 * the last two away; without them they stay as they are.
 */
export const agencyChange = groupChange.extend({
  discounts: discountRules.optional(),
  centres: editedText(maximumCentresLength).nullable().optional(),
  emirate: z.enum(emirates).nullable().optional(),
});
/** A category also has a description. */
export const describedGroupChange = groupChange.extend({
  description: editedText(maximumGroupDescriptionLength),
});
export type GroupChange = z.infer<typeof groupChange> &
  Partial<Pick<z.infer<typeof describedGroupChange>, 'description'>> &
  Pick<z.infer<typeof agencyChange>, 'discounts' | 'centres' | 'emirate'>;

/** The ids of all groups, retired ones too, in their new order. */
export const groupOrder = z.object({ ids: z.array(recordId).min(1).max(2000) });
