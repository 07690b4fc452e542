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

export function goTo(path: string, options?: GoToOptions): void {
  void navigate(path, options);
}

export function currentAddress(): string {
  return `${window.location.pathname}${window.location.search}${window.location.hash}`;
}
