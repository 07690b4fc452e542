import { askEarly } from './lib/api/early-call.ts';
import { catchIdentityReturn } from './lib/auth/identity-return.ts';

interface FirstPage {
  address: RegExp;
  /** Whose texts it is drawn with. */
  nouns: readonly string[];
  /** Its code; the home page comes with the portal. */
  load?: () => Promise<unknown>;
  /** What it will ask the server for, spelt as it will spell it. */
  ask?: () => void;
}

/** The name in the address; a name that cannot be read is left to the page. */
function askForService(): void {
  try {
    const serviceName = decodeURIComponent(window.location.pathname.split('/')[3] ?? '').slice(
      0,
      300,
    );
    if (serviceName) askEarly('/api/Service/GetServiceByServiceName', { serviceName });
  } catch {
    // The router says so.
  }
}

// Only as it is opened from elsewhere: with filters it asks for something else.
function askForServices(): void {
  if (window.location.search !== '' || (window.history.state as { usr?: unknown } | null)?.usr)
    return;
  askEarly('/api/Service/GetServices', { PageNumber: '1', PageSize: '5' });
  askEarly('/api/GovernmentAgency/GetAllGovernmentAgenciesWithServices', {});
}

/** Specification §3. */
const accountTypes = ['individuals', 'companies', 'investors'];

function askForTiles(): void {
  const AccountTypeId = accountTypes.indexOf(window.location.pathname.split('/')[3] ?? '') + 1;
  if (AccountTypeId === 0) return;
  askEarly('/api/ServiceCategory/GetAllServiceCategoryByAccountType', {
    AccountTypeId: String(AccountTypeId),
  });
  askEarly('/api/GovernmentAgency/GetAllGovernmentAgenciesByAccountType', {
    AccountTypeId: String(AccountTypeId),
  });
}

function askForHome(): void {
  askEarly('/api/AccountType/GetAllAccountTypes', {});
  askEarly('/api/Service/ServiceSearch', { Pobular: 'true' });
}

/** Pages that people come to from elsewhere. Any other is fetched when the router asks for it. */
const pages: readonly FirstPage[] = [
  { address: /^\/(home\/?)?$/, nouns: ['home', 'services'], ask: askForHome },
  {
    address: /^\/home\/identity/,
    nouns: ['users'],
    load: () => import('./features/users/sign-in/identity-return-page.tsx'),
  },
  {
    address: /^\/home\/auth/,
    nouns: ['users'],
    load: () => import('./features/users/sign-in/identity-wizard-page.tsx'),
  },
  {
    address: /^\/home\/services/,
    nouns: ['services', 'pages'],
    load: () => import('./features/services/home-services-page.tsx'),
    ask: askForTiles,
  },
  {
    address: /^\/services/,
    nouns: ['services'],
    load: () => import('./features/services/services-page.tsx'),
    ask: askForServices,
  },
  {
    address: /^\/requests\/create\//i,
    nouns: ['forms', 'attachments'],
    load: () => import('./features/requests/pages/create-request-page.tsx'),
    ask: askForService,
  },
  {
    address: /^\/requests\/inquiry/,
    nouns: ['requests'],
    load: () => import('./features/requests/pages/inquiry-page.tsx'),
  },
  {
    address: /^\/account/,
    nouns: ['users'],
    load: () => import('./features/users/sign-in/login-page.tsx'),
  },
];

catchIdentityReturn();
const page = pages.find(({ address }) => address.test(window.location.pathname));

/**
 * The texts of the first page. Every page has the shell, and errors must have words without a
 * connection.
 */
export const firstNouns: readonly string[] = ['shell', 'errors', ...(page?.nouns ?? [])];

/**
 * Fetches its code beside the portal's own, not after it. The router asks again and hears of a
 * failure.
 */
export function fetchFirstPage(): void {
  page?.load?.().catch(() => undefined);
}

/** The same for what it asks the server for, once it is known where that is. */
export function askForFirstPage(): void {
  page?.ask?.();
}
