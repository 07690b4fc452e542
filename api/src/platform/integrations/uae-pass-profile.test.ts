import { describe, expect, it } from 'vitest';
import { readUAEPassProfile } from './uae-pass-profile.ts';

const full = {
  sub: 'UAEPASS/7a05992e',
  userType: 'SOP3',
  fullnameEN: 'Ram,Kumar,,,Sharma Rao,,',
  fullnameAR: 'رام,,,,شارما ,,',
  firstnameEN: 'Ram',
  lastnameEN: 'Sharma',
  mobile: '971501234567',
  idn: '784199012345678',
  email: 'ram@example.com',
};

describe('readUAEPassProfile', () => {
  it('joins names and normalises numbers', () => {
    expect(readUAEPassProfile(full)).toEqual({
      subject: 'UAEPASS/7a05992e',
      level: 'SOP3',
      nameEn: 'Ram Kumar Sharma Rao',
      nameAr: 'رام شارما',
      emiratesId: '784-1990-1234567-8',
      phoneNumber: '+971501234567',
      email: 'ram@example.com',
    });
  });

  it.each([
    ['971501234567', '+971501234567'],
    ['+971 50 123 4567', '+971501234567'],
    ['00971501234567', '+971501234567'],
    ['0501234567', '+971501234567'],
    ['9710501234567', '+971501234567'],
    ['923001234567', '+923001234567'],
    ['', undefined],
    ['not a number', undefined],
    ['12', undefined],
  ])('reads the mobile number %s as %s', (mobile, phoneNumber) => {
    expect(readUAEPassProfile({ ...full, mobile }).phoneNumber).toBe(phoneNumber);
  });

  it.each([
    ['ARE', 'AE'],
    ['pak', 'PK'],
    ['XXA', undefined],
    ['', undefined],
  ])(
    'reads the nationality %s as %s, for a verified account only',
    (nationalityEN, nationality) => {
      expect(readUAEPassProfile({ ...full, nationalityEN }).nationality).toBe(nationality);
      expect(
        readUAEPassProfile({ ...full, nationalityEN, userType: 'SOP1' }).nationality,
      ).toBeUndefined();
    },
  );

  it('reads first and last name of a basic account, and ignores its Emirates ID', () => {
    const { fullnameEN: _, fullnameAR: __, ...basic } = full;
    expect(readUAEPassProfile({ ...basic, userType: 'SOP1' })).toEqual({
      subject: full.sub,
      level: 'SOP1',
      nameEn: 'Ram Sharma',
      phoneNumber: '+971501234567',
      email: 'ram@example.com',
    });
  });

  it('accepts every Emirates ID that UAE PASS has verified', () => {
    for (const idn of ['784190000000000', '78414567885323'])
      expect(readUAEPassProfile({ ...full, idn }).emiratesId?.replaceAll('-', '')).toBe(idn);
  });

  it('ignores an Emirates ID that several people could have', () => {
    for (const idn of ['0', '000-0000-0000000-0', '784-0000-0000000-0', '784', 'N/A 1'])
      expect(readUAEPassProfile({ ...full, idn }).emiratesId, idn).toBeUndefined();
  });

  it('ignores unreadable claims and removes hidden characters from names', () => {
    expect(
      readUAEPassProfile({
        ...full,
        fullnameEN: '\u202Emad\u0000,,\u2066Man',
        fullnameAR: null,
        mobile: 5,
        idn: {},
        email: 'none',
      }),
    ).toEqual({
      subject: full.sub,
      level: 'SOP3',
      nameEn: expect.stringMatching(/^mad.?\s?Man$/),
      phoneNumber: undefined,
      emiratesId: undefined,
    });
    expect(readUAEPassProfile({ ...full, fullnameEN: `${'A'.repeat(900)}` }).nameEn).toHaveLength(
      200,
    );
  });

  it.each([
    {},
    null,
    'text',
    { ...full, sub: '' },
    { ...full, sub: 5 },
    { ...full, userType: undefined },
    { ...full, userType: 'SOP9' },
    { ...full, sub: 'x'.repeat(201) },
  ])('throws for a reply without a subject or a level: %j', (reply) => {
    expect(() => readUAEPassProfile(reply)).toThrow();
  });
});
