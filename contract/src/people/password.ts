import type { ValidationCode } from '../wire/errors.ts';
import { isWellKnownPassword } from './well-known-passwords.ts';

/** Lengths in characters (code points after NFC normalisation). Source: specification §5, §9. */
export const minimumPasswordLength = 12;
export const maximumPasswordLength = 50;
/** The characters that count as special; others are allowed too. Source: specification §5. */
export const specialCharacters = '!@#$%^&*';

/** The rules for a new password, shown while the user types. Each is a translation key. */
export const passwordRules = [
  'PasswordMinLengthIs12',
  'PasswordMaxLengthIs50',
  'PasswordCannotContainSpaces',
  'OneLowercaseCharacterIsRequired',
  'OneUppercaseCharacterIsRequired',
  'OneNumberIsRequired',
  'OneSpecialCharacterIsRequired',
  'PasswordIsTooWellKnown',
  'NewPasswordMustBeDifferentFromTheOldPassword',
] as const satisfies readonly ValidationCode[];
export type PasswordRule = (typeof passwordRules)[number];
/** What can be wrong with a password that the user chooses. */
export type PasswordError =
  | PasswordRule
  | Extract<
      ValidationCode,
      | 'OldPasswordIsRequired'
      | 'NewPasswordIsRequired'
      | 'ConfirmNewPasswordIsRequired'
      | 'NewPasswordAndConfirmNewPasswordDoNotMatch'
    >;

const isBlank = (text: string): boolean => /^\s*$/u.test(text);

/** Whether a value breaks each part of the password rule, by the keys of specification §5. */
const passwordRuleTests = {
  upperCase: (value: string) => !/[A-Z]/.test(value),
  lowerCase: (value: string) => !/[a-z]/.test(value),
  number: (value: string) => !/[0-9]/.test(value),
  specialChar: (value: string) =>
    ![...specialCharacters].some((character) => value.includes(character)),
  spaces: (value: string) => /\s/u.test(value),
} as const;

/** The parts of the password rule that a value breaks. */
export type PasswordRuleErrors = Partial<Record<keyof typeof passwordRuleTests, true>>;

/**
 * The password rule: the parts that a value breaks, by the keys of the specification; null for a
 * valid value. With `isOptional` an empty value is valid. Source: specification §5.
 */
export function checkPasswordRule(
  value: string,
  { isOptional = false }: { isOptional?: boolean } = {},
): PasswordRuleErrors | null {
  if (value === '' && isOptional) return null;
  const broken = Object.entries(passwordRuleTests).filter(([, isBroken]) => isBroken(value));
  return broken.length === 0
    ? null
    : (Object.fromEntries(broken.map(([key]) => [key, true])) as PasswordRuleErrors);
}

/**
 * The message keys of what a password breaks, in the order of `passwordRules`. With `isOptional` an
 * empty value breaks nothing. `personalNames`, such as the username, must not make up most of the
 * password. Source: specification §5, design §11.
 */
export function findPasswordErrors(
  password: string,
  {
    isOptional = false,
    personalNames = [],
  }: { isOptional?: boolean; personalNames?: readonly string[] } = {},
): PasswordRule[] {
  if (password === '' && isOptional) return [];
  const length = [...password.normalize('NFC')].length;
  const rule = checkPasswordRule(password) ?? {};
  const broken: [PasswordRule, boolean | undefined][] = [
    ['PasswordMinLengthIs12', length < minimumPasswordLength],
    ['PasswordMaxLengthIs50', length > maximumPasswordLength],
    ['PasswordCannotContainSpaces', rule.spaces],
    ['OneLowercaseCharacterIsRequired', rule.lowerCase],
    ['OneUppercaseCharacterIsRequired', rule.upperCase],
    ['OneNumberIsRequired', rule.number],
    ['OneSpecialCharacterIsRequired', rule.specialChar],
    // Checked only for a valid length: a shorter password already breaks the rule for its length.
    [
      'PasswordIsTooWellKnown',
      length >= minimumPasswordLength &&
        length <= maximumPasswordLength &&
        isWellKnownPassword(password, personalNames),
    ],
  ];
  return broken.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}

/** The input of a password change. */
export interface PasswordChange {
  oldPassword: string;
  newPassword: string;
  confirmNewPassword: string;
}

/** The errors of a password change, by field. The browser and the server both use it. */
export function findPasswordChangeErrors(
  change: PasswordChange,
  personalNames: readonly string[] = [],
): Record<keyof PasswordChange, PasswordError[]> {
  const { oldPassword, newPassword, confirmNewPassword } = change;
  const isSame = newPassword !== '' && newPassword === oldPassword;
  const confirm: PasswordError[] =
    confirmNewPassword === ''
      ? ['ConfirmNewPasswordIsRequired']
      : confirmNewPassword === newPassword
        ? []
        : ['NewPasswordAndConfirmNewPasswordDoNotMatch'];
  return {
    oldPassword: isBlank(oldPassword) ? ['OldPasswordIsRequired'] : [],
    newPassword: isBlank(newPassword)
      ? ['NewPasswordIsRequired']
      : [
          ...findPasswordErrors(newPassword, { personalNames }),
          ...(isSame ? ['NewPasswordMustBeDifferentFromTheOldPassword' as const] : []),
        ],
    confirmNewPassword: confirm,
  };
}
