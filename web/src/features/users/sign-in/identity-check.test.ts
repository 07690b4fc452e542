import { beforeEach, describe, expect, it, vi } from 'vitest';

const { send } = vi.hoisted(() => ({ send: vi.fn() }));
vi.mock('../../../lib/api/send.ts', () => ({ send }));

const check = await import('./identity-check.ts');
const kept = new Map<string, string>();
vi.stubGlobal('window', {
  location: { origin: 'http://localhost' },
  sessionStorage: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  },
});

const claims = {
  ssid: '1',
  displayName: 'x',
  fullName: 'x',
  isServiceProvider: false,
  exp: 4_000_000_000,
};
const signIn = () => kept.set('token', `x.${btoa(JSON.stringify(claims))}.x`);
const to = async (answer: Promise<unknown>) => {
  const response = await answer;
  return response instanceof Response ? response.headers.get('location') : response;
};
const services = (accountType?: string) =>
  to(check.checkBeforeServices({ params: { accountType } } as never));
const wizard = (accountType: string) =>
  to(check.checkBeforeWizard({ params: { accountType } } as never));

beforeEach(() => {
  kept.clear();
  send.mockReset().mockResolvedValue({ isEnabled: true });
});

describe('before the services of an account type', () => {
  it('leads to the wizard, asking once a session', async () => {
    expect(await services('individuals')).toBe('/home/auth/1');
    expect(await services('companies')).toBe('/home/auth/2');
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('leaves alone who has chosen no account type, is signed in or has skipped', async () => {
    expect(await services()).toBeNull();
    signIn();
    expect(await services('investors')).toBeNull();
    kept.clear();
    check.skipIdentity();
    expect(await services('investors')).toBeNull();
    expect(send).not.toHaveBeenCalled();
  });

  it('keeps nobody out when UAE PASS is off or cannot be asked for, and asks again after a failure', async () => {
    send.mockRejectedValueOnce(new Error('offline'));
    expect(await services('individuals')).toBeNull();
    expect(await services('individuals')).toBe('/home/auth/1');
    kept.clear();
    send.mockResolvedValue({ isEnabled: false });
    expect(await services('individuals')).toBeNull();
  });

  it.each([
    ['1', '/home/services/individuals'],
    ['martians', '/home/services'],
    ['toString', '/home/services'],
    ['__proto__', '/home/services'],
  ])('takes %s to %s', async (text, address) => {
    expect(await services(text)).toBe(address);
  });
});

describe('before the wizard', () => {
  it('takes an id or a word and keeps where to go on', async () => {
    expect(await wizard('2')).toEqual({ slug: 'companies' });
    expect(kept.get('returnUrl')).toBe('/home/services/companies');
    expect(kept.get('accountType')).toBe('2');
    expect(await wizard('investors')).toEqual({ slug: 'investors' });
  });

  it('goes straight to the services where there is nothing to ask', async () => {
    signIn();
    expect(await wizard('1')).toBe('/home/services/individuals');
    kept.clear();
    send.mockResolvedValue({ isEnabled: false });
    expect(await wizard('1')).toBe('/home/services/individuals');
  });

  it('begins with the first step for an account type that there is not', async () => {
    expect(await wizard('7')).toEqual({ slug: undefined });
  });
});
