import { z } from 'zod';
import { defineCall } from '../wire/call.ts';

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
