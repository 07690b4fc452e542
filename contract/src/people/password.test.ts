import { describe, expect, it, test } from 'vitest';
import { passwordChangeFaults, passwordFaults } from './password.ts';

const good = 'Kite&harbour7-Moss';

describe('passwordFaults', () => {
  it.each([
    ['Ab1!xyzqwvu', ['PasswordMinLengthIs12']],
    [`${good}${'v9Zq!tLm'.repeat(5)}`, ['PasswordMaxLengthIs50']],
    ['Kite&harbour7 Moss', ['PasswordCannotContainSpaces']],
    ['Kite&harbour7\u00a0Moss', ['PasswordCannotContainSpaces']],
    ['KITE&HARBOUR7-MOSS', ['OneLowercaseCharacterIsRequired']],
    ['kite&harbour7-moss', ['OneUppercaseCharacterIsRequired']],
    ['Kite&harbour-Moss', ['OneNumberIsRequired']],
    ['Kite-harbour7-Moss', ['OneSpecialCharacterIsRequired']],
    // A figure of another script is not a number of the rule, and neither is another sign special.
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
    expect(passwordFaults(password)).toEqual(rules);
  });

  it('finds nothing wrong with good ones, each special character and both ends of the length', () => {
    for (const special of '!@#$%^&*')
      expect(passwordFaults(`Kite${special}harbour7Moss`), special).toEqual([]);
    for (const password of [
      'kR7!vPq2#mXz',
      `kR7!vPq2#mXz${'tWnB5jYc'.repeat(4)}aBcdEf`,
      'خ7مKite&harbour',
      'correct-Horse9battery!staple',
      'zZ4&بيتمنورقي',
    ])
      expect(passwordFaults(password), password).toEqual([]);
    expect([...`kR7!vPq2#mXz${'tWnB5jYc'.repeat(4)}aBcdEf`]).toHaveLength(50);
  });

  it('lets an empty value be where it may', () => {
    expect(passwordFaults('', { isOptional: true })).toEqual([]);
    expect(passwordFaults('short', { isOptional: true })).toContain('PasswordMinLengthIs12');
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
  ])('refuses the well-known %s', (password) => {
    expect(passwordFaults(password)).toEqual(['PasswordIsTooWellKnown']);
  });

  it('refuses one that is little more than the own name', () => {
    expect(passwordFaults('Bilalkhan!2026')).toEqual([]);
    expect(passwordFaults('Bilalkhan!2026', { ownWords: ['bilal', 'khan'] })).toEqual([
      'PasswordIsTooWellKnown',
    ]);
  });

  it('refuses hardly any that chance makes', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*';
    // A generator of its own, so that each run tries the same ones.
    let seed = 7;
    const pick = () => letters[(seed = (seed * 48_271) % 2_147_483_647) % letters.length];
    const refused = Array.from(
      { length: 2000 },
      () => `aA1!${Array.from({ length: 12 }, pick).join('')}`,
    ).filter((password) => passwordFaults(password).length > 0);
    expect(refused).toEqual([]);
  });
});

test('passwordChangeFaults names what is wrong by field', () => {
  const change = { oldPassword: 'old', newPassword: good, confirmNewPassword: good };
  const none = { oldPassword: [], newPassword: [], confirmNewPassword: [] };
  expect(passwordChangeFaults(change)).toEqual(none);
  expect(passwordChangeFaults({ ...change, oldPassword: '  ' })).toEqual({
    ...none,
    oldPassword: ['OldPasswordIsRequired'],
  });
  expect(passwordChangeFaults({ ...change, oldPassword: good })).toEqual({
    ...none,
    newPassword: ['NewPasswordMustBeDifferentFromTheOldPassword'],
  });
  expect(passwordChangeFaults({ ...change, confirmNewPassword: '' })).toEqual({
    ...none,
    confirmNewPassword: ['ConfirmNewPasswordIsRequired'],
  });
  expect(passwordChangeFaults({ ...change, confirmNewPassword: good.toLowerCase() })).toEqual({
    ...none,
    confirmNewPassword: ['NewPasswordAndConfirmNewPasswordDoNotMatch'],
  });
  expect(
    passwordChangeFaults({ oldPassword: '', newPassword: ' ', confirmNewPassword: '' }),
  ).toEqual({
    oldPassword: ['OldPasswordIsRequired'],
    newPassword: ['NewPasswordIsRequired'],
    confirmNewPassword: ['ConfirmNewPasswordIsRequired'],
  });
});
