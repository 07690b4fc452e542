import { describe, expect, it } from 'vitest';
import { checkNewAccount } from '../people/new-account.ts';
import { checkContacts } from './contact-details.ts';

const listIssues = (name: string) =>
  checkContacts({ name: 'name' }, { name }).issues.map(({ field, code }) => [field, code]);

describe('the name of a person or a company', () => {
  it.each([
    'https://evil.example',
    'Win at http://x',
    'WWW.evil.example',
    'a@b.example',
    'Sara ＠ home',
    'ｗｗｗ．evil',
    'evil.example/pay',
    'Pay ftp://x now',
    'موقع.امارات/دفع',
  ])('is refused with an address in it: %s', (name) => {
    expect(listIssues(name)).toEqual([['name', 'nameHoldsAddress']]);
  });

  it.each([
    'Sara Al Mansoori',
    'J. R. O’Neil-Smith',
    'Noon.com',
    'Al Noor L.L.C',
    'شركة النور ذ.م.م',
    'A/C Repair & Sons',
    'Dr. Amal',
    '7-Eleven: Dubai',
  ])('is accepted: %s', (name) => {
    expect(checkContacts({ name: 'name' }, { name })).toEqual({ values: { name }, issues: [] });
  });

  it('is named by its field in a registration, for the person and for the company in each language', () => {
    const company = {
      nameAr: 'www.x',
      nameEn: 'a@b.example',
      nameUr: 'x://y',
      licenceNumber: 'CN-1',
    };
    const { issues } = checkNewAccount({
      username: 'sara.new',
      password: 'Quiet-Lanterns-7042!',
      confirmPassword: 'Quiet-Lanterns-7042!',
      fullName: 'http://x',
      email: 'a@b.example',
      phoneNumber: '0501234567',
      company,
    });
    expect(issues.map(({ field, code }) => [field, code])).toEqual(
      ['company.nameAr', 'company.nameEn', 'company.nameUr', 'fullName'].map((field) => [
        field,
        'nameHoldsAddress',
      ]),
    );
  });

  it.each([
    ['nameInArabic', 'Noor', 'notInArabic'],
    ['nameInArabic', 'شركة Noor', 'notInArabic'],
    ['nameInArabic', '2020', 'notInArabic'],
    ['nameInEnglish', 'شركة النور', 'notInEnglish'],
    ['nameInEnglish', 'Нур', 'notInEnglish'],
    ['nameInUrdu', 'Noor', 'notInUrdu'],
    ['nameInArabic', 'www.x', 'nameHoldsAddress'],
  ] as const)('is refused as %s in the letters of %s', (kind, name, code) => {
    expect(checkContacts({ name: kind }, { name }).issues).toEqual([{ field: 'name', code }]);
  });

  it.each([
    ['nameInArabic', 'شركة النُّور للتجارة (2020) ذ.م.م'],
    ['nameInEnglish', 'Café Noor – 7 Stars L.L.C'],
    ['nameInUrdu', 'ٹریڈنگ کمپنی'],
  ] as const)('is accepted as %s: %s', (kind, name) => {
    expect(checkContacts({ name: kind }, { name }).issues).toEqual([]);
  });

  it('does not restrict other texts', () => {
    expect(checkContacts({ note: 'text' }, { note: 'see www.x' }).issues).toEqual([]);
  });
});
