import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { s3Package } from '../../api/src/testing/storage/s3-server.ts';
import { root } from '../../scripts/install.mjs';
import { ensureProgram } from '../../scripts/programs.mjs';
import {
  makeCertificate,
  databaseProxy,
  portalProxy,
  proxyErrors,
  readUnit,
  rolesScript,
  writeBackup,
  writeDataNode,
} from './configurations.ts';
import { openNetwork, signalAll, type Machine, type Network } from './network.ts';

const etcdNames = ['etcd-1', 'etcd-2', 'etcd-3'] as const;
/** The machines with PostgreSQL and Patroni. */
export const dataNodes = ['node-1', 'node-2'] as const;
/** The machines with a process of the server and a HAProxy of the database. */
export const serverNodes = ['server-1', 'server-2'] as const;
export type DataNodeName = (typeof dataNodes)[number];
export type ServerName = (typeof serverNodes)[number];
export type MachineName =
  | (typeof etcdNames)[number]
  | DataNodeName
  | ServerName
  | 'proxy'
  | 'redis'
  | 'objects'
  | 'restored';

/** The last byte of each address. */
const lastBytes: Readonly<Record<MachineName, number>> = {
  'etcd-1': 11,
  'etcd-2': 12,
  'etcd-3': 13,
  'node-1': 21,
  'node-2': 22,
  'server-1': 31,
  'server-2': 32,
  proxy: 41,
  redis: 51,
  objects: 52,
  restored: 61,
};

const bucket = 'diwan-documents';

/** A running cluster. */
export interface Cluster {
  folder: string;
  /** The address of the portal, and the certificate that its proxy has. */
  portal: string;
  certificate: string;
  /** The settings of the processes of the server, beside those of the unit. */
  settings: Readonly<Record<string, string>>;
  /** The address of the database for its administrator, on the node that is the primary now. */
  databaseUrl(): Promise<string>;
  machines: Readonly<Record<MachineName, Machine>>;
  network: Network;
  /** Starts what does not run on a machine, and waits for nothing. */
  start(name: MachineName): void;
  /** The data nodes by what Patroni says: the primary and its synchronous standby. */
  members(): Promise<Member[]>;
  primary(): Promise<DataNodeName>;
  /** Runs a command on a data node, or on the machine `restored`, as `postgres`. Returns what it wrote. */
  runAsPostgres(
    name: DataNodeName | 'restored',
    command: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Waits for a primary with a synchronous standby, and for both processes of the server. */
  untilWhole(seconds?: number): Promise<void>;
  /** Asks Patroni for a switchover. */
  switchOver(): Promise<void>;
  close(): Promise<void>;
}

interface Member {
  name: DataNodeName;
  role: string;
  state: string;
}

const passwords = { owner: 'owner-password', server: 'server-password', postgres: 'superuser' };

/** Asks until the answer is true; throws with what it waited for. */
async function waitFor(what: string, seconds: number, ask: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (!(await ask().catch(() => false))) {
    if (Date.now() > until) throw new Error(`after ${seconds} s there is no ${what}`);
    await sleep(250);
  }
}

const fetchSoon = (url: string) => fetch(url, { signal: AbortSignal.timeout(2000) });

/** The program of the S3 server of the tests, which npm's cache stores. */
function findS3Server(): string {
  const { stdout } = spawnSync(
    'npx',
    ['--yes', '--package', s3Package, '-c', 'realpath "$(command -v s3rver)"'],
    { encoding: 'utf8', cwd: tmpdir() },
  );
  return stdout.trim();
}

/** A command, and the user and settings that it runs with. */
interface Program {
  command: string[];
  env?: Record<string, string>;
  user?: string;
  cwd?: string;
}
type Programs = Readonly<Record<MachineName, readonly Program[]>>;

const words = (text: string) => text.split(/\s+/);

function listPrograms(
  folder: string,
  machines: Readonly<Record<MachineName, Machine>>,
  settings: Readonly<Record<string, string>>,
): Programs {
  const addressOf = (name: MachineName) => machines[name].address;
  const etcdCluster = etcdNames.map((name) => `${name}=http://${addressOf(name)}:2380`).join(',');
  const runEtcd = (name: (typeof etcdNames)[number]) => {
    const [client, peer] = [2379, 2380].map((port) => `http://${addressOf(name)}:${port}`);
    return [
      {
        command: words(
          `${ensureProgram('etcd')} --name ${name} --data-dir ${join(folder, name)}
          --listen-client-urls ${client} --advertise-client-urls ${client}
          --listen-peer-urls ${peer} --initial-advertise-peer-urls ${peer}
          --initial-cluster ${etcdCluster} --initial-cluster-state new
          --heartbeat-interval 200 --election-timeout 2000`,
        ),
      },
    ];
  };
  const runNode = (name: DataNodeName) => [
    {
      command: [ensureProgram('patroni'), join(folder, name, 'patroni.yml')],
      user: 'postgres',
      env: {
        PATRONI_SUPERUSER_PASSWORD: passwords.postgres,
        PATRONI_REPLICATION_PASSWORD: 'replication',
        PATRONI_REWIND_PASSWORD: 'rewind',
        PGBACKREST_REPO1_CIPHER_PASS: 'backup',
      },
    },
  ];
  const unit = readUnit();
  const runServer = (name: ServerName): Program[] => [
    {
      command: databaseProxy(),
      env: { DATABASE_1: addressOf('node-1'), DATABASE_2: addressOf('node-2') },
    },
    {
      command: unit.command,
      cwd: root,
      env: { ...unit.settings, HOST: addressOf(name), DATA_DIR: join(folder, name), ...settings },
    },
  ];
  const { both } = makeCertificate(folder, 'portal', addressOf('proxy'));
  return {
    'etcd-1': runEtcd('etcd-1'),
    'etcd-2': runEtcd('etcd-2'),
    'etcd-3': runEtcd('etcd-3'),
    'node-1': runNode('node-1'),
    'node-2': runNode('node-2'),
    'server-1': runServer('server-1'),
    'server-2': runServer('server-2'),
    proxy: [
      {
        command: portalProxy(folder),
        env: {
          SERVER_1: `${addressOf('server-1')}:3000`,
          SERVER_2: `${addressOf('server-2')}:3000`,
          CERTIFICATE: both,
          ERRORS: proxyErrors,
        },
      },
    ],
    redis: [
      {
        command: [
          ...words(`${ensureProgram('redis')} --bind ${addressOf('redis')} --port 6379`),
          ...words('--protected-mode no --appendonly no --save'),
          '',
        ],
      },
    ],
    // It is filled by a restore.
    restored: [],
    objects: [
      {
        command: words(
          `${process.execPath} ${findS3Server()} --directory ${join(folder, 'objects')}
          --address ${addressOf('objects')} --port 4568 --silent --configure-bucket ${bucket}`,
        ),
      },
    ],
  };
}

/** The settings of the processes of the server, beside those of the unit. */
const settingsOf = (addressOf: (name: MachineName) => string) => ({
  DATABASE_URL: `postgres://diwan_server:${passwords.server}@127.0.0.1:5000/diwan?sslmode=no-verify`,
  MIGRATIONS_DATABASE_URL: `postgres://diwan_owner:${passwords.owner}@127.0.0.1:5000/diwan?sslmode=no-verify`,
  REDIS_URL: `redis://${addressOf('redis')}:6379`,
  FILE_STORE: 's3',
  S3_BUCKET: bucket,
  S3_ENDPOINT: `http://${addressOf('objects')}:4568`,
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
  PUBLIC_URL: `https://${addressOf('proxy')}`,
  TRUST_PROXY: addressOf('proxy'),
  SANDBOX: 'on',
  SEED: 'demo',
  // People of a trial act more often than people.
  REQUESTS_PER_DAY: '1000000',
  LOGIN_ATTEMPTS_PER_MINUTE: '100000',
  INQUIRIES_PER_MINUTE: '100000',
  DRAFT_SAVES_PER_MINUTE: '100000',
});

/** Makes the folders of the data nodes, with their configurations. */
function prepareDataNodes(folder: string, machines: Readonly<Record<MachineName, Machine>>): void {
  mkdirSync(join(folder, 'backup'));
  for (const name of dataNodes) {
    const own = join(folder, name);
    mkdirSync(own);
    const { address } = machines[name];
    const certificate = makeCertificate(own, 'server', address);
    const etcd = etcdNames.map((each) => machines[each].address);
    writeDataNode({ name, address, folder: own, etcd, certificate });
    execFileSync('chown', ['-R', 'postgres:postgres', own]);
    chmodSync(own, 0o700);
  }
  const restored = join(folder, 'restored');
  mkdirSync(restored);
  writeBackup(restored, join(restored, 'data'));
  execFileSync('chown', ['-R', 'postgres:postgres', restored, join(folder, 'backup')]);
}

/** Runs a command of the user `postgres` on a machine to its end. Returns what it wrote. */
async function runAsPostgres(
  { folder, machine }: { folder: string; machine: Machine },
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const log = join(folder, 'log', 'administrator.log');
  const before = existsSync(log) ? statSync(log).size : 0;
  const child = machine.run(command, { user: 'postgres', log, env });
  const status = await new Promise((resolve) => child.once('exit', resolve));
  const output = readFileSync(log).subarray(before).toString();
  if (status !== 0) throw new Error(`${command.join(' ')} failed: ${output}`);
  return output;
}

/** What pgBackRest of a machine needs in its environment. */
const backupOf = (folder: string, name: string) => ({
  PGBACKREST_CONFIG: join(folder, name, 'pgbackrest.conf'),
  PGBACKREST_REPO1_CIPHER_PASS: 'backup',
});

/** Creates roles and database as `deploy/` says, and the place of the backups. */
async function prepareDatabase(folder: string, machine: Machine): Promise<void> {
  const own = join(folder, machine.name);
  const files = (['owner', 'server'] as const).map((name) => {
    const file = join(own, `${name}-password`);
    writeFileSync(file, passwords[name]);
    execFileSync('chown', ['postgres', file]);
    return file;
  });
  const at = { folder, machine };
  await runAsPostgres(at, ['sh', rolesScript], {
    PGHOST: own,
    OWNER_PASSWORD_FILE: files[0] ?? '',
    SERVER_PASSWORD_FILE: files[1] ?? '',
  });
  const create = [ensureProgram('pgbackrest'), '--stanza=diwan', 'stanza-create'];
  await runAsPostgres(at, create, backupOf(folder, machine.name));
}

/**
 * Opens the whole set-up of docs/operations/cluster.md on this machine. `say` hears of each step. Only
 * for root on Debian: it needs namespaces of the network and the packages of the system.
 */
export async function openCluster(say: (line: string) => void): Promise<Cluster> {
  for (const name of ['etcd', 'postgres', 'patroni', 'pgbackrest', 'haproxy', 'redis', 'ip'])
    ensureProgram(name);
  const network = await openNetwork();
  const folder = join(tmpdir(), 'diwan-cluster');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(join(folder, 'log'), { recursive: true });
  const machines = Object.fromEntries(
    Object.entries(lastBytes).map(([name, lastByte]) => [name, network.add(name, lastByte)]),
  ) as Record<MachineName, Machine>;
  const addressOf = (name: MachineName) => machines[name].address;
  prepareDataNodes(folder, machines);
  // The S3 server deletes folders that become empty, also while another call writes there.
  const incoming = join(folder, 'objects', bucket, 'incoming');
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, '.keep'), '');
  const settings = settingsOf(addressOf);
  const programs = listPrograms(folder, machines, settings);
  const started = new Map<string, ChildProcess>();
  const startProgram = (name: MachineName, index: number) => {
    const program = programs[name][index];
    const key = `${name}${index === 0 ? '' : `-${index + 1}`}`;
    const child = started.get(key);
    const runs = child && child.exitCode === null && child.signalCode === null;
    if (!program || runs) return;
    const { command, ...options } = program;
    const log = join(folder, 'log', `${key}.log`);
    started.set(key, machines[name].run(command, { cwd: folder, ...options, log }));
  };

  async function members(): Promise<Member[]> {
    for (const name of dataNodes) {
      const answer = await fetchSoon(`http://${addressOf(name)}:8008/cluster`).catch(
        () => undefined,
      );
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }
  const isReady = async (name: ServerName) =>
    (await fetchSoon(`http://${addressOf(name)}:3000/health/ready`)).ok;
  const isWhole = async () => {
    const now = await members();
    const has = (role: string, states: readonly string[]) =>
      now.some((member) => member.role === role && states.includes(member.state));
    return has('leader', ['running']) && has('sync_standby', ['running', 'streaming']);
  };

  const cluster: Cluster = {
    folder,
    portal: `https://${addressOf('proxy')}`,
    certificate: readFileSync(join(folder, 'portal.crt'), 'utf8'),
    settings,
    machines,
    network,
    members,
    start: (name) => {
      for (const index of programs[name].keys()) startProgram(name, index);
    },
    runAsPostgres: (name, command, env = {}) =>
      runAsPostgres({ folder, machine: machines[name] }, command, {
        ...backupOf(folder, name),
        ...env,
      }),
    async primary() {
      const leader = (await members()).find(({ role }) => role === 'leader');
      if (!leader) throw new Error('there is no primary');
      return leader.name;
    },
    databaseUrl: async () =>
      `postgres://postgres:${passwords.postgres}@${addressOf(await cluster.primary())}:5432/diwan?sslmode=no-verify`,
    async untilWhole(seconds = 120) {
      await waitFor('primary with a synchronous standby', seconds, isWhole);
      for (const name of serverNodes)
        await waitFor(`${name} that is ready`, seconds, () => isReady(name));
    },
    async switchOver() {
      const [leader, other] = [await cluster.primary(), await members()];
      const candidate = other.find(({ name }) => name !== leader)?.name;
      const answer = await fetch(`http://${addressOf(leader)}:8008/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader, candidate }),
      });
      if (!answer.ok) throw new Error(`no switchover: ${await answer.text()}`);
    },
    async close() {
      // Patroni stops PostgreSQL in order, which gives back its shared memory.
      for (const name of dataNodes) signalAll(machines[name].pids(), 'SIGCONT');
      for (const child of started.values()) if (child.pid) signalAll([child.pid], 'SIGTERM');
      const until = Date.now() + 15_000;
      while (dataNodes.some((name) => machines[name].pids().length > 0) && Date.now() < until)
        await sleep(100);
      await network.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  try {
    say('etcd, Redis and the object store …');
    for (const name of [...etcdNames, 'redis', 'objects'] as const) cluster.start(name);
    say('PostgreSQL under Patroni …');
    for (const name of dataNodes) cluster.start(name);
    await waitFor('primary with a synchronous standby', 180, isWhole);
    // It first takes each node for a primary, until it has asked.
    for (const name of serverNodes) startProgram(name, 0);
    cluster.start('proxy');
    say('roles, database and the place of the backups …');
    await prepareDatabase(folder, machines[await cluster.primary()]);
    say('the first process of the server, which migrates …');
    cluster.start('server-1');
    await waitFor('server-1 that is ready', 240, () => isReady('server-1'));
    say('the second process of the server …');
    cluster.start('server-2');
    await cluster.untilWhole(240);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
