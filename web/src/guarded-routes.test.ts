import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Role } from '@diwan/contract/wire/call';
import { matchRoute } from './lib/router/match-route.ts';
import type { Route } from './lib/router/router.ts';
import { startTestTranslations } from './testing/translations.ts';

const toasts: string[] = [];
vi.mock('./lib/browser/toasts.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  clearToasts: () => undefined,
  useToasts: () => [],
  useToastHistory: () => [],
  dismissToast: () => undefined,
  toastDuration: 3000,
}));

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
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
vi.stubGlobal('document', { cookie: '' });
vi.stubGlobal('navigator', { onLine: true });
let refresh: () => Promise<Response> = async () =>
  Response.json({ error: 'SessionEnded', message: 'ended' }, { status: 401 });
vi.stubGlobal('fetch', () => refresh());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (role: Role[], exp = 4_000_000_000, more: object = {}) => {
  const isServiceProvider = role.includes('ServiceProvider');
  const person = { ssid: '1', displayName: 'person', fullName: 'A Person' };
  const claims = { ...person, role, isServiceProvider, exp, ...more };
  return `${encode({ alg: 'ES256' })}.${encode(claims)}.signature`;
};

const people: Record<string, { token: string | null; roles: Role[] }> = {
  anonymous: { token: null, roles: [] },
  client: { token: tokenOf([]), roles: ['Client'] },
  company: { token: tokenOf(['CompanyUser']), roles: ['CompanyUser'] },
  employee: { token: tokenOf(['Employee']), roles: ['Employee'] },
  supervisor: { token: tokenOf(['ServiceProvider']), roles: ['ServiceProvider'] },
  admin: { token: tokenOf(['Admin']), roles: ['Admin'] },
  finance: { token: tokenOf(['Finance']), roles: ['Finance'] },
  content: { token: tokenOf(['Content']), roles: ['Content'] },
  auditor: { token: tokenOf(['Auditor']), roles: ['Auditor'] },
  'agency administrator': { token: tokenOf(['AgencyAdmin']), roles: ['AgencyAdmin'] },
  'supervisor and employee': {
    token: tokenOf(['ServiceProvider', 'Employee']),
    roles: ['ServiceProvider', 'Employee'],
  },
  'admin whose token expired and is not refreshed': { token: tokenOf(['Admin'], 1), roles: [] },
  'user with a malformed token': { token: 'a.b.c', roles: [] },
};

const anyRole: Role[] = [
  'Admin',
  'Employee',
  'Finance',
  'Content',
  'Auditor',
  'AgencyAdmin',
  'ServiceProvider',
  'CompanyUser',
  'Client',
];
const admin: Role[] = ['Admin', 'Auditor'];
const content: Role[] = ['Admin', 'Content', 'Auditor'];
const agencyAdmin: Role[] = [...admin, 'AgencyAdmin'];
const agencyContent: Role[] = [...content, 'AgencyAdmin'];
const lists: Role[] = ['Admin', 'Employee', 'ServiceProvider', 'Finance', 'Auditor'];
/** Every guarded path and who may see it. Source: specification §2, §6. */
const guarded: Record<string, Role[]> = {
  '/account/notifications': anyRole,
  '/account/profile': anyRole,
  '/account/second-factor': anyRole,
  '/requests': anyRole,
  '/requests/request-details': anyRole,
  '/requests/new': lists,
  '/requests/processing': lists,
  '/requests/all': lists,
  '/requests/counter': ['Admin', 'Employee'],
  '/requests/urgent': ['Employee'],
  '/requests/certificates': ['Admin', 'Employee', 'Auditor'],
  '/certificates': ['Client', 'CompanyUser'],
  '/requests/saved-texts': ['Admin', 'Employee', 'ServiceProvider'],
  '/companies': ['CompanyUser'],
  '/companies/my-requests/new': ['CompanyUser'],
  '/companies/users': ['CompanyUser'],
  '/dash-board': ['CompanyUser'],
  '/partner': ['ServiceProvider'],
  '/partner/profile': ['ServiceProvider'],
  '/dashboard-supervisor': ['ServiceProvider'],
  '/reports': ['Admin', 'ServiceProvider', 'Finance', 'Auditor', 'AgencyAdmin'],
  '/dashboard': agencyAdmin,
  '/dashboard-Admin': agencyAdmin,
  '/dashboard/users': agencyAdmin,
  '/dashboard/partners': admin,
  '/dashboard/companies': admin,
  '/dashboard/companies/:companyId': admin,
  '/dashboard/services': agencyContent,
  '/dashboard/attachments': content,
  '/dashboard/service-providers': admin,
  '/dashboard/service-providers/:partnerId': admin,
  '/dashboard/serviceCategories': content,
  '/dashboard/agencies': agencyAdmin,
  '/dashboard/services/import': ['Admin', 'Content', 'AgencyAdmin'],
  '/dashboard/services/:serviceId': agencyContent,
  '/dashboard/services/bulk': ['Admin', 'Content', 'AgencyAdmin'],
  '/dashboard/accountTypes': content,
  '/dashboard/rejectionReasons': agencyContent,
  '/dashboard/search': agencyContent,
  '/dashboard/payments': ['Admin', 'Finance', 'Auditor'],
  '/dashboard/announcements': agencyContent,
  '/dashboard/calendars': agencyContent,
  '/dashboard/certificates': agencyContent,
  '/dashboard/portal': admin,
  '/dashboard/texts': content,
  '/dashboard/workflow': admin,
  '/dashboard/security': admin,
  '/dashboard/messages': admin,
  '/dashboard/audit': agencyAdmin,
  '/dashboard/complaints': agencyAdmin,
  '/dashboard/reading': agencyAdmin,
  '/dashboard/staff': agencyAdmin,
  '/dashboard/teams': agencyAdmin,
  '/dashboard/users/:userId': agencyAdmin,
};
/**
 * Every other path, which any user may open. Checks of the account type or of UAE PASS are no
 * guards.
 */
const open = [
  '/setup',
  '/',
  '/home',
  '/home/auth/:accountType',
  '/home/identity',
  '/home/services/:accountType?',
  '/services',
  '/requests/Create/:serviceName',
  '/requests/inquiry',
  '/requests/accepted-request',
  '/announcements',
  '/status',
  '/payment-status',
  '/certificate',
  '/invoice',
  '/account',
  '/account/login',
  '/account/register',
  '/account/forgot-password',
  '/account/link',
  '/account/invitation',
  '/companies/join',
  '/legal/:versionId',
  '/partner/register',
  '/terms-and-conditions',
  '/privacy-policy',
  '/storage-and-cookies',
  '/service-provider-term-and-conditions',
  '/terms-and-conditions-data-sharing',
  '/sitemap.xml',
  '/accessibility',
  '/complaints',
  '/server-error',
  '/not-found',
  '/*',
];
/** Open paths that redirect. */
const redirects: Record<string, string> = { '/': '/home?a=b', '/account': '/account/login' };

let routes: readonly Route[];
let session: typeof import('./lib/api/session.ts');
beforeAll(async () => {
  await startTestTranslations('en-US', 'errors');
  const { portalRoutes } = await import('./routes.tsx');
  session = await import('./lib/api/session.ts');
  routes = portalRoutes;
});
beforeEach(() => {
  toasts.length = 0;
  page.sessionStorage = storage();
  refresh = async () => Response.json({ error: 'SessionEnded', message: 'ended' }, { status: 401 });
});

/** Where a user arrives who opens an address, and the messages. */
async function goTo(address: string): Promise<string> {
  const { route } = matchRoute(routes, address.split('?')[0] ?? '') ?? {};
  const answer: unknown = await route?.loader?.({
    request: new Request(`${origin}${address}`),
    params: {
      partnerId: '1',
      companyId: '1',
      versionId: '1',
      userId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b01',
    },
  });
  if (answer instanceof Response) return [answer.headers.get('location'), ...toasts].join(': ');
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
      // Some paths redirect.
      const onward: Record<string, string> = {
        '/dashboard': '/dashboard-Admin',
        '/partner': '/partner/profile',
        '/companies': '/companies/my-requests/new',
        ...(held.includes('Client') || held.includes('CompanyUser')
          ? {}
          : {
              '/requests': held.includes('AgencyAdmin')
                ? '/dashboard-Admin'
                : held.includes('Content')
                  ? '/dashboard/services'
                  : '/requests/new',
            }),
      };
      expect(end).toBe(onward[path] ?? 'shown');
    }
  });
});

describe.each(open)('%s is open', (path) => {
  it.each(Object.entries(people))('for %s', async (_, { token }) => {
    session.storeToken(token);
    expect(await goTo(`${path}?a=b`)).toBe(redirects[path] ?? 'shown');
    expect([session.readToken(), session.takeReturnUrl(), toasts]).toEqual([token, null, []]);
  });
});

// Specification §4: of the guarded pages they see only the one that explains the restriction; they
// see all open pages.
describe.each([
  ['secondFactor', ['Admin'], '/account/second-factor'],
  ['secondFactor', ['Employee'], '/account/second-factor'],
  ['secondFactor', ['Finance'], '/account/second-factor'],
  ['secondFactor', ['Content'], '/account/second-factor'],
  ['secondFactor', ['Auditor'], '/account/second-factor'],
  ['secondFactor', ['AgencyAdmin'], '/account/second-factor'],
  ['inactive', ['ServiceProvider'], '/partner/profile'],
  ['suspended', ['ServiceProvider'], '/partner/profile'],
] as const)('a restricted user (%s, %s)', (restriction, roles, explanation) => {
  it.each(Object.keys(guarded))('on %s', async (path) => {
    const restricted = tokenOf([...roles], undefined, { restriction });
    session.storeToken(restricted);
    refresh = async () => Response.json(restricted);
    const end = await goTo(`${path}?a=b`);
    expect(path === explanation ? 'shown' : explanation).toBe(end);
    expect(session.takeReturnUrl()).toBeNull();
  });

  it('continues when the restriction has ended, and remains restricted without a connection', async () => {
    session.storeToken(tokenOf([...roles], undefined, { restriction }));
    refresh = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await goTo('/account/profile')).toBe(explanation);
    refresh = async () => Response.json(tokenOf([...roles]));
    expect(await goTo('/account/profile')).toBe('shown');
  });

  it('on open pages', async () => {
    session.storeToken(tokenOf([...roles], undefined, { restriction }));
    for (const path of open)
      expect(await goTo(`${path}?a=b`), path).toBe(redirects[path] ?? 'shown');
  });
});

it('covers every path of the portal', () => {
  const paths = routes.map(({ path }) => `/${path}`);
  expect(paths.toSorted()).toEqual([...open, ...Object.keys(guarded)].toSorted());
});

it('refreshes an expired token first, and preserves the session without a connection', async () => {
  session.storeToken(tokenOf(['Admin'], 1));
  refresh = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await goTo('/dashboard/users')).toBe('shown');
  const fresh = tokenOf(['Admin']);
  refresh = async () => Response.json(fresh);
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
])('never returns to %j', (address) => {
  session.storeReturnUrl(address);
  expect(session.takeReturnUrl()).toBeNull();
  page.sessionStorage.setItem('returnUrl', address);
  expect(session.takeReturnUrl()).toBeNull();
});
