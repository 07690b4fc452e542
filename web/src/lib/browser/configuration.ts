export const clientVersion = '2.1.3';

export interface Configuration {
  /** The origin of the API; empty when it is this one. */
  apiBaseUrl: string;
  /**
   * False when the address of the API is none that a page may call: the portal then only says so.
   */
  isUsable: boolean;
  /**
   * One of local, dev, testing, staging, poc, live; empty on a host that the file does not name.
   */
  environment: string;
  supportPhone: string;
  supportEmail: string;
  social: readonly SocialLink[];
  /** Names of the card schemes that the payment provider takes. */
  cards: readonly string[];
}

export interface SocialLink {
  name: string;
  url: string;
}

interface Environment {
  hosts?: string[];
  apiBaseUrl?: string;
}

let loaded: Configuration = {
  apiBaseUrl: '',
  isUsable: true,
  environment: '',
  supportPhone: '',
  supportEmail: '',
  social: [],
  cards: [],
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

// An origin and nothing else; a secure page may not call one that is not.
function isOrigin(text: string): boolean {
  return (
    URL.canParse(text) &&
    new URL(text).origin === text &&
    text.startsWith('http') &&
    !(window.location.protocol === 'https:' && text.startsWith('http:'))
  );
}

// With its port a host is meant more closely than without.
function findEnvironments(
  environments: [string, Environment | null][],
): [string, Environment | null][] {
  const { host, hostname } = window.location;
  const named = [host, hostname].map((name) =>
    environments.filter(([, environment]) => [environment?.hosts].flat().includes(name)),
  );
  return named.find((list) => list.length > 0) ?? [];
}

/**
 * Takes from the file what concerns this host; what is wrong in it is said in the console and
 * replaced by what is safe.
 */
export function readConfiguration(
  file: Record<string, Record<string, unknown> | undefined>,
): Configuration {
  const found = findEnvironments(
    Object.entries(file.environments ?? {}) as [string, Environment | null][],
  );
  const [name = '', environment] = found[0] ?? [];
  const address = textOf(environment?.apiBaseUrl);
  const apiBaseUrl = address.replace(/\/$/, '');
  const isUsable =
    (environment?.apiBaseUrl ?? '') === address && (apiBaseUrl === '' || isOrigin(apiBaseUrl));
  const complain = (fault: string) => console.error(`configuration.json: ${fault}`);
  if (found.length > 1)
    complain(`this host is named by ${found.map(([each]) => each).join(', ')}; ${name} is taken`);
  if (!isUsable)
    complain(
      `apiBaseUrl of ${name} must be an origin such as https://api.example, as secure as this page`,
    );
  else if (address !== apiBaseUrl) complain(`apiBaseUrl of ${name} must not end with a slash`);
  const social = ([file.social].flat() as unknown[]).filter(
    (link): link is SocialLink =>
      textOf((link as SocialLink | undefined)?.url).startsWith('https:') &&
      textOf((link as SocialLink).name) !== '',
  );
  return {
    apiBaseUrl,
    isUsable,
    environment: name,
    supportPhone: textOf(file.support?.phone),
    supportEmail: textOf(file.support?.email),
    social,
    cards: ([file.cards].flat() as unknown[]).map(textOf).filter(Boolean),
  };
}

/**
 * The environment is chosen by host name. Source: specification §1. Without a file that can be read
 * everything is on this origin.
 */
export async function loadConfiguration(): Promise<void> {
  try {
    const response = await fetch('/configuration.json');
    if (!response.ok) throw new Error(String(response.status));
    loaded = readConfiguration(await response.json());
  } catch (error) {
    // An unreadable file must not keep the portal from starting.
    console.error('configuration.json cannot be read; this origin is taken for the API', error);
  }
}

export function configuration(): Configuration {
  return loaded;
}
