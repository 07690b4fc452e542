import { z } from 'zod';
import { isRealDay } from '../wire/days.ts';
import { emirates } from './emirates.ts';

/** Whether a text is a tax registration number (TRN) of the UAE: 15 digits from 1 to 03. Empty: none. */
export const isTaxNumber = (text: string): boolean => /^(1\d{12}03)?$/.test(text);

/** A TRN, or an empty text. */
export const taxNumber = z.string().trim().max(15).refine(isTaxNumber);

/** An address in the UAE, as invoices show it; empty texts are not given. */
export const postalAddress = {
  street: z.string().trim().max(200),
  city: z.string().trim().max(100),
  emirate: z.enum(['', ...emirates]),
};

/** What a company says about itself for its invoices; empty texts are not given. */
export const companyDetails = z.object({
  ...postalAddress,
  trn: taxNumber,
  licenceNumber: z.string().trim().max(40),
  /** Who issued the trade licence. */
  licenceAuthority: z.string().trim().max(100),
  /** A day (YYYY-MM-DD). */
  licenceExpiresOn: z
    .string()
    .max(10)
    .refine((day) => day === '' || isRealDay(day)),
});
export type CompanyDetails = z.infer<typeof companyDetails>;

/** The parts of an address that are missing: all of them are given, or none. */
export const findMissingAddress = (
  address: Pick<CompanyDetails, keyof typeof postalAddress>,
): (keyof typeof postalAddress)[] => {
  const missing = (['street', 'city', 'emirate'] as const).filter(
    (part) => address[part].trim() === '',
  );
  return missing.length === 3 ? [] : missing;
};
