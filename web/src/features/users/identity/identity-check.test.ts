import { beforeEach, describe, expect, it, vi } from 'vitest';

const { send } = vi.hoisted(() => ({ send: vi.fn() }));
vi.mock('#lib/api/send.ts', () => ({ send }));

const check = await import('./identity-check.ts');
const storage = new Map<string, string>();
vi.stubGlobal('window', {
  location: { origin: 'http://localhost' },
  sessionStorage: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  },
});

const claims = {
  ssid: '1',
  displayName: 'x',
  fullName: 'x',
  isServiceProvider: false,
  exp: 4_000_000_000,
};
const signIn = () => storage.set('token', `x.${btoa(JSON.stringify(claims))}.x`);
const to = async (answer: Promise<unknown>) => {
  const response = await answer;
  return response instanceof Response ? response.headers.get('location') : response;
};
const services = (accountType?: string) =>
  to(check.checkBeforeServices({ params: { accountType } } as never));
const wizard = (accountType: string) =>
  to(check.checkBeforeWizard({ params: { accountType } } as never));

beforeEach(() => {
  storage.clear();
  send.mockReset().mockResolvedValue({ isEnabled: true });
});

describe('before the services of an account type', () => {
  it('redirects to the wizard, with one request per session', async () => {
    expect(await services('individuals')).toBe('/home/auth/1');
    expect(await services('companies')).toBe('/home/auth/2');
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('does not redirect without an account type, when signed in or after skipping', async () => {
    expect(await services()).toBeNull();
    signIn();
    expect(await services('investors')).toBeNull();
    storage.clear();
    check.skipIdentity('investors');
    expect(await services('investors')).toBeNull();
    expect(send).not.toHaveBeenCalled();
  });

  it('redirects for each account type whose sign-in step was not skipped', async () => {
    check.skipIdentity('companies');
    expect(await services('companies')).toBeNull();
    expect(await services('individuals')).toBe('/home/auth/1');
    check.skipIdentity('individuals');
    check.skipIdentity('individuals');
    expect(await services('individuals')).toBeNull();
    expect(await services('companies')).toBeNull();
    expect(await services('investors')).toBe('/home/auth/3');
  });

  it('does not redirect when UAE PASS is disabled', async () => {
    send.mockResolvedValue({ isEnabled: false });
    expect(await services('individuals')).toBeNull();
  });

  it.each([
    ['1', '/home/services/individuals'],
    ['martians', '/home/services'],
    ['toString', '/home/services'],
    ['__proto__', '/home/services'],
  ])('redirects %s to %s', async (text, address) => {
    expect(await services(text)).toBe(address);
  });
});

// Specification §2: the services do not open before the check returns.
it.each([
  ['the services', () => services('individuals'), '/home/auth/1'],
  ['the wizard', () => wizard('1'), { slug: 'individuals' }],
  ['the sign-in', () => check.checkBeforeLogin(), { isEnabled: true }],
] as const)(
  'a check before %s that fails says so, waits 15 s and asks again',
  async (_, ask, then) => {
    const limit = vi.spyOn(AbortSignal, 'timeout');
    const error = new Error('offline');
    send.mockRejectedValueOnce(error);
    expect(await ask()).toEqual(new check.FailedCheck(error));
    expect(limit.mock.calls).toEqual([[15_000]]);
    expect(await ask()).toEqual(then);
    limit.mockRestore();
  },
);

describe('before the wizard', () => {
  it('accepts an id or a slug and stores the return address', async () => {
    expect(await wizard('2')).toEqual({ slug: 'companies' });
    expect(storage.get('returnUrl')).toBe('/home/services/companies');
    expect(storage.get('accountType')).toBe('2');
    expect(await wizard('investors')).toEqual({ slug: 'investors' });
  });

  it('redirects to the services when signed in or UAE PASS is disabled', async () => {
    signIn();
    expect(await wizard('1')).toBe('/home/services/individuals');
    storage.clear();
    send.mockResolvedValue({ isEnabled: false });
    expect(await wizard('1')).toBe('/home/services/individuals');
  });

  it('shows the first step for an unknown account type', async () => {
    expect(await wizard('7')).toEqual({ slug: undefined });
  });
});
