import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Environment {
  hosts: string[];
  apiBaseUrl: string;
  fileOrigins: string[];
}

/**
 * What the server itself has to know of the file by which the built portal is moved from one
 * environment to another.
 */
export interface PortalConfiguration {
  /**
   * The other origins that pages on this host may call; none for a host that the file does not
   * name. Read afresh when the file has changed.
   */
  originsFor(host: string): readonly string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOrigin = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^https?:/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text;
const textsOf = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string');

function readEnvironment(name: string, value: unknown, faults: string[]): Environment {
  const { hosts, apiBaseUrl = '', fileOrigins } = isObject(value) ? value : {};
  const address = typeof apiBaseUrl === 'string' ? apiBaseUrl.replace(/\/$/, '') : apiBaseUrl;
  if (address !== '' && !isOrigin(address))
    faults.push(
      `apiBaseUrl of ${name} must be an origin such as https://api.example; the portal there will say that it cannot be used`,
    );
  return {
    hosts: textsOf(hosts),
    apiBaseUrl: isOrigin(address) ? address : '',
    fileOrigins: textsOf(fileOrigins).filter(isOrigin),
  };
}

function readEnvironments(text: string, warn: (fault: string) => void): Environment[] {
  const faults: string[] = [];
  try {
    const file: unknown = JSON.parse(text);
    const given =
      isObject(file) && isObject(file.environments) ? Object.entries(file.environments) : [];
    const environments = given.map(([name, value]) => readEnvironment(name, value, faults));
    const hosts = environments.flatMap((environment) => environment.hosts);
    for (const host of new Set(hosts.filter((one, index) => hosts.indexOf(one) !== index)))
      faults.push(`${host} is in more than one environment; the first is taken`);
    return environments;
  } catch {
    faults.push('it is no JSON; the portal takes its own origin for the API');
    return [];
  } finally {
    for (const fault of faults) warn(`configuration.json: ${fault}`);
  }
}

// Every reply asks; the file changes once in months.
const lookEveryMs = 1000;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '{}';
  }
}

/**
 * Reads the configuration of the built portal in the folder `site`. `warn` hears what is wrong in
 * the file.
 */
export function openPortalConfiguration(
  site: string,
  warn: (fault: string) => void,
  now: () => number = Date.now,
): PortalConfiguration {
  const path = join(site, 'configuration.json');
  let lookedAt = -Infinity;
  let changedAt: number | undefined = -1;
  let environments: Environment[] = [];
  const look = () => {
    if (now() - lookedAt < lookEveryMs) return;
    lookedAt = now();
    const latest = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (latest === changedAt) return;
    changedAt = latest;
    environments = readEnvironments(readText(path), warn);
  };
  return {
    originsFor(host) {
      look();
      const hostname = host.replace(/:\d+$/, '');
      const found =
        environments.find(({ hosts }) => hosts.includes(host)) ??
        environments.find(({ hosts }) => hosts.includes(hostname));
      return found
        ? [found.apiBaseUrl, ...found.fileOrigins].filter((origin) => origin !== '')
        : [];
    },
  };
}
