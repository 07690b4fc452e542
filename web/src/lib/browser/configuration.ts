import type { LocalizedText } from '@diwan/contract/wire/languages';

export const clientVersion = '2.1.3';

export interface Configuration {
  /** The origin of the API; empty when it is this one. */
  apiBaseUrl: string;
  /** False when a page cannot call the address of the API: the portal then shows only an error. */
  isUsable: boolean;
  /** local, dev, testing, staging, poc or live; empty on a host that the file does not name. */
  environment: string;
  supportPhone: string;
  supportEmail: string;
  /** When support answers, and the line above the header; undefined where there is none. */
  supportHours?: LocalizedText | undefined;
  banner?: LocalizedText | undefined;
  /** Addresses of the portal's own logo on this origin, and of the one on a dark page. */
  logo: string;
  darkLogo: string;
  /** Pages say so. */
  isDemonstration: boolean;
  social: readonly SocialLink[];
  /** The card schemes that the payment provider accepts. */
  cards: readonly CardScheme[];
}

interface SocialLink {
  name: string;
  url: string;
}

/** `logo` is a path on this origin. */
interface CardScheme {
  name: string;
  logo: string;
}

/**
 * The content of `configuration.json`: the server writes what an administrator has saved into it.
 * Decision 0126.
 */
export type ConfigurationFile = Record<string, Record<string, unknown> | undefined>;

/** Where a page is, in the terms of `window.location`. */
export type PageOrigin = Pick<Location, 'protocol' | 'host' | 'hostname'>;

interface Environment {
  hosts?: string[];
  apiBaseUrl?: string;
}

const shippedLogo = '/favicon.svg';

let loaded: Configuration = {
  apiBaseUrl: '',
  isUsable: true,
  environment: '',
  supportPhone: '',
  supportEmail: '',
  logo: shippedLogo,
  darkLogo: shippedLogo,
  isDemonstration: false,
  social: [],
  cards: [],
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

// An origin without a path. A secure page cannot call an insecure origin.
function isOrigin(text: string, page: PageOrigin): boolean {
  return (
    URL.canParse(text) &&
    new URL(text).origin === text &&
    text.startsWith('http') &&
    !(page.protocol === 'https:' && text.startsWith('http:'))
  );
}

// A host with its port is more specific than the host alone.
function findEnvironments(
  environments: [string, Environment | null][],
  { host, hostname }: PageOrigin,
): [string, Environment | null][] {
  const named = [host, hostname].map((name) =>
    environments.filter(([, environment]) => [environment?.hosts].flat().includes(name)),
  );
  return named.find((list) => list.length > 0) ?? [];
}

function readDetails(file: ConfigurationFile) {
  const social = ([file.social].flat() as unknown[]).filter(
    (link): link is SocialLink =>
      textOf((link as SocialLink | undefined)?.url).startsWith('https:') &&
      textOf((link as SocialLink).name) !== '',
  );
  return {
    supportPhone: textOf(file.support?.phone),
    supportEmail: textOf(file.support?.email),
    supportHours: file.support?.hours as LocalizedText | undefined,
    banner: file.banner as LocalizedText | undefined,
    logo: textOf(file.logo) || shippedLogo,
    darkLogo: textOf(file.darkLogo) || textOf(file.logo) || shippedLogo,
    isDemonstration: Boolean(file.isDemonstration),
    social,
    cards: ([file.cards].flat() as unknown[]).filter(
      (card): card is CardScheme =>
        /^\/[^/]/.test(textOf((card as CardScheme | undefined)?.logo)) &&
        textOf((card as CardScheme).name) !== '',
    ),
  };
}

/**
 * The configuration of this host. Errors of the file are logged to the console, and safe values
 * replace them.
 */
export function readConfiguration(
  file: ConfigurationFile,
  page: PageOrigin = window.location,
): Configuration {
  const found = findEnvironments(
    Object.entries(file.environments ?? {}) as [string, Environment | null][],
    page,
  );
  const [name = '', environment] = found[0] ?? [];
  const address = textOf(environment?.apiBaseUrl);
  const apiBaseUrl = address.replace(/\/$/, '');
  const isUsable =
    (environment?.apiBaseUrl ?? '') === address &&
    (apiBaseUrl === '' || isOrigin(apiBaseUrl, page));
  const logProblem = (problem: string) => console.error(`configuration.json: ${problem}`);
  if (found.length > 1)
    logProblem(`this host belongs to ${found.map(([each]) => each).join(', ')}; ${name} is used`);
  if (!isUsable)
    logProblem(
      `apiBaseUrl of ${name} must be an origin such as https://api.example, as secure as this page`,
    );
  else if (address !== apiBaseUrl) logProblem(`apiBaseUrl of ${name} must not end with a slash`);
  return {
    apiBaseUrl,
    isUsable,
    environment: name,
    ...readDetails(file),
  };
}

/**
 * Loads the configuration; the host name selects the environment. Source: specification §1. Without
 * a readable file everything is on this origin.
 */
export async function loadConfiguration(): Promise<void> {
  try {
    const response = await fetch('/configuration.json');
    if (!response.ok) throw new Error(String(response.status));
    loaded = readConfiguration(await response.json());
  } catch (error) {
    console.error('configuration.json cannot be read; the API is expected on this origin', error);
  }
}

/** Uses the configuration of a page on another host: the server renders pages for browsers. */
export function setConfiguration(file: ConfigurationFile, page: PageOrigin): void {
  loaded = readConfiguration(file, page);
}

export function configuration(): Configuration {
  return loaded;
}
