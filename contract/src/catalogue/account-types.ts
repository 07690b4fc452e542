import { z } from 'zod';
import { contentReaders, defineCall, editors } from '../wire/call.ts';
import { recordVersion } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';
import { editedText, maximumGroupDescriptionLength, maximumGroupNameLength } from './groups.ts';

/** The account type of an address segment. Source: specification §3. */
export const accountTypeIds = { individuals: 1, companies: 2, investors: 3 } as const;
export type AccountTypeSlug = keyof typeof accountTypeIds;

/**
 * An account type. `alt` is the text of its icon, `slug` its segment in addresses. Texts are in the
 * caller's language.
 */
export const accountType = z.object({
  accountTypeId: z.int(),
  accountTypeName: z.string(),
  alt: z.string(),
  description: z.string(),
  slug: z.string(),
  logo: z.string(),
  servicesCount: z.int(),
});
export type AccountType = z.infer<typeof accountType>;

export const getAllAccountTypes = defineCall({
  name: 'getAllAccountTypes',
  method: 'GET',
  path: '/api/AccountType/GetAllAccountTypes',
  who: 'anyone',
  summary: 'The account types with the number of their services',
  reply: z.array(accountType),
  refusals: [],
});

export const getAllAccountTypesByLogo = defineCall({
  name: 'getAllAccountTypesByLogo',
  method: 'GET',
  path: '/api/AccountType/GetAllAccountTypesByLogo',
  who: 'anyone',
  summary: 'The account types with the data of an icon grid',
  reply: z.array(
    accountType.pick({
      accountTypeId: true,
      accountTypeName: true,
      alt: true,
      slug: true,
      logo: true,
    }),
  ),
  refusals: [],
});

/** An account type as an admin sees it: its id and address segment are fixed (specification §3). */
export const accountTypeRecord = z.object({
  id: z.int(),
  slug: z.string(),
  name: localizedText,
  alt: localizedText,
  description: localizedText,
  logo: z.string(),
  version: z.int(),
});
export type AccountTypeRecord = z.infer<typeof accountTypeRecord>;

/** Our own calls: see docs/unknowns.md. */
export const getAccountTypeRecords = defineCall({
  name: 'getAccountTypeRecords',
  method: 'GET',
  path: '/api/AccountType/GetAccountTypeRecords',
  who: contentReaders,
  summary: 'The account types in three languages',
  reply: z.array(accountTypeRecord),
  refusals: [],
});

export const saveAccountType = defineCall({
  name: 'saveAccountType',
  method: 'POST',
  path: '/api/AccountType/SaveAccountType',
  who: editors,
  summary: 'Change the texts of an account type; answers every one',
  body: z.object({
    id: z.int().min(1).max(3),
    version: recordVersion,
    name: editedText(maximumGroupNameLength),
    alt: editedText(maximumGroupNameLength),
    description: editedText(maximumGroupDescriptionLength),
  }),
  reply: z.array(accountTypeRecord),
  refusals: ['NotFound', 'RecordHasChanged'],
});
