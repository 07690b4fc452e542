import { expect, it } from 'vitest';
import { applicantColumns } from './applicant-columns.ts';

const account = { fullName: 'أَحْمَد Khan', phoneNumber: '+971501234567' };

it('takes the applicant of the account, and makes their name and number searchable', () => {
  expect(applicantColumns('DW26-00001-00002', {}, account)).toEqual({
    applicant_name: account.fullName,
    phone_number: account.phoneNumber,
    search_text: 'dw26 00001 00002 dw260000100002 احمد khan 971501234567 0501234567',
  });
});

it('prefers the applicant of the answers', () => {
  const answers = { applicantName: 'Sara', applicantMobile: '+971502223344' };
  expect(applicantColumns('DW26-00001-00002', answers, account)).toMatchObject({
    applicant_name: 'Sara',
    phone_number: '+971502223344',
  });
});
