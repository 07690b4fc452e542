import { describe, expect, it } from 'vitest';
import { decodeToken, hasRole } from './session.ts';

function tokenOf(claims: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  return `x.${btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.x`;
}

const claims = { ssid: '1', displayName: 'مريم', fullName: 'مريم سالم', isServiceProvider: false, exp: 4_000_000_000 };

describe('decodeToken', () => {
  it('reads names in any script', () => {
    expect(decodeToken(tokenOf(claims))?.fullName).toBe('مريم سالم');
  });

  it('takes one role, a list of roles or none', () => {
    expect(decodeToken(tokenOf({ ...claims, role: 'Employee' }))?.roles).toEqual(['Employee']);
    expect(decodeToken(tokenOf({ ...claims, role: ['Admin', 'Employee'] }))?.roles).toEqual(['Admin', 'Employee']);
    expect(decodeToken(tokenOf(claims))?.roles).toEqual(['Client']);
  });

  it.each(['', 'x', 'x.%%%.x', tokenOf({}), tokenOf({ ...claims, role: 'King' })])('takes %j for no session', (token) => {
    expect(decodeToken(token)).toBeNull();
  });
});

describe('hasRole', () => {
  it('says no without a session', () => {
    expect(hasRole(null, 'Client')).toBe(false);
  });
});
