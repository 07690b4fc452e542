import { normalizeText } from '../../platform/normalize-text.ts';

export interface SearchableRequest {
  number: string;
  applicantName: string;
  phoneNumber: string;
}

/** What a keyword is looked for in, beside the names of services and agencies: number and phone in every way that people write them, and the person. */
export function searchTextOf({ number, applicantName, phoneNumber }: SearchableRequest): string {
  const local = phoneNumber.replace(/^\+971/, '0');
  return normalizeText([number, number.replaceAll('-', ''), applicantName, phoneNumber, local].join(' '));
}
