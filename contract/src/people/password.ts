import { isWellKnownPassword } from './well-known-passwords.ts';

/** Lengths in characters as people count them. Source: specification §5, §9. */
export const passwordMinimum = 12;
export const passwordMaximum = 50;
/** Exactly these count as special; others may be in a password too. Source: specification §5. */
export const specialCharacters = '!@#$%^&*';

/**
 * What can be wrong with a password that is chosen; each is a message key. The first nine are rules
 * to show while somebody types.
 */
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
] as const;
export type PasswordRule = (typeof passwordRules)[number];
export type PasswordFault =
  | PasswordRule
  | 'OldPasswordIsRequired'
  | 'NewPasswordIsRequired'
  | 'ConfirmNewPasswordIsRequired'
  | 'NewPasswordAndConfirmNewPasswordDoNotMatch';

const isBlank = (text: string): boolean => /^\s*$/u.test(text);

/**
 * The rules that a password breaks, in the order of `passwordRules`; none for a good one. An empty
 * value breaks none with `isOptional`.
 * `ownWords` are names that must not be most of it, such as the username. Source: specification §5,
 * design §11.
 */
export function passwordFaults(
  password: string,
  {
    isOptional = false,
    ownWords = [],
  }: { isOptional?: boolean; ownWords?: readonly string[] } = {},
): PasswordRule[] {
  if (password === '' && isOptional) return [];
  const length = [...password.normalize('NFC')].length;
  const broken: [PasswordRule, boolean][] = [
    ['PasswordMinLengthIs12', length < passwordMinimum],
    ['PasswordMaxLengthIs50', length > passwordMaximum],
    ['PasswordCannotContainSpaces', /\s/u.test(password)],
    ['OneLowercaseCharacterIsRequired', !/[a-z]/.test(password)],
    ['OneUppercaseCharacterIsRequired', !/[A-Z]/.test(password)],
    ['OneNumberIsRequired', !/[0-9]/.test(password)],
    [
      'OneSpecialCharacterIsRequired',
      ![...specialCharacters].some((character) => password.includes(character)),
    ],
    // Judged when it is long enough to be judged; before that the length says enough.
    [
      'PasswordIsTooWellKnown',
      length >= passwordMinimum &&
        length <= passwordMaximum &&
        isWellKnownPassword(password, ownWords),
    ],
  ];
  return broken.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}

/** What somebody types to change their password. */
export interface PasswordChange {
  oldPassword: string;
  newPassword: string;
  confirmNewPassword: string;
}

/**
 * What is wrong with a change of password, field by field; empty lists for a good one. The browser
 * and the server both ask this.
 */
export function passwordChangeFaults(
  change: PasswordChange,
  ownWords: readonly string[] = [],
): Record<keyof PasswordChange, PasswordFault[]> {
  const { oldPassword, newPassword, confirmNewPassword } = change;
  const isSame = newPassword !== '' && newPassword === oldPassword;
  const confirm: PasswordFault[] =
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
          ...passwordFaults(newPassword, { ownWords }),
          ...(isSame ? ['NewPasswordMustBeDifferentFromTheOldPassword' as const] : []),
        ],
    confirmNewPassword: confirm,
  };
}
