import { describe, expect, it, test } from 'vitest';
import { checkPasswordRule, findPasswordChangeErrors, findPasswordErrors } from './password.ts';

const good = 'Kite&harbour7-Moss';

// Specification §5: the keys are those of the specification.
describe('checkPasswordRule', () => {
  it.each([
    ['kite&harbour7', { upperCase: true }],
    ['KITE&HARBOUR7', { lowerCase: true }],
    ['Kite&harbour', { number: true }],
    ['Kite-harbour7', { specialChar: true }],
    ['Kite&harbour 7', { spaces: true }],
    ['Kite&harbour\t7', { spaces: true }],
    [' ', { upperCase: true, lowerCase: true, number: true, specialChar: true, spaces: true }],
    ['', { upperCase: true, lowerCase: true, number: true, specialChar: true }],
  ])('%j has the errors %j', (value, errors) => {
    expect(checkPasswordRule(value)).toEqual(errors);
  });

  it('has no errors for a valid value, whatever its length', () => {
    for (const special of '!@#$%^&*') expect(checkPasswordRule(`aA1${special}`)).toBeNull();
  });

  it('accepts an empty value in the optional mode, and no other invalid one', () => {
    expect(checkPasswordRule('', { isOptional: true })).toBeNull();
    expect(checkPasswordRule('aA1', { isOptional: true })).toEqual({ specialChar: true });
    expect(checkPasswordRule(' ', { isOptional: true })).not.toBeNull();
  });
});

describe('findPasswordErrors', () => {
  it.each([
    ['Ab1!xyzqwvu', ['PasswordMinLengthIs12']],
    [`${good}${'v9Zq!tLm'.repeat(5)}`, ['PasswordMaxLengthIs50']],
    ['Kite&harbour7 Moss', ['PasswordCannotContainSpaces']],
    ['Kite&harbour7\u00a0Moss', ['PasswordCannotContainSpaces']],
    ['KITE&HARBOUR7-MOSS', ['OneLowercaseCharacterIsRequired']],
    ['kite&harbour7-moss', ['OneUppercaseCharacterIsRequired']],
    ['Kite&harbour-Moss', ['OneNumberIsRequired']],
    ['Kite-harbour7-Moss', ['OneSpecialCharacterIsRequired']],
    // Digits of other scripts do not satisfy the rule for a number, and other characters are not
    // special.
    ['Kite?harbour٧-Moss', ['OneNumberIsRequired', 'OneSpecialCharacterIsRequired']],
    [
      '',
      [
        'PasswordMinLengthIs12',
        'OneLowercaseCharacterIsRequired',
        'OneUppercaseCharacterIsRequired',
        'OneNumberIsRequired',
        'OneSpecialCharacterIsRequired',
      ],
    ],
  ])('%s breaks %j', (password, rules) => {
    expect(findPasswordErrors(password)).toEqual(rules);
  });

  it('accepts valid passwords: each special character and both limits of the length', () => {
    for (const special of '!@#$%^&*')
      expect(findPasswordErrors(`Kite${special}harbour7Moss`), special).toEqual([]);
    for (const password of [
      'kR7!vPq2#mXz',
      `kR7!vPq2#mXz${'tWnB5jYc'.repeat(4)}aBcdEf`,
      'خ7مKite&harbour',
      'correct-Horse9battery!staple',
      'zZ4&بيتمنورقي',
    ])
      expect(findPasswordErrors(password), password).toEqual([]);
    expect([...`kR7!vPq2#mXz${'tWnB5jYc'.repeat(4)}aBcdEf`]).toHaveLength(50);
  });

  it('accepts an empty value when it is optional', () => {
    expect(findPasswordErrors('', { isOptional: true })).toEqual([]);
    expect(findPasswordErrors('short', { isOptional: true })).toContain('PasswordMinLengthIs12');
  });

  it.each([
    'Password1234!',
    'P@ssw0rd2026!',
    'P@$$w0rd!2345',
    'Qwerty123456!',
    '1q2w3e4r5T!!',
    'Welcome@2026x',
    'DiwanDemo2026!',
    'Dubai@12345678',
    'Admin!Admin!1',
    'Abc123!Abc123!',
    'Aa1!Aa1!Aa1!',
    'Aaaaaaaaaa1!',
    'Letmein#20261',
    'Emirates!1971',
    'Zxcvbnm,./1A!',
    'MyPassword#99',
    'Abcdefghijk1!',
    'Sunshine$2025',
    'QAZwsx123!@#',
    'Diw@nP0rtal1!',
  ])('refuses the well-known password %s', (password) => {
    expect(findPasswordErrors(password)).toEqual(['PasswordIsTooWellKnown']);
  });

  it('refuses a password that is little more than a personal name', () => {
    expect(findPasswordErrors('Bilalkhan!2026')).toEqual([]);
    expect(findPasswordErrors('Bilalkhan!2026', { personalNames: ['bilal', 'khan'] })).toEqual([
      'PasswordIsTooWellKnown',
    ]);
  });

  it('accepts almost all random passwords', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*';
    // A seeded generator, so that each run tries the same passwords.
    let seed = 7;
    const pick = () => letters[(seed = (seed * 48_271) % 2_147_483_647) % letters.length];
    const refused = Array.from(
      { length: 2000 },
      () => `aA1!${Array.from({ length: 12 }, pick).join('')}`,
    ).filter((password) => findPasswordErrors(password).length > 0);
    expect(refused).toEqual([]);
  });
});

test('findPasswordChangeErrors names the errors by field', () => {
  const change = { oldPassword: 'old', newPassword: good, confirmNewPassword: good };
  const none = { oldPassword: [], newPassword: [], confirmNewPassword: [] };
  expect(findPasswordChangeErrors(change)).toEqual(none);
  expect(findPasswordChangeErrors({ ...change, oldPassword: '  ' })).toEqual({
    ...none,
    oldPassword: ['OldPasswordIsRequired'],
  });
  expect(findPasswordChangeErrors({ ...change, oldPassword: good })).toEqual({
    ...none,
    newPassword: ['NewPasswordMustBeDifferentFromTheOldPassword'],
  });
  expect(findPasswordChangeErrors({ ...change, confirmNewPassword: '' })).toEqual({
    ...none,
    confirmNewPassword: ['ConfirmNewPasswordIsRequired'],
  });
  expect(findPasswordChangeErrors({ ...change, confirmNewPassword: good.toLowerCase() })).toEqual({
    ...none,
    confirmNewPassword: ['NewPasswordAndConfirmNewPasswordDoNotMatch'],
  });
  expect(
    findPasswordChangeErrors({ oldPassword: '', newPassword: ' ', confirmNewPassword: '' }),
  ).toEqual({
    oldPassword: ['OldPasswordIsRequired'],
    newPassword: ['NewPasswordIsRequired'],
    confirmNewPassword: ['ConfirmNewPasswordIsRequired'],
  });
});
