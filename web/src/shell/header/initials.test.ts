import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it.each([
  ['Aisha Al Demo', 'AD'],
  ['  élodie  ', 'É'],
  ['عائشة آل ديمو', 'ع'],
  ['بلال خان', 'ب'],
  ['', ''],
  ['𝔘nusual Name', '𝔘'],
  ['王 小明', '王'],
])('%j gives %j', (name, initials) => {
  expect(initialsOf(name, 'ltr')).toBe(initials);
});

it('shows no Latin letters on a page in Arabic or Urdu', () => {
  expect(initialsOf('Aisha Al Demo', 'rtl')).toBeUndefined();
  expect(initialsOf('عائشة آل ديمو', 'rtl')).toBe('ع');
});
