import { passesLuhn } from '../forms/answer-values.ts';
import { checkContacts } from '../forms/contact-details.ts';
import type { ValidationIssue } from '../wire/errors.ts';
import { cleanIdentifier } from '../wire/typed-text.ts';
import { findPasswordChangeErrors } from './password.ts';

/** The input of a registration. */
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

/** The names of a company (one is enough) and the number of its trade licence. */
export interface CompanyDetails {
  nameAr?: string | undefined;
  nameEn?: string | undefined;
  nameUr?: string | undefined;
  licenceNumber: string;
}

/**
 * Excludes the characters `@` and `+`, so that one field can take a username, an e-mail address or
 * a mobile number.
 */
const usernamePattern = /^[a-z][a-z0-9._-]{2,39}$/;
const licencePattern = /^[\p{L}\p{N}][\p{L}\p{N} ./-]{2,39}$/u;

/** A username as it is stored: lower case, Latin digits, no invisible marks. */
export const normalizeUsername = (text: string): string => cleanIdentifier(text).toLowerCase();

function findUsernameIssues(text: string): ValidationIssue[] {
  const username = normalizeUsername(text);
  if (username === '') return [{ field: 'username', code: 'required' }];
  return usernamePattern.test(username) && !username.startsWith('uaepass-')
    ? []
    : [{ field: 'username', code: 'username' }];
}

/** An e-mail address in lower case, or a mobile number in E.164; `undefined` when it is neither. */
export function findContactAddress(channel: 'email' | 'sms', text: string): string | undefined {
  const { values, issues } = checkContacts(
    { address: channel === 'email' ? 'email' : 'mobile' },
    { address: text },
  );
  return issues.length > 0 ? undefined : values.address.toLowerCase();
}

/**
 * An Emirates ID in its usual spelling, whatever its check digit; `undefined` when it is not one.
 */
export function findEmiratesId(text: string): string | undefined {
  const digits = cleanIdentifier(text).replace(/[\s\-‐-–—.]/g, '');
  return /^784\d{12}$/.test(digits)
    ? digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4')
    : undefined;
}

/** Whether the check digit is correct (Luhn). Some real cards fail, so a wrong digit only warns. */
export function hasValidCheckDigit(emiratesId: string): boolean {
  return passesLuhn(emiratesId.replace(/\D/g, ''));
}

/** A trade licence number as it is stored: Latin digits, single spaces, capitals. */
export const normalizeLicenceNumber = (text: string): string =>
  cleanIdentifier(text.normalize('NFKC')).replace(/\s+/g, ' ').toUpperCase();

function findCompanyIssues({
  nameAr = '',
  nameEn = '',
  nameUr = '',
  licenceNumber,
}: CompanyDetails): ValidationIssue[] {
  const names = [
    ['company.nameAr', nameAr, 'nameInArabic'],
    ['company.nameEn', nameEn, 'nameInEnglish'],
    ['company.nameUr', nameUr, 'nameInUrdu'],
  ] as const;
  const licence = normalizeLicenceNumber(licenceNumber);
  return [
    ...(names.every(([, name]) => name.trim() === '')
      ? [{ field: 'company.nameAr', code: 'required' } as const]
      : []),
    ...names.flatMap(([field, name, kind]): ValidationIssue[] =>
      name.trim() === ''
        ? []
        : checkContacts({ name: kind }, { name }).issues.map((issue) => ({ ...issue, field })),
    ),
    ...(licence === ''
      ? [{ field: 'company.licenceNumber', code: 'required' } as const]
      : licencePattern.test(licence)
        ? []
        : [{ field: 'company.licenceNumber', code: 'pattern' } as const]),
  ];
}

/**
 * The problems of the two password fields of a registration, by field. The password must not
 * consist of `personalNames`.
 */
export function findNewPasswordIssues(
  password: string,
  confirmPassword: string,
  personalNames: readonly string[],
): ValidationIssue[] {
  const errors = findPasswordChangeErrors(
    { oldPassword: '-', newPassword: password, confirmNewPassword: confirmPassword },
    personalNames,
  );
  return [
    ...errors.newPassword.map((code) => ({ field: 'password', code })),
    ...errors.confirmNewPassword.map((code) => ({ field: 'confirmPassword', code })),
  ];
}

/**
 * Validates and cleans a registration, in the browser and on the server alike. `values` are as they
 * are stored.
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
  const emiratesId = findEmiratesId(typedId);
  return {
    values: {
      ...values,
      email: values.email.toLowerCase(),
      username: normalizeUsername(details.username),
      emiratesId,
    },
    // In the order of the form.
    issues: [
      ...(details.company ? findCompanyIssues(details.company) : []),
      ...issues,
      ...(typedId !== '' && emiratesId === undefined
        ? [{ field: 'emiratesId', code: 'emiratesId' } as const]
        : []),
      ...findUsernameIssues(details.username),
      ...findNewPasswordIssues(details.password, details.confirmPassword, [
        normalizeUsername(details.username),
        ...details.fullName.split(/\s+/),
      ]),
    ],
  };
}
