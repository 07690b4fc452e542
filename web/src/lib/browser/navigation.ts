interface GoToOptions {
  replace?: boolean;
  state?: unknown;
}
type Navigate = (path: string, options?: GoToOptions) => unknown;

let navigate: Navigate = (path) => window.location.assign(path);

/** The router is made after the parts that must move it, so it is handed over at the start. */
export function setRouter(router: { navigate: Navigate }): void {
  navigate = (path, options) => router.navigate(path, options);
}

/** Settles when the page has changed. */
export async function goTo(path: string, options?: GoToOptions): Promise<void> {
  await navigate(path, options);
}

/**
 * Whether an address is a page of this site; browsers read a backslash as a slash, and leave out
 * what cannot be seen.
 */
export function isInside(address: string): boolean {
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
