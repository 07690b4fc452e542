interface FirstPage {
  address: RegExp;
  /** Whose texts it is drawn with. */
  nouns: readonly string[];
  /** Its code; the home page comes with the portal. */
  load?: () => Promise<unknown>;
}

/** Pages that people come to from elsewhere. Any other is fetched when the router asks for it. */
const pages: readonly FirstPage[] = [
  { address: /^\/(home\/?)?$/, nouns: ['home', 'services'] },
  { address: /^\/home\/services/, nouns: ['services'], load: () => import('./features/services/home-services-page.tsx') },
  { address: /^\/services/, nouns: ['services'], load: () => import('./features/services/services-page.tsx') },
  { address: /^\/requests\/create\//i, nouns: ['forms'], load: () => import('./features/requests/create-request-page.tsx') },
  { address: /^\/requests\/inquiry/, nouns: ['requests'], load: () => import('./features/requests/inquiry-page.tsx') },
  { address: /^\/account/, nouns: ['users'], load: () => import('./features/users/login-page.tsx') },
];

const page = pages.find(({ address }) => address.test(window.location.pathname));

/** The texts of the first page. Every page has the shell, and errors must have words without a connection. */
export const firstNouns: readonly string[] = ['shell', 'errors', ...(page?.nouns ?? [])];

/** Fetches its code beside the portal's own, not after it. The router asks again and hears of a failure. */
export function fetchFirstPage(): void {
  page?.load?.().catch(() => undefined);
}
