import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../../config.ts';

/**
 * PostgreSQL refuses to run as root; this is who it runs as then. `undefined` for an ordinary user,
 * who runs it as themselves.
 */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

function isReachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const setpriv = '/usr/bin/setpriv';

/**
 * The command that runs a program as the unprivileged user. Where that user cannot reach a path (a
 * clone under /root or in a private
 * temporary folder), setpriv lends the program the one capability that lets it pass; nothing on the
 * way is opened to others. Without
 * `no_setuid_fixup` the kernel sets the capability aside for access(2), by which initdb looks for
 * its programs.
 */
export function runAs(
  program: string,
  args: string[],
  paths: string[],
): [command: string, args: string[]] {
  const user = unprivilegedUser();
  if (!user || paths.every(isReachable)) return [program, args];
  if (!existsSync(setpriv))
    throw new ConfigError(
      `The user nobody cannot reach ${paths[0]}; set DATA_DIR to a folder that others may enter, or start as an ordinary user`,
    );
  return [
    setpriv,
    [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      program,
      ...args,
    ],
  ];
}
