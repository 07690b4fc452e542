import { z } from 'zod';
import { editedText } from '../catalogue/groups.ts';
import { findMissingAddress, postalAddress, taxNumber } from '../forms/parties.ts';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { recordId, versionOrNew } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';

/** What registers a seller: a trade licence, or the decision of the cabinet that founded an authority. */
export const registrationKinds = ['tradeLicence', 'cabinetDecision'] as const;

const details = {
  ...postalAddress,
  trn: taxNumber,
  registrationKind: z.enum(['', ...registrationKinds]),
  registrationNumber: z.string().trim().max(60),
  /** Who issued the trade licence. */
  registrationAuthority: z.string().trim().max(100),
};
const agencyId = recordId;

/**
 * A seller as invoices name it: the operator of the portal, which has no agency, or an agency.
 * `isOwnSeller`: the agency sells its own fees, else the operator does. `version` 0: not stored; the
 * operator is then the one of the settings, in the sandbox an example.
 */
export const seller = z.object({
  agencyId: agencyId.optional(),
  agencyName: localizedText.optional(),
  isOwnSeller: z.boolean(),
  legalName: localizedText,
  ...details,
  version: versionOrNew,
});
export type Seller = z.infer<typeof seller>;

/**
 * What is missing of a seller: the rest of an address, the number of a registration and who issued a
 * licence, and the address of an agency that sells its own fees.
 */
export function findMissingOfSeller(
  of: Omit<Seller, 'legalName' | 'version'>,
): (keyof typeof details)[] {
  const { registrationKind: kind, registrationNumber, registrationAuthority } = of;
  const hasNoAddress = [of.street, of.city, of.emirate].every((part) => part.trim() === '');
  return [
    ...(of.isOwnSeller && hasNoAddress
      ? (['street', 'city', 'emirate'] as const)
      : findMissingAddress(of)),
    ...(kind !== '' && registrationNumber.trim() === '' ? (['registrationNumber'] as const) : []),
    ...(kind === '' && registrationNumber.trim() !== '' ? (['registrationKind'] as const) : []),
    ...(kind === 'tradeLicence' && registrationAuthority.trim() === ''
      ? (['registrationAuthority'] as const)
      : []),
  ];
}

/** Our own calls: the specification does not show who sells. See docs/unknowns.md. */
export const getSellers = defineCall({
  name: 'getSellers',
  method: 'GET',
  path: '/api/Payment/GetSellers',
  who: moneyReaders,
  summary: 'The operator and the agencies as invoices name them, the operator first',
  reply: z.array(seller),
  refusals: [],
});

/** An address has street, city and emirate or none of them; a registration its kind and its number. */
export const saveSeller = defineCall({
  name: 'saveSeller',
  method: 'POST',
  path: '/api/Payment/SaveSeller',
  who: money,
  summary: 'Change what invoices say about the operator or an agency; earlier invoices stay',
  body: z.object({
    agencyId: agencyId.optional(),
    isOwnSeller: z.boolean(),
    legalName: editedText(200),
    ...details,
    version: versionOrNew,
  }),
  reply: z.array(seller),
  refusals: ['NotFound', 'RecordHasChanged'],
});
