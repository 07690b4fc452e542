import type { LocalizedText } from '@diwan/contract/languages';
import { normalizeText } from '../../platform/normalize-text.ts';

export interface SearchableRequest {
  number: string;
  applicantName: string;
  phoneNumber: string;
  serviceName: LocalizedText;
  agencyName: LocalizedText;
}

/** What a keyword is looked for in: number and phone in every way that people write them, names in every language. */
export function searchTextOf({ number, applicantName, phoneNumber, serviceName, agencyName }: SearchableRequest): string {
  const local = phoneNumber.replace(/^\+971/, '0');
  return normalizeText([number, number.replaceAll('-', ''), applicantName, phoneNumber, local, ...Object.values(serviceName), ...Object.values(agencyName)].join(' '));
}
