import { prefetch } from './lib/api/prefetch.ts';
import { captureIdentityReturn } from './lib/auth/identity-return.ts';

interface FirstPage {
  address: RegExp;
  /** The namespaces of its texts. */
  namespaces: readonly string[];
  /** Loads its code. */
  load?: () => Promise<unknown>;
  /** Sends its first calls, with exactly the same addresses as the page. */
  prefetch?: () => void;
}

/** Ignores a name that cannot be decoded; the page shows the error. */
function prefetchService(): void {
  try {
    const serviceName = decodeURIComponent(window.location.pathname.split('/')[3] ?? '').slice(
      0,
      300,
    );
    if (serviceName) prefetch('/api/Service/GetServiceByServiceName', { serviceName });
  } catch {
    // The router shows the error.
  }
}

// Only without filters, which change the calls.
function prefetchServices(): void {
  if (window.location.search !== '' || (window.history.state as { usr?: unknown } | null)?.usr)
    return;
  prefetch('/api/Service/GetServices', { PageNumber: '1', PageSize: '5' });
  prefetch('/api/GovernmentAgency/GetAllGovernmentAgenciesWithServices', {});
}

/** Specification §3. */
const accountTypes = ['individuals', 'companies', 'investors'];

function prefetchTiles(): void {
  const AccountTypeId = accountTypes.indexOf(window.location.pathname.split('/')[3] ?? '') + 1;
  if (AccountTypeId === 0) return;
  prefetch('/api/ServiceCategory/GetAllServiceCategoryByAccountType', {
    AccountTypeId: String(AccountTypeId),
  });
  prefetch('/api/GovernmentAgency/GetAllGovernmentAgenciesByAccountType', {
    AccountTypeId: String(AccountTypeId),
  });
}

function prefetchHome(): void {
  prefetch('/api/AccountType/GetAllAccountTypes', {});
  prefetch('/api/Service/ServiceSearch', { Pobular: 'true' });
}

/** Pages that users open from other sites. The router loads all other pages. */
const pages: readonly FirstPage[] = [
  {
    address: /^\/(home\/?)?$/,
    namespaces: ['home', 'services'],
    load: () => import('./features/home/home-page.tsx'),
    prefetch: prefetchHome,
  },
  {
    address: /^\/home\/identity/,
    namespaces: ['users'],
    load: () => import('./features/users/identity/identity-return-page.tsx'),
  },
  {
    address: /^\/home\/auth/,
    namespaces: ['users'],
    load: () => import('./features/users/identity/identity-wizard-page.tsx'),
  },
  {
    address: /^\/home\/services/,
    namespaces: ['services', 'pages'],
    load: () =>
      Promise.all([
        import('./features/services/home-services-page.tsx'),
        import('./features/users/identity/identity-check.ts'),
      ]),
    prefetch: prefetchTiles,
  },
  {
    address: /^\/services/,
    namespaces: ['services'],
    load: () => import('./features/services/services-page.tsx'),
    prefetch: prefetchServices,
  },
  {
    address: /^\/requests\/create\//i,
    namespaces: ['forms', 'attachments'],
    load: () => import('./features/requests/pages/create-request-page.tsx'),
    prefetch: prefetchService,
  },
  {
    address: /^\/requests\/inquiry/,
    namespaces: ['requests'],
    load: () => import('./features/requests/pages/inquiry-page.tsx'),
  },
  {
    address: /^\/account/,
    namespaces: ['users'],
    load: () => import('./features/users/sign-in/login-page.tsx'),
  },
];

captureIdentityReturn();
const page = pages.find(({ address }) => address.test(window.location.pathname));

/**
 * The namespaces of the first page. Every page has the shell, and the texts of errors must exist
 * without a connection.
 */
export const firstNamespaces: readonly string[] = ['shell', 'errors', ...(page?.namespaces ?? [])];

/** Loads its code together with the portal. The router loads it again and handles a failure. */
export async function loadFirstPageCode(): Promise<void> {
  await page?.load?.().catch(() => undefined);
}

/** Sends its first calls, once the configuration says where the server is. */
export function prefetchFirstPageData(): void {
  page?.prefetch?.();
}
