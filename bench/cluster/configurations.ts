// The files of deploy/ with the addresses and folders of the cluster of this machine.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from '../../scripts/install.mjs';
import { ensureProgram } from '../../scripts/programs.mjs';

const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');

/** Changes a text of deploy/; what is replaced has to be there. */
function replace(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!from.test(changed)) throw new Error(`deploy/ does not contain ${from}`);
    return changed.replace(from, to);
  }, text);
}

/** A certificate for one address, with its key: the paths of both, and of one file with both. */
export function makeCertificate(folder: string, name: string, address: string) {
  const paths = ['crt', 'key', 'pem'].map((end) => join(folder, `${name}.${end}`));
  const [certificate = '', key = '', both = ''] = paths;
  execFileSync(
    ensureProgram('openssl'),
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name}
    -addext subjectAltName=IP:${address} -keyout ${key} -out ${certificate}`.split(/\s+/),
    { stdio: 'ignore' },
  );
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'), {
    mode: 0o600,
  });
  return { certificate, key, both };
}

/** What the configurations of one data node need to know. */
interface DataNode {
  name: string;
  address: string;
  /** Its folder, which the user `postgres` owns. */
  folder: string;
  etcd: readonly string[];
  certificate: { certificate: string; key: string };
}

interface PatroniConfiguration {
  name: string;
  restapi: { listen: string; connect_address: string };
  etcd3: { hosts: string[] };
  bootstrap: {
    dcs: {
      postgresql: {
        parameters: Record<string, string | number>;
        recovery_conf: Record<string, string>;
      };
    };
  };
  postgresql: {
    listen: string;
    connect_address: string;
    data_dir: string;
    pgpass?: string;
    parameters: Record<string, string | number>;
    pg_hba: string[];
    pgbackrest: { command: string };
  };
}

/**
 * Writes the configuration of pgBackRest of a machine into its folder, beside the repository that all
 * share. Returns its path.
 */
export function writeBackup(folder: string, dataFolder: string): string {
  for (const sub of ['spool', 'lock', 'log']) mkdirSync(join(folder, sub), { recursive: true });
  const file = join(folder, 'pgbackrest.conf');
  const settings = replace(read('database/pgbackrest.conf'), [
    [/^repo1-type=s3$/m, 'repo1-type=posix'],
    [/^repo1-s3-.*\n/gm, ''],
    [/^repo1-path=.*$/m, `repo1-path=${join(folder, '..', 'backup')}`],
    [/^spool-path=.*$/m, `spool-path=${join(folder, 'spool')}\nlock-path=${join(folder, 'lock')}`],
    [/^pg1-path=.*$/m, `pg1-path=${dataFolder}\npg1-socket-path=${folder}`],
  ]);
  writeFileSync(file, settings);
  return file;
}

/** Writes the configurations of Patroni and pgBackRest of a data node. Returns the first one's path. */
export function writeDataNode({ name, address, folder, etcd, certificate }: DataNode): string {
  const dataFolder = join(folder, 'data');
  const backup = writeBackup(folder, dataFolder);
  const withFile = (command: string) =>
    command.replace('pgbackrest', `pgbackrest --config=${backup}`);
  const patroni = parse(read('database/patroni.yml')) as PatroniConfiguration;
  patroni.name = name;
  patroni.restapi = { listen: `${address}:8008`, connect_address: `${address}:8008` };
  patroni.etcd3.hosts = etcd.map((each) => `${each}:2379`);
  const { parameters, recovery_conf: recovery } = patroni.bootstrap.dcs.postgresql;
  parameters.shared_buffers = '128MB';
  parameters.archive_command = withFile(String(parameters.archive_command));
  recovery.restore_command = withFile(String(recovery.restore_command));
  const own = patroni.postgresql;
  own.listen = `${address}:5432`;
  own.connect_address = `${address}:5432`;
  own.data_dir = dataFolder;
  own.pgpass = join(folder, 'pgpass');
  own.pg_hba = own.pg_hba.map((line) => line.replace('10.0.0.0/24', '10.77.0.0/24'));
  own.pgbackrest.command = withFile(own.pgbackrest.command);
  own.parameters = {
    ...own.parameters,
    ssl_cert_file: certificate.certificate,
    ssl_key_file: certificate.key,
    // The nodes share the file system of this machine.
    unix_socket_directories: folder,
  };
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, stringify(patroni));
  return file;
}

const runProxy = (file: string) => [ensureProgram('haproxy'), '-db', '-f', file];

/** The command of HAProxy beside a process of the server. */
export const databaseProxy = () => runProxy(join(root, 'deploy', 'proxy', 'haproxy-database.cfg'));

/** The command of HAProxy of the portal; a container may not open as many files. */
export function portalProxy(folder: string): string[] {
  const file = join(folder, 'haproxy.cfg');
  const settings = replace(read('proxy/haproxy.cfg'), [[/^  maxconn 20000$/m, '  maxconn 2000']]);
  writeFileSync(file, settings);
  return runProxy(file);
}

/** The page of HAProxy when no process is ready. */
export const proxyErrors = join(root, 'deploy', 'proxy', 'errors');

/** How the unit of systemd starts a process of the server: its command, and its settings. */
export function readUnit(): { command: string[]; settings: Record<string, string> } {
  const unit = read('systemd/diwan@.service');
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const settings = valueOf('Environment')
    .replaceAll('%i', '3000')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]);
  const [, ...command] = valueOf('ExecStart').split(' ');
  return { command: [process.execPath, ...command], settings: Object.fromEntries(settings) };
}

const scriptOf = (name: string) => join(root, 'deploy', 'database', name);

/** The script that makes the roles and the database. */
export const rolesScript = scriptOf('create-roles.sh');

/** The script that restores the database to a time. */
export const restoreScript = scriptOf('restore-to-time.sh');
