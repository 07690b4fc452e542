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

/**
 * The rules that a password breaks, in the order of `passwordRules`. With `isOptional` an empty
 * value breaks none. `personalNames`, such as the username, must not make up most of the password.
 * Source: specification §5, design §11.
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
  const broken: [PasswordRule, boolean][] = [
    ['PasswordMinLengthIs12', length < minimumPasswordLength],
    ['PasswordMaxLengthIs50', length > maximumPasswordLength],
    ['PasswordCannotContainSpaces', /\s/u.test(password)],
    ['OneLowercaseCharacterIsRequired', !/[a-z]/.test(password)],
    ['OneUppercaseCharacterIsRequired', !/[A-Z]/.test(password)],
    ['OneNumberIsRequired', !/[0-9]/.test(password)],
    [
      'OneSpecialCharacterIsRequired',
      ![...specialCharacters].some((character) => password.includes(character)),
    ],
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
