import { normalizeText } from '../../../platform/core/normalize-text.ts';

export interface SearchableRequest {
  number: string;
  applicantName: string;
  phoneNumber: string;
}

// An entry of an index is short; a hostile name of ligatures grows eighteenfold. Number and phone
// stay whole.
const longestName = 400;

/**
 * What a keyword is looked for in, beside the names of services and agencies: number and phone in
 * every way that people write them, and the person.
 */
export function searchTextOf({ number, applicantName, phoneNumber }: SearchableRequest): string {
  const local = phoneNumber.replace(/^\+971/, '0');
  const name = Array.from(normalizeText(applicantName)).slice(0, longestName).join('');
  return normalizeText([number, number.replaceAll('-', ''), name, phoneNumber, local].join(' '));
}
