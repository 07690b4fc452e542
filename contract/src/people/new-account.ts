import { checkContacts } from '../forms/contact-details.ts';
import type { ValidationIssue } from '../wire/errors.ts';
import { passwordChangeFaults } from './password.ts';

/** What somebody types who registers, as it was typed. */
export interface AccountDetails {
  username: string;
  password: string;
  confirmPassword: string;
  fullName: string;
  email: string;
  phoneNumber: string;
  emiratesId?: string | undefined;
  company?: CompanyDetails | undefined;
}

/** The names of a company, of which one is enough, and the number of its trade licence. */
export interface CompanyDetails {
  nameAr?: string | undefined;
  nameEn?: string | undefined;
  nameUr?: string | undefined;
  licenceNumber: string;
}

/** No sign that e-mail addresses and numbers have, so that one box takes all three. */
const usernameForm = /^[a-z][a-z0-9._-]{2,39}$/;
const licenceForm = /^[\p{L}\p{N}][\p{L}\p{N} ./-]{2,39}$/u;

const latinDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/** A username as it is kept: small letters, Latin digits. */
export const readUsername = (text: string): string => latinDigits(text).trim().toLowerCase();

function usernameIssues(text: string): ValidationIssue[] {
  const username = readUsername(text);
  if (username === '') return [{ field: 'username', code: 'required' }];
  return usernameForm.test(username) && !username.startsWith('uaepass-')
    ? []
    : [{ field: 'username', code: 'username' }];
}

/** An e-mail address in small letters, or a mobile number in E.164; `undefined` when it is none. */
export function readAddress(channel: 'email' | 'sms', text: string): string | undefined {
  const { values, issues } = checkContacts(
    { address: channel === 'email' ? 'email' : 'mobile' },
    { address: text },
  );
  return issues.length > 0 ? undefined : values.address.toLowerCase();
}

/** An Emirates ID in its usual form, whatever its check digit says; `undefined` when it is none. */
export function readEmiratesId(text: string): string | undefined {
  const digits = latinDigits(text).replace(/[\s\-‐-–—.]/g, '');
  return /^784\d{12}$/.test(digits)
    ? digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4')
    : undefined;
}

/**
 * Whether the last digit is the one that the others ask for. Some real cards fail, so this warns
 * and forbids nothing.
 */
export function hasRightCheckDigit(emiratesId: string): boolean {
  const sum = [...emiratesId.replace(/\D/g, '')].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** A trade licence number as it is kept: Latin digits, single spaces, capitals. */
export const readLicenceNumber = (text: string): string =>
  latinDigits(text).replace(/\s+/g, ' ').trim().toUpperCase();

function companyIssues({
  nameAr = '',
  nameEn = '',
  nameUr = '',
  licenceNumber,
}: CompanyDetails): ValidationIssue[] {
  const names = [
    ['company.nameAr', nameAr],
    ['company.nameEn', nameEn],
    ['company.nameUr', nameUr],
  ] as const;
  const licence = readLicenceNumber(licenceNumber);
  return [
    ...(names.every(([, name]) => name.trim() === '')
      ? [{ field: 'company.nameAr', code: 'required' } as const]
      : []),
    ...names.flatMap(([field, name]): ValidationIssue[] =>
      name.trim() === ''
        ? []
        : checkContacts({ name: 'name' }, { name }).issues.map((issue) => ({ ...issue, field })),
    ),
    ...(licence === ''
      ? [{ field: 'company.licenceNumber', code: 'required' } as const]
      : licenceForm.test(licence)
        ? []
        : [{ field: 'company.licenceNumber', code: 'pattern' } as const]),
  ];
}

/**
 * What is wrong with the two passwords of somebody whose names are `ownWords`; the fields are
 * called as they are in a registration.
 */
export function newPasswordIssues(
  password: string,
  confirmPassword: string,
  ownWords: readonly string[],
): ValidationIssue[] {
  const faults = passwordChangeFaults(
    { oldPassword: '-', newPassword: password, confirmNewPassword: confirmPassword },
    ownWords,
  );
  return [
    ...faults.newPassword.map((code) => ({ field: 'password', code })),
    ...faults.confirmNewPassword.map((code) => ({ field: 'confirmPassword', code })),
  ];
}

/**
 * Judges and cleans what somebody typed who registers, in the browser and on the server alike.
 * `values` are as they are kept.
 */
export function checkNewAccount(details: AccountDetails): {
  values: {
    username: string;
    fullName: string;
    email: string;
    phoneNumber: string;
    emiratesId?: string | undefined;
  };
  issues: ValidationIssue[];
} {
  const { values, issues } = checkContacts(
    { fullName: 'name', email: 'email', phoneNumber: 'mobile' },
    { fullName: details.fullName, email: details.email, phoneNumber: details.phoneNumber },
  );
  const typedId = details.emiratesId?.trim() ?? '';
  const emiratesId = readEmiratesId(typedId);
  return {
    values: {
      ...values,
      email: values.email.toLowerCase(),
      username: readUsername(details.username),
      emiratesId,
    },
    // In the order of the form.
    issues: [
      ...(details.company ? companyIssues(details.company) : []),
      ...issues,
      ...(typedId !== '' && emiratesId === undefined
        ? [{ field: 'emiratesId', code: 'emiratesId' } as const]
        : []),
      ...usernameIssues(details.username),
      ...newPasswordIssues(details.password, details.confirmPassword, [
        readUsername(details.username),
        ...details.fullName.split(/\s+/),
      ]),
    ],
  };
}
