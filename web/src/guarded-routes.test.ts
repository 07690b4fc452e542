import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { matchRoutes, type LoaderFunctionArgs, type RouteObject } from 'react-router';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Role } from '@diwan/contract/wire/call';

const toasts: string[] = [];
vi.mock('./lib/browser/toasts.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  forgetToasts: () => undefined,
  useToasts: () => [],
  useToastHistory: () => [],
  dismissToast: () => undefined,
  toastDuration: 3000,
}));

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  };
}

const origin = 'https://portal.example';
const page = Object.assign(new EventTarget(), {
  sessionStorage: storage(),
  localStorage: storage(),
  location: { origin, href: `${origin}/`, pathname: '/', search: '', hash: '' },
});
vi.stubGlobal('window', page);
vi.stubGlobal('navigator', { onLine: true });
let renewal: () => Promise<Response> = async () =>
  Response.json({ error: 'SessionEnded', message: 'ended' }, { status: 401 });
vi.stubGlobal('fetch', () => renewal());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (role: Role[], exp = 4_000_000_000, more: object = {}) =>
  `${encode({ alg: 'ES256' })}.${encode({ ssid: '1', displayName: 'person', fullName: 'A Person', role, isServiceProvider: role.includes('ServiceProvider'), exp, ...more })}.signature`;

const people: Record<string, { token: string | null; roles: Role[] }> = {
  anonymous: { token: null, roles: [] },
  client: { token: tokenOf([]), roles: ['Client'] },
  company: { token: tokenOf(['CompanyUser']), roles: ['CompanyUser'] },
  employee: { token: tokenOf(['Employee']), roles: ['Employee'] },
  supervisor: { token: tokenOf(['ServiceProvider']), roles: ['ServiceProvider'] },
  admin: { token: tokenOf(['Admin']), roles: ['Admin'] },
  'supervisor and employee': {
    token: tokenOf(['ServiceProvider', 'Employee']),
    roles: ['ServiceProvider', 'Employee'],
  },
  'admin whose token expired and is not renewed': { token: tokenOf(['Admin'], 1), roles: [] },
  'somebody whose token is none': { token: 'a.b.c', roles: [] },
};

const anyRole: Role[] = ['Admin', 'Employee', 'ServiceProvider', 'CompanyUser', 'Client'];
/** Every guarded path and who may see it. Source: specification §2, §6. */
const guarded: Record<string, Role[]> = {
  '/account/profile': anyRole,
  '/account/second-factor': anyRole,
  '/requests': anyRole,
  '/requests/request-details': anyRole,
  '/requests/new': ['Admin', 'Employee', 'ServiceProvider'],
  '/requests/processing': ['Admin', 'Employee', 'ServiceProvider'],
  '/requests/all': ['Admin', 'Employee', 'ServiceProvider'],
  '/requests/counter': ['Admin', 'Employee'],
  '/companies': ['CompanyUser'],
  '/companies/my-requests/new': ['CompanyUser'],
  '/companies/users': ['CompanyUser'],
  '/dash-board': ['CompanyUser'],
  '/partner': ['ServiceProvider'],
  '/partner/profile': ['ServiceProvider'],
  '/dashboard-supervisor': ['ServiceProvider'],
  '/reports': ['Admin', 'ServiceProvider'],
  '/dashboard': ['Admin'],
  '/dashboard-Admin': ['Admin'],
  '/dashboard/users': ['Admin'],
  '/dashboard/partners': ['Admin'],
  '/dashboard/companies': ['Admin'],
  '/dashboard/services': ['Admin'],
  '/dashboard/attachments': ['Admin'],
  '/dashboard/service-providers': ['Admin'],
  '/dashboard/service-providers/:partnerId': ['Admin'],
  '/dashboard/serviceCategories': ['Admin'],
  '/dashboard/rejectionReasons': ['Admin'],
  '/dashboard/workflow': ['Admin'],
  '/dashboard/security': ['Admin'],
  '/dashboard/messages': ['Admin'],
  '/dashboard/audit': ['Admin'],
};
/**
 * Every other path: anybody may open it, whoever they are. What some of them ask first (which
 * account type, whether UAE PASS is there) is no guard.
 */
const open = [
  '/',
  '/home',
  '/home/auth/:accountType',
  '/home/identity',
  '/home/services/:accountType?',
  '/services',
  '/requests/Create/:serviceName',
  '/requests/inquiry',
  '/requests/accepted-request',
  '/payment-status',
  '/account',
  '/account/login',
  '/account/register',
  '/account/forgot-password',
  '/account/link',
  '/companies/join',
  '/partner/register',
  '/terms-and-conditions',
  '/privacy-policy',
  '/service-provider-term-and-conditions',
  '/terms-and-conditions-data-sharing',
  '/sitemap.xml',
  '/accessibility',
  '/server-error',
  '/not-found',
  '/*',
];
/** Open paths that lead on by themselves. */
const leading: Record<string, string> = { '/': '/home?a=b', '/account': '/account/login' };

let routes: RouteObject[];
let session: typeof import('./lib/api/session.ts');
beforeAll(async () => {
  await i18next.init({
    lng: 'en-US',
    resources: {
      'en-US': {
        errors: JSON.parse(
          readFileSync(new URL('../public/locales/en-US/errors.json', import.meta.url), 'utf8'),
        ) as object,
      },
    },
  });
  const { portalRoutes } = await import('./routes.tsx');
  const { workRoutes } = await import('./routes-of-work.ts');
  session = await import('./lib/api/session.ts');
  routes = [
    {
      children: [
        ...portalRoutes.flatMap((shell) => shell.children?.[0]?.children ?? []),
        ...workRoutes,
      ],
    },
  ];
});
beforeEach(() => {
  toasts.length = 0;
  page.sessionStorage = storage();
  renewal = async () => Response.json({ error: 'SessionEnded', message: 'ended' }, { status: 401 });
});

/** Where somebody ends who opens an address, and what they are told. */
async function goTo(address: string): Promise<string> {
  for (const { route } of matchRoutes(routes, address.split('?')[0] ?? '') ?? []) {
    const answer: unknown =
      typeof route.loader === 'function'
        ? await route.loader({
            request: new Request(`${origin}${address}`),
            params: { partnerId: '1' },
            context: {},
          } as unknown as LoaderFunctionArgs)
        : null;
    if (answer instanceof Response) return [answer.headers.get('location'), ...toasts].join(': ');
  }
  return 'shown';
}

describe.each(Object.entries(guarded))('%s', (path, roles) => {
  it.each(Object.entries(people))('for %s', async (_, { token, roles: held }) => {
    session.storeToken(token);
    const end = await goTo(`${path}?a=b`);
    if (held.length === 0) {
      expect(end).toBe('/account/login: You have to login first');
      expect([session.readToken(), session.takeReturnUrl()]).toEqual([null, `${path}?a=b`]);
    } else if (!held.some((role) => roles.includes(role))) {
      expect(end).toBe('/home: You are unauthorized');
      expect(session.readToken()).toBe(token);
    } else {
      // Some lead on to the page of theirs.
      const onward: Record<string, string> = {
        '/dashboard': '/dashboard-Admin',
        '/partner': '/partner/profile',
        '/companies': '/companies/my-requests/new',
      };
      expect(end).toBe(onward[path] ?? 'shown');
    }
  });
});

describe.each(open)('%s is for everybody', (path) => {
  it.each(Object.entries(people))('for %s', async (_, { token }) => {
    session.storeToken(token);
    expect(await goTo(`${path}?a=b`)).toBe(leading[path] ?? 'shown');
    expect([session.readToken(), session.takeReturnUrl(), toasts]).toEqual([token, null, []]);
  });
});

// Specification §4: the page that says why is all that they see of what is guarded, and nothing of
// what is open is kept from them.
describe.each([
  ['secondFactor', ['Admin'], '/account/second-factor'],
  ['secondFactor', ['Employee'], '/account/second-factor'],
  ['inactive', ['ServiceProvider'], '/partner/profile'],
  ['suspended', ['ServiceProvider'], '/partner/profile'],
] as const)('somebody who is restricted (%s, %s)', (restriction, roles, explanation) => {
  it.each(Object.keys(guarded))('on %s', async (path) => {
    const restricted = tokenOf([...roles], undefined, { restriction });
    session.storeToken(restricted);
    renewal = async () => Response.json(restricted);
    const end = await goTo(`${path}?a=b`);
    expect(path === explanation ? 'shown' : explanation).toBe(end);
    expect(session.takeReturnUrl()).toBeNull();
  });

  it('goes on at once when the restriction is over, and stays restricted without a connection', async () => {
    session.storeToken(tokenOf([...roles], undefined, { restriction }));
    renewal = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await goTo('/account/profile')).toBe(explanation);
    renewal = async () => Response.json(tokenOf([...roles]));
    expect(await goTo('/account/profile')).toBe('shown');
  });

  it('where everybody may be', async () => {
    session.storeToken(tokenOf([...roles], undefined, { restriction }));
    for (const path of open) expect(await goTo(`${path}?a=b`), path).toBe(leading[path] ?? 'shown');
  });
});

it('knows every path of the portal', () => {
  const paths = (routes[0]?.children ?? []).map((route) =>
    route.index ? '/' : `/${route.path ?? ''}`,
  );
  expect(paths.toSorted()).toEqual([...open, ...Object.keys(guarded)].toSorted());
});

it('renews an expired token first, and keeps the session where the server cannot be reached', async () => {
  session.storeToken(tokenOf(['Admin'], 1));
  renewal = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await goTo('/dashboard/users')).toBe('shown');
  const fresh = tokenOf(['Admin']);
  renewal = async () => Response.json(fresh);
  expect(await goTo('/dashboard/users')).toBe('shown');
  expect(session.readToken()).toBe(fresh);
});

it.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '',
])('never leads back to %j', (address) => {
  session.keepReturnUrl(address);
  expect(session.takeReturnUrl()).toBeNull();
  page.sessionStorage.setItem('returnUrl', address);
  expect(session.takeReturnUrl()).toBeNull();
});
