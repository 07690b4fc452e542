import { ConfigError, readConfig, type Config } from '#config.ts';
import { checkDatabase } from './check-database.ts';
import {
  checkCertificate,
  checkDisk,
  checkMail,
  checkRedis,
  checkScanner,
  checkSealKey,
  checkStores,
  readDiskSpace,
} from './check-outside.ts';
import { causeOf, checkNames, ok, problem, skipped, warning, type Finding } from './finding.ts';

/** What the doctor looks at besides the settings; tests replace parts. */
interface Surroundings {
  now: () => number;
  readSpace: typeof readDiskSpace;
  nodeVersion: string;
}

const ownSurroundings: Surroundings = {
  now: Date.now,
  readSpace: readDiskSpace,
  nodeVersion: process.versions.node,
};

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return problem('node', `Node ${version} is too old`, 'Install Node 22 or newer');
  return major < 22
    ? warning('node', `Node ${version} gets no corrections any more`, 'Install Node 22 or newer')
    : ok('node', `Node ${version}`);
}

/** Checks settings, machine and outside systems, and changes nothing that stays. */
export async function examine(
  environment: Record<string, string | undefined>,
  given: Partial<Surroundings> = {},
): Promise<Finding[]> {
  const { now, readSpace, nodeVersion } = { ...ownSurroundings, ...given };
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...others] = checkNames;
    return [
      problem('settings', causeOf(error), 'Correct it: docs/operations/settings.md'),
      ...others.map((check) => skipped(check, 'the settings come first')),
    ];
  }
  const [disk, ...findings] = await Promise.all([
    checkDisk(config, readSpace),
    checkDatabase(config, now),
    checkRedis(config),
    checkStores(config),
    checkMail(config),
    checkScanner(config),
    checkSealKey(config, now()),
    checkCertificate(config, now()),
  ]);
  return [ok('settings', 'each can be used'), checkNode(nodeVersion), disk, ...findings.flat()];
}

const marks = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM', skipped: '-      ' };

/** The findings as lines for a terminal. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  return [
    ...findings.flatMap(({ check, state, detail, advice }) => [
      `${marks[state]} ${check}: ${detail}`,
      ...(advice === undefined ? [] : [`        -> ${advice}`]),
    ]),
    `${count('problem')} problems, ${count('warning')} warnings`,
  ];
}
