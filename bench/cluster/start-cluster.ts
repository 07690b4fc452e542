// npm run cluster: the whole set-up of docs/operations/cluster.md on this machine, until Ctrl-C.
import { demoPassword } from '../../api/src/seed/seed.ts';
import { openCluster } from './cluster.ts';

const began = Date.now();
const cluster = await openCluster((line) => console.log(line));
const { machines, portal, folder } = cluster;
const at = (name: keyof typeof machines, port: number | string) =>
  `${machines[name].address}:${port}`;

console.log(`
It was up in ${Math.round((Date.now() - began) / 1000)} s.

portal          ${portal}  (HAProxy; its certificate is its own)
sign in         admin, employee, individual …; password ${demoPassword}
servers         ${at('server-1', 3000)}  ${at('server-2', 3000)}
PostgreSQL      ${at('node-1', 5432)}  ${at('node-2', 5432)}  (primary now: ${await cluster.primary()})
Patroni         http://${at('node-1', 8008)}/cluster
etcd            ${at('etcd-1', 2379)}  ${at('etcd-2', 2379)}  ${at('etcd-3', 2379)}
Redis           ${at('redis', 6379)}
object store    http://${at('objects', 4568)}
logs            ${folder}/log

Machines are namespaces of the network: ip netns exec diwan-node-1 bash
patronictl      patronictl -c ${folder}/node-1/patroni.yml list

Ctrl-C ends everything.`);

let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    console.log('Ending …');
    void cluster.close().then(() => process.exit(0));
  });
setInterval(() => undefined, 60_000);
