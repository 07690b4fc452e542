import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  dataNodes,
  serverNodes,
  type Cluster,
  type DataNodeName,
  type MachineName,
  type ServerName,
} from './cluster.ts';
import { signalAll } from './network.ts';

/** One way to break the cluster. `begin` returns what repairs it again. */
export interface Fault {
  about: string;
  /** How long it lasts, in seconds. */
  seconds: number;
  /** The longest time without an acknowledged act, in seconds. */
  allowed: number;
  begin(cluster: Cluster, random: () => number): Promise<() => Promise<void> | void>;
}

const nothing = () => undefined;
const etcdNodes = ['etcd-1', 'etcd-2', 'etcd-3'] as const;

/** The processes of a machine whose command contains a text. */
const pidsOf = ({ machines }: Cluster, name: MachineName, part: string): number[] =>
  machines[name].pids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(part);
    } catch {
      return false;
    }
  });

/** PostgreSQL without Patroni. */
const postgresPids = (cluster: Cluster, name: DataNodeName) => [
  ...pidsOf(cluster, name, 'postgres: '),
  ...pidsOf(cluster, name, '/bin/postgres -D'),
];
const serverPids = (cluster: Cluster, name: ServerName) =>
  cluster.machines[name].pids().filter((pid) => !pidsOf(cluster, name, 'haproxy').includes(pid));
const patroniPids = (cluster: Cluster, name: DataNodeName) => {
  const postgres = postgresPids(cluster, name);
  return cluster.machines[name].pids().filter((pid) => !postgres.includes(pid));
};

const otherNode = (name: DataNodeName): DataNodeName =>
  dataNodes.find((each) => each !== name) ?? name;
const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item;

async function untilGone(pids: () => number[], seconds: number): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (pids().length > 0 && Date.now() < until) await sleep(100);
  signalAll(pids(), 'SIGKILL');
  while (pids().length > 0) await sleep(50);
  // This program hears of the end a moment later.
  await sleep(200);
}

/** A machine loses its current: it closes no connection, and its programs are gone. */
function kill(cluster: Cluster, name: MachineName): () => void {
  const machine = cluster.machines[name];
  cluster.network.cut(machine);
  signalAll(machine.pids(), 'SIGKILL');
  return () => {
    cluster.network.repair(machine);
    cluster.start(name);
  };
}

/** Kills a program; its machine refuses connections. */
function killProgram(cluster: Cluster, name: 'redis' | 'objects'): () => Promise<void> {
  const pids = () => cluster.machines[name].pids();
  signalAll(pids(), 'SIGKILL');
  return async () => {
    await untilGone(pids, 5);
    cluster.start(name);
  };
}

function freeze(pids: readonly number[]): () => void {
  signalAll(pids, 'SIGSTOP');
  return () => signalAll(pids, 'SIGCONT');
}

async function restartServer(cluster: Cluster, name: ServerName): Promise<void> {
  signalAll(serverPids(cluster, name), 'SIGTERM');
  await untilGone(() => serverPids(cluster, name), 40);
  cluster.start(name);
  await cluster.untilWhole();
}

async function restartNode(cluster: Cluster, name: DataNodeName): Promise<void> {
  signalAll(patroniPids(cluster, name), 'SIGTERM');
  await untilGone(() => cluster.machines[name].pids(), 30);
  cluster.start(name);
  await cluster.untilWhole();
}

async function restartEverything(cluster: Cluster): Promise<void> {
  for (const name of serverNodes) await restartServer(cluster, name);
  await killProgram(cluster, 'redis')();
  await killProgram(cluster, 'objects')();
  for (const name of etcdNodes) {
    signalAll(cluster.machines[name].pids(), 'SIGTERM');
    await untilGone(() => cluster.machines[name].pids(), 10);
    cluster.start(name);
    await sleep(3000);
  }
  const primary = await cluster.primary();
  await restartNode(cluster, otherNode(primary));
  await cluster.switchOver();
  while ((await cluster.primary().catch(() => primary)) === primary) await sleep(200);
  await cluster.untilWhole();
  await restartNode(cluster, primary);
}

/** Issue: 5 s after a switchover, 10 s after the death of PostgreSQL, 25 s after that of a machine. */
export const faults: Readonly<Record<string, Fault>> = {
  switchover: {
    about: 'switchover',
    seconds: 10,
    allowed: 5,
    begin: async (cluster) => {
      await cluster.switchOver();
      return nothing;
    },
  },
  postgres: {
    about: 'PostgreSQL of the primary killed',
    seconds: 15,
    allowed: 10,
    begin: async (cluster) => {
      signalAll(postgresPids(cluster, await cluster.primary()), 'SIGKILL');
      return nothing;
    },
  },
  machine: {
    about: 'machine of the primary lost',
    seconds: 35,
    allowed: 25,
    begin: async (cluster) => kill(cluster, await cluster.primary()),
  },
  standby: {
    about: 'machine of the standby lost',
    seconds: 30,
    allowed: 25,
    begin: async (cluster) => kill(cluster, otherNode(await cluster.primary())),
  },
  'cut-etcd': {
    about: 'primary cut from etcd',
    seconds: 40,
    allowed: 25,
    begin: async (cluster) => {
      const primary = cluster.machines[await cluster.primary()];
      const others = etcdNodes.map((name) => cluster.machines[name]);
      for (const other of others) cluster.network.cut(primary, other);
      return () => {
        for (const other of others) cluster.network.repair(primary, other);
      };
    },
  },
  'cut-standby': {
    about: 'primary cut from its standby',
    seconds: 35,
    allowed: 25,
    begin: async (cluster) => {
      const { machines, network } = cluster;
      network.cut(machines['node-1'], machines['node-2']);
      return () => network.repair(machines['node-1'], machines['node-2']);
    },
  },
  'freeze-primary': {
    about: 'PostgreSQL and Patroni of the primary frozen',
    seconds: 35,
    allowed: 25,
    begin: async (cluster) => freeze(cluster.machines[await cluster.primary()].pids()),
  },
  'freeze-patroni': {
    about: 'Patroni of the primary frozen',
    seconds: 40,
    allowed: 25,
    begin: async (cluster) => freeze(patroniPids(cluster, await cluster.primary())),
  },
  etcd: {
    about: 'one etcd lost',
    seconds: 15,
    allowed: 5,
    begin: async (cluster, random) => kill(cluster, pick(etcdNodes, random)),
  },
  server: {
    about: 'process of the server killed',
    seconds: 5,
    allowed: 5,
    begin: async (cluster, random) => {
      const name = pick(serverNodes, random);
      signalAll(serverPids(cluster, name), 'SIGKILL');
      return () => cluster.start(name);
    },
  },
  'cut-server': {
    about: 'server cut from HAProxy',
    seconds: 20,
    allowed: 5,
    begin: async (cluster, random) => {
      const { machines, network } = cluster;
      const server = machines[pick(serverNodes, random)];
      network.cut(server, machines.proxy);
      return () => network.repair(server, machines.proxy);
    },
  },
  redis: {
    about: 'Redis killed',
    seconds: 10,
    allowed: 5,
    begin: async (cluster) => killProgram(cluster, 'redis'),
  },
  objects: {
    about: 'object store killed',
    seconds: 10,
    // The requests of the trial need a document.
    allowed: 15,
    begin: async (cluster) => killProgram(cluster, 'objects'),
  },
  rolling: {
    about: 'rolling restart of everything',
    seconds: 0,
    allowed: 5,
    begin: async (cluster) => {
      await restartEverything(cluster);
      return nothing;
    },
  },
};
