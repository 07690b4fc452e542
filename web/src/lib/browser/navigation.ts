interface GoToOptions {
  replace?: boolean;
  state?: unknown;
}
type Navigate = (path: string, options?: GoToOptions) => unknown;

let navigate: Navigate = (path) => window.location.assign(path);

/** Sets the router, which is created after the modules that navigate. */
export function setRouter(router: { navigate: Navigate }): void {
  navigate = (path, options) => router.navigate(path, options);
}

/** Resolves when the page has changed. */
export async function goTo(path: string, options?: GoToOptions): Promise<void> {
  await navigate(path, options);
}

/**
 * Whether an address is a page of this site. Browsers read a backslash as a slash and ignore
 * invisible characters.
 */
export function isOwnAddress(address: string): boolean {
  const { origin } = window.location;
  return (
    /^\/(?![/\\])/.test(address) &&
    URL.canParse(address, origin) &&
    new URL(address, origin).origin === origin
  );
}

export function currentAddress(): string {
  return `${window.location.pathname}${window.location.search}${window.location.hash}`;
}
