import { z } from 'zod';
import { emirates } from '../forms/emirates.ts';
import { attachmentRule, serviceForm } from '../forms/forms.ts';
import { recordId } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';
import { isVatTreatment } from '../wire/money.ts';
import { accountTypeIds, type AccountTypeSlug } from './account-types.ts';
import { eligibilityRules } from './eligibility.ts';
import { feeRule, maximumObjectionDays, isPercentageComplete, withdrawalRule } from './fees.ts';
import { editedText, logoPath, maximumCentresLength } from './groups.ts';

/** The name of a record in files. */
export const slug = z
  .string()
  .max(120)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const accountTypeSlug = z.enum(Object.keys(accountTypeIds) as [AccountTypeSlug]);

/**
 * A fee as a file has it: `amount` in fils without VAT, `vatRate` in basis points (0 or 500), `vatCategory`
 * where it is zero-rated or exempt.
 */
export const fileFee = feeRule
  .extend({
    name: z.string().trim().min(1).max(60),
    per: z.string().min(1).max(60).optional(),
    percentOf: z.string().min(1).max(60).optional(),
    finesOf: z.string().min(1).max(60).optional(),
  })
  .refine(isVatTreatment, { path: ['vatRate'] })
  .refine(isPercentageComplete, { path: ['percentOf'] });

/**
 * A record of a file. `slug` (of a service: `replacedName`) says which one it is; a field that is
 * missing stays as it is, and a new record needs all fields without a default.
 */
export const fileGroup = z.strictObject({
  slug,
  name: localizedText.optional(),
  logo: logoPath.optional(),
  isRetired: z.boolean().optional(),
});
/**
 * An agency of a file. `centres` has the addresses and hours of its centres, which the pages of its services
 * show; `emirate` is where it supplies its services. `null` takes either away.
 */
export const fileAgency = fileGroup.extend({
  centres: editedText(maximumCentresLength).nullable().optional(),
  emirate: z.enum(emirates).nullable().optional(),
});
/** A category of a file. */
export const fileCategory = fileGroup.extend({ description: localizedText.optional() });
/** An account type of a file; its id is fixed. */
export const fileAccountType = z.strictObject({
  slug: accountTypeSlug,
  name: localizedText.optional(),
  alt: localizedText.optional(),
  description: localizedText.optional(),
});
/** A form with its documents, which several services may have. */
export const fileForm = z.strictObject({
  key: slug,
  form: serviceForm,
  attachments: z.array(attachmentRule).max(50),
});
const nameOrKey = z.string().trim().min(1).max(200);

/** A service of a file. */
export const fileService = z.strictObject({
  replacedName: slug,
  /** The key of an agency, or its name in any language; the same of a category. */
  agency: nameOrKey.optional(),
  category: nameOrKey.optional(),
  accountTypes: z.array(accountTypeSlug).min(1).max(3).optional(),
  name: localizedText.optional(),
  description: localizedText.optional(),
  /** The key of a form of the same file. */
  form: slug.optional(),
  fees: z.array(fileFee).max(50).optional(),
  workingDays: z.int().min(0).max(365).optional(),
  terms: localizedText.optional(),
  steps: z.array(localizedText).min(1).max(30).optional(),
  result: localizedText.optional(),
  issuesDocument: z.boolean().optional(),
  withdrawal: withdrawalRule.optional(),
  objectionDays: z.int().min(0).max(maximumObjectionDays).optional(),
  popularRank: z.int().min(1).max(10_000).nullable().optional(),
  eligibility: eligibilityRules.optional(),
  /** The id of the service provider in this portal. */
  partner: recordId.nullable().optional(),
  isRetired: z.boolean().optional(),
});
/** Words that mean the same in a search. */
export const fileSynonyms = z.strictObject({
  words: z.array(z.string().trim().min(1).max(100)).min(2).max(30),
});

export type FileGroup = z.infer<typeof fileCategory> &
  Pick<z.infer<typeof fileAgency>, 'centres' | 'emirate'>;
export type FileForm = z.infer<typeof fileForm>;
export type FileService = z.infer<typeof fileService>;
export type FileAccountType = z.infer<typeof fileAccountType>;

/** The shape of one entry of each list. `fees` are part of the services in JSON. */
export const fileEntries = {
  accountTypes: fileAccountType,
  agencies: fileAgency,
  categories: fileCategory,
  forms: fileForm,
  services: fileService,
  synonyms: fileSynonyms,
} as const;

/** What a catalogue file says that it is. */
export const catalogueFileFormat = 'diwan-catalogue-1';

/** A checked catalogue file; a list that is missing changes nothing. */
export interface CatalogueFile {
  accountTypes: FileAccountType[];
  agencies: FileGroup[];
  categories: FileGroup[];
  forms: FileForm[];
  services: FileService[];
  synonyms: { words: string[] }[];
}
