import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Answers } from '@diwan/contract/forms/forms';

// The entry of an index is short, and normalization lengthens some ligatures eighteenfold. Number
// and phone stay whole.
const maximumName = 400;

/**
 * The text that keywords are searched in, besides the names of services and agencies: the number
 * and the phone in every usual spelling, and the applicant's name.
 */
function searchTextOf(number: string, applicantName: string, phoneNumber: string): string {
  const local = phoneNumber.replace(/^\+971/, '0');
  const name = Array.from(normalizeText(applicantName)).slice(0, maximumName).join('');
  return normalizeText([number, number.replaceAll('-', ''), name, phoneNumber, local].join(' '));
}

/**
 * The columns of `requests` that say who the applicant is and how to reach them: from the answers,
 * else from the account.
 */
export function applicantColumns(
  number: string,
  answers: Answers,
  account: { fullName: string; phoneNumber: string },
): { applicant_name: string; phone_number: string; search_text: string } {
  const answerOr = (name: string, fallback: string) => {
    const answer = answers[name];
    return typeof answer === 'string' && answer !== '' ? answer : fallback;
  };
  const applicantName = answerOr('applicantName', account.fullName);
  const phoneNumber = answerOr('applicantMobile', account.phoneNumber);
  return {
    applicant_name: applicantName,
    phone_number: phoneNumber,
    search_text: searchTextOf(number, applicantName, phoneNumber),
  };
}
