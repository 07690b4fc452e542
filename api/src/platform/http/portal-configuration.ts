import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Environment {
  name: string;
  hosts: string[];
  apiBaseUrl: string;
  fileOrigins: string[];
}

/**
 * The part of the portal's `configuration.json` that the server needs. The file adapts the built
 * portal to its environment.
 */
export interface PortalConfiguration {
  /**
   * The other origins that pages on this host may call; none for a host that the file does not name.
   * A changed file is read again.
   */
  originsFor(host: string): readonly string[];
  /** Whether the file names this host. */
  hasHost(host: string): boolean;
  /** Another number after the file was read again. */
  version(): number;
  /** What the file says; of its environments only that of `host`. */
  content(host?: string): Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOrigin = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^https?:/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text;
const toTexts = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string');

function readEnvironment(name: string, value: unknown, problems: string[]): Environment {
  const { hosts, apiBaseUrl = '', fileOrigins } = isObject(value) ? value : {};
  const address = typeof apiBaseUrl === 'string' ? apiBaseUrl.replace(/\/$/, '') : apiBaseUrl;
  if (address !== '' && !isOrigin(address))
    problems.push(
      `apiBaseUrl of ${name} must be an origin such as https://api.example; ` +
        'the portal there will say that it cannot be used',
    );
  return {
    name,
    hosts: toTexts(hosts),
    apiBaseUrl: isOrigin(address) ? address : '',
    fileOrigins: toTexts(fileOrigins).filter(isOrigin),
  };
}

interface ReadFile {
  file: Record<string, unknown>;
  environments: Environment[];
}

function readFile(text: string, warn: (problem: string) => void): ReadFile {
  const problems: string[] = [];
  try {
    const parsed: unknown = JSON.parse(text);
    const file = isObject(parsed) ? parsed : {};
    const given = isObject(file.environments) ? Object.entries(file.environments) : [];
    const environments = given.map(([name, value]) => readEnvironment(name, value, problems));
    const hosts = environments.flatMap((environment) => environment.hosts);
    for (const host of new Set(hosts.filter((one, index) => hosts.indexOf(one) !== index)))
      problems.push(`${host} is in more than one environment; the first is taken`);
    return { file, environments };
  } catch {
    problems.push('it is no JSON; the portal takes its own origin for the API');
    return { file: {}, environments: [] };
  } finally {
    for (const problem of problems) warn(`configuration.json: ${problem}`);
  }
}

// Every reply asks for the origins, and the file changes rarely.
const checkEveryMs = 1000;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '{}';
  }
}

/**
 * Opens the configuration of the built portal in the folder `site`. `warn` receives the problems of
 * the file.
 */
export function openPortalConfiguration(
  site: string,
  warn: (problem: string) => void,
  now: () => number = Date.now,
): PortalConfiguration {
  const path = join(site, 'configuration.json');
  let checkedAt = -Infinity;
  let changedAt: number | undefined = -1;
  let read: ReadFile = { file: {}, environments: [] };
  let version = 0;
  const refresh = () => {
    if (now() - checkedAt < checkEveryMs) return;
    checkedAt = now();
    const latest = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (latest === changedAt) return;
    changedAt = latest;
    read = readFile(readText(path), warn);
    version++;
  };
  const findEnvironment = (host: string) => {
    refresh();
    const hostname = host.replace(/:\d{1,5}$/, '');
    return (
      read.environments.find(({ hosts }) => hosts.includes(host)) ??
      read.environments.find(({ hosts }) => hosts.includes(hostname))
    );
  };
  return {
    hasHost: (host) => findEnvironment(host) !== undefined,
    version() {
      refresh();
      return version;
    },
    content(host = '') {
      const own = findEnvironment(host)?.name;
      const { environments, ...file } = read.file;
      return {
        ...file,
        ...(own !== undefined && isObject(environments)
          ? { environments: { [own]: environments[own] } }
          : {}),
      };
    },
    originsFor(host) {
      const found = findEnvironment(host);
      return found
        ? [found.apiBaseUrl, ...found.fileOrigins].filter((origin) => origin !== '')
        : [];
    },
  };
}
