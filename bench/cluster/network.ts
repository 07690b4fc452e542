import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram } from '../../scripts/programs.mjs';

const prefix = 'diwan-';
const router = `${prefix}router`;
const routerAddress = '10.77.0.254';
const hostAddress = '10.77.0.1';
const hostLink = `${prefix}host`;

/** A machine of the cluster: a network namespace with one address behind the router. */
export interface Machine {
  name: string;
  address: string;
  /** Starts a program on it, as a user of the system, and appends what it writes to a file. */
  run(command: readonly string[], options: RunOptions): ChildProcess;
  /** The processes that run on it. */
  pids(): number[];
}

interface RunOptions {
  log: string;
  env?: Record<string, string>;
  user?: string;
  cwd?: string;
}

/** A network of machines whose ways can be cut without a word to either side. */
export interface Network {
  add(name: string, lastByte: number): Machine;
  /** Drops all packets between two machines, or all of one machine, until it is repaired. */
  cut(one: Machine, other?: Machine): void;
  repair(one: Machine, other?: Machine): void;
  /** Ends what runs on the machines, and removes them. */
  close(): Promise<void>;
}

function ip(...args: string[]): string {
  return execFileSync(ensureProgram('ip'), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const pidsIn = (namespace: string) =>
  ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number);

/** Sends a signal to processes, some of which may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It ended already.
    }
}

/** Kills what an earlier run left on its machines, and removes them. */
async function removeAll(): Promise<void> {
  const names = ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(prefix));
  for (const name of names) signalAll(pidsIn(name), 'SIGKILL');
  for (const name of names) {
    while (pidsIn(name).length > 0) await sleep(50);
    ip('netns', 'delete', name);
  }
}

function addMachine(name: string, lastByte: number): Machine {
  const [namespace, address] = [prefix + name, `10.77.0.${lastByte}`];
  ip('netns', 'add', namespace);
  ip(
    'link',
    'add',
    'up0',
    'netns',
    namespace,
    'type',
    'veth',
    'peer',
    'name',
    name,
    'netns',
    router,
  );
  for (const device of ['lo', 'up0']) ip('-n', namespace, 'link', 'set', device, 'up');
  ip('-n', namespace, 'address', 'add', `${address}/32`, 'dev', 'up0');
  ip('-n', namespace, 'route', 'add', 'default', 'via', routerAddress, 'dev', 'up0', 'onlink');
  ip('-n', router, 'address', 'add', `${routerAddress}/32`, 'dev', name);
  ip('-n', router, 'link', 'set', name, 'up');
  ip('-n', router, 'route', 'add', `${address}/32`, 'dev', name);
  return {
    name,
    address,
    pids: () => pidsIn(namespace),
    run: (command, { log, env = {}, user, cwd }) => {
      const file = openSync(log, 'a');
      const as = user
        ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--']
        : [];
      return spawn('nsenter', [`--net=/run/netns/${namespace}`, '--', ...as, ...command], {
        stdio: ['ignore', file, file],
        detached: true,
        cwd: cwd ?? '/',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...env },
      });
    },
  };
}

/**
 * Opens a network of namespaces: each machine is connected with a router, and this program reaches
 * them by an address of its own. Only for root on Linux.
 */
export async function openNetwork(): Promise<Network> {
  await removeAll();
  ip('netns', 'add', router);
  ip('-n', router, 'link', 'set', 'lo', 'up');
  execFileSync('nsenter', [
    `--net=/run/netns/${router}`,
    '--',
    'sh',
    '-c',
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
  ]);
  ip('link', 'add', hostLink, 'type', 'veth', 'peer', 'name', 'host', 'netns', router);
  ip('address', 'add', `${hostAddress}/32`, 'dev', hostLink);
  ip('link', 'set', hostLink, 'up');
  ip('-n', router, 'address', 'add', `${routerAddress}/32`, 'dev', 'host');
  ip('-n', router, 'link', 'set', 'host', 'up');
  ip('-n', router, 'route', 'add', `${hostAddress}/32`, 'dev', 'host');
  ip('route', 'add', '10.77.0.0/24', 'via', routerAddress, 'dev', hostLink, 'onlink');

  const rule = (change: 'add' | 'del', one: Machine, other?: Machine) => {
    const ways = other
      ? [
          ['from', one.address, 'to', other.address],
          ['from', other.address, 'to', one.address],
        ]
      : [
          ['from', one.address],
          ['to', one.address],
        ];
    for (const way of ways) ip('-n', router, 'rule', change, ...way, 'blackhole');
  };
  return {
    add: addMachine,
    cut: (one, other) => rule('add', one, other),
    repair: (one, other) => rule('del', one, other),
    close: removeAll,
  };
}
