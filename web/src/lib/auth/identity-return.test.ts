import { describe, expect, it } from 'vitest';
import { readIdentityReturn } from './identity-return.ts';

describe('readIdentityReturn', () => {
  it.each(['/', '/home', '/home/'])('returns code and state on %s', (pathname) => {
    expect(readIdentityReturn(pathname, '?code=a%2Bb&state=c%20d')).toEqual({
      code: 'a+b',
      state: 'c d',
    });
  });

  it('returns an empty state when it is missing', () => {
    expect(readIdentityReturn('/', '?code=a')).toEqual({ code: 'a', state: '' });
    expect(readIdentityReturn('/', '?code=&state=')).toEqual({ code: '', state: '' });
  });

  it.each([
    '?error=cancelledOnApp',
    '?error=Cancelled',
    '?error=invalid_request&state=x',
    '?error=login_required',
    '?error=ACCESS_DENIED&error_description=no',
  ])('reads %s as a refusal', (search) => {
    expect(readIdentityReturn('/', search)).toBe('refused');
  });

  it('prefers a code to a refusal', () => {
    expect(readIdentityReturn('/', '?code=x&state=cancelled')).toEqual({
      code: 'x',
      state: 'cancelled',
    });
  });

  it.each([
    ['/', ''],
    ['/', '?q=visa'],
    ['/home', '?error=server_error'],
    ['/services', '?code=a&state=b'],
    ['/home/services', '?error=access_denied'],
    ['/homes', '?code=a&state=b'],
  ])('ignores %s%s', (pathname, search) => {
    expect(readIdentityReturn(pathname, search)).toBeNull();
  });
});
