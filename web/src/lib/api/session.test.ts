import { describe, expect, it } from 'vitest';
import { openFakeBrowser } from '#testing/fake-browser.ts';
import {
  currentSession,
  decodeToken,
  hasRole,
  storeReturnUrl,
  storeToken,
  takeReturnUrl,
} from './session.ts';

function tokenOf(claims: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  return `x.${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}.x`;
}

const claims = {
  ssid: '1',
  displayName: 'مريم',
  fullName: 'مريم سالم',
  isServiceProvider: false,
  exp: 4_000_000_000,
};

describe('decodeToken', () => {
  it('reads names in any script', () => {
    expect(decodeToken(tokenOf(claims))?.fullName).toBe('مريم سالم');
  });

  it('reads every claim of the specification, and keeps the token', () => {
    const all = {
      ...claims,
      partnerId: 4,
      companyId: 5,
      phoneNumber: '+971500000000',
      isServiceProvider: true,
    };
    const token = tokenOf({ ...all, role: 'ServiceProvider' });
    expect(decodeToken(token)).toEqual({ ...all, roles: ['ServiceProvider'], token });
  });

  it('reads one role, a list of roles or none', () => {
    expect(decodeToken(tokenOf({ ...claims, role: 'Employee' }))?.roles).toEqual(['Employee']);
    expect(decodeToken(tokenOf({ ...claims, role: ['Admin', 'Employee'] }))?.roles).toEqual([
      'Admin',
      'Employee',
    ]);
    expect(decodeToken(tokenOf(claims))?.roles).toEqual(['Client']);
  });

  it.each(['', 'x', 'x.%%%.x', tokenOf({}), tokenOf({ ...claims, role: 'King' })])(
    'returns null for %j',
    (token) => {
      expect(decodeToken(token)).toBeNull();
    },
  );
});

describe('claims that the server never creates', () => {
  it.each<[string, object]>([
    ['an object for a phone number', { phoneNumber: { toString: 1 } }],
    ['a list for an e-mail', { email: ['a'] }],
    ['a text for a company', { companyId: '1' }],
    ['a fraction for a partner', { partnerId: 1.5 }],
    ['a text for the end', { exp: '4000000000' }],
    ['no end', { exp: undefined }],
    ['null for the end', { exp: null }],
    ['a role in a list in a list', { role: [['Admin']] }],
    ['null for a name', { fullName: null }],
  ])('%s are no session', (_, junk) => {
    expect(decodeToken(tokenOf({ ...claims, ...junk }))).toBeNull();
  });

  it('do not change the prototype', () => {
    const text = JSON.stringify(claims).replace(
      '{',
      '{"__proto__":{"roles":["Admin"],"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},',
    );
    const session = decodeToken(`x.${btoa(unescape(encodeURIComponent(text)))}.x`);
    expect(session?.roles).toEqual(['Client']);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('of five megabytes are no session', () => {
    expect(decodeToken('x'.repeat(5_000_000))).toBeNull();
    expect(decodeToken(`x.${'A'.repeat(5_000_000)}.x`)).toBeNull();
  });
});

describe('the return address', () => {
  const hostile = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n\\evil.example',
    ' //evil.example',
    '',
    'services',
    'data:text/html,x',
  ];
  it.each(hostile)('%j is neither stored nor returned', (address) => {
    openFakeBrowser(() => new Response());
    storeReturnUrl(address);
    expect(window.sessionStorage.getItem('returnUrl')).toBeNull();
    window.sessionStorage.setItem('returnUrl', address);
    expect(takeReturnUrl()).toBeNull();
  });

  it('of this site is returned once', () => {
    openFakeBrowser(() => new Response());
    storeReturnUrl('/requests?request=a%2B#b');
    expect([takeReturnUrl(), takeReturnUrl()]).toEqual(['/requests?request=a%2B#b', null]);
  });
});

describe('a browser without storage', () => {
  it('has a session as long as the page is open', () => {
    openFakeBrowser(() => new Response());
    const token = tokenOf(claims);
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    expect(currentSession()).toBeNull();
    storeToken(token);
    expect(currentSession()?.fullName).toBe('مريم سالم');
    storeReturnUrl('/services');
    expect([takeReturnUrl(), takeReturnUrl()]).toEqual(['/services', null]);
    storeToken(null);
    expect(currentSession()).toBeNull();
  });
});

describe('hasRole', () => {
  it('returns false without a session', () => {
    expect(hasRole(null, 'Client')).toBe(false);
  });
});
