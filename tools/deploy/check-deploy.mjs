// npm run check:deploy: the programs that read the files of deploy/ check them, with names, addresses
// and certificates of this machine instead of the real ones.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';
import { ensureProgram } from '../../scripts/programs.mjs';

const deploy = join(root, 'deploy');
const folder = mkdtempSync(join(tmpdir(), 'diwan-deploy-'));
const pem = join(folder, 'portal.pem');
const key = join(folder, 'portal.key');
const failed = [];

function check(name, program, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(ensureProgram(program), args, {
    encoding: 'utf8',
    ...options,
    env: { ...process.env, ...options.env },
  });
  const output = `${stdout}${stderr}`.trim();
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${name}`);
  if (status === 0) return;
  failed.push(name);
  console.log(output);
}

/** A file of deploy/ with replacements, in the temporary folder. */
function adapt(file, name, replacements) {
  let text = readFileSync(join(deploy, file), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

try {
  execFileSync(
    ensureProgram('openssl'),
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=portal.example',
      '-keyout',
      key,
      '-out',
      join(folder, 'portal.crt'),
    ],
    { stdio: 'ignore' },
  );
  writeFileSync(pem, readFileSync(join(folder, 'portal.crt')) + readFileSync(key, 'utf8'));

  const addresses = {
    ERRORS: join(deploy, 'proxy', 'errors'),
    CERTIFICATE: pem,
    SERVER_1: '127.0.0.1:3001',
    SERVER_2: '127.0.0.1:3002',
    DATABASE_1: '127.0.0.1',
    DATABASE_2: '127.0.0.1',
  };
  const proxy = ['haproxy.cfg', 'haproxy-database.cfg'].flatMap((file) => [
    '-f',
    join(deploy, 'proxy', file),
  ]);
  check('HAProxy', 'haproxy', ['-c', ...proxy], { env: addresses });

  const site = adapt('proxy/nginx.conf', 'site.conf', [
    ['/etc/diwan/portal.pem', pem],
    ['/etc/diwan/portal.key', key],
  ]);
  const nginx = join(folder, 'nginx.conf');
  writeFileSync(nginx, `pid ${folder}/nginx.pid;\nevents {}\nhttp { include ${site}; }\n`);
  check('nginx', 'nginx', ['-t', '-p', folder, '-e', join(folder, 'nginx.log'), '-c', nginx]);

  const units = [
    'diwan@.service',
    'diwan-backup@.service',
    'diwan-backup-full.timer',
    'diwan-backup-diff.timer',
  ];
  for (const unit of units) copyFileSync(join(deploy, 'systemd', unit), join(folder, unit));
  // The programs that the units start are on the servers, not here.
  adapt('systemd/diwan@.service', 'diwan@.service', [['/usr/bin/node', process.execPath]]);
  adapt('systemd/diwan-backup@.service', 'diwan-backup@.service', [
    ['/usr/bin/pgbackrest', '/bin/true'],
  ]);
  const verified = units.map((unit) => join(folder, unit.replace('@.', '@1.')));
  for (const unit of units.filter((each) => each.includes('@.')))
    copyFileSync(join(folder, unit), join(folder, unit.replace('@.', '@1.')));
  check('systemd', 'systemd-analyze', ['verify', '--man=no', ...verified]);

  const rules = join(deploy, 'prometheus');
  check('Prometheus', 'promtool', ['check', 'config', join(rules, 'prometheus.yml')]);
  check('alert rules', 'promtool', ['test', 'rules', join(rules, 'rules.test.yml')]);

  const environment = adapt('compose/example.env', '.env', []);
  copyFileSync(join(deploy, 'compose', 'compose.yaml'), join(folder, 'compose.yaml'));
  check('Compose', 'docker-compose', [
    '--env-file',
    environment,
    '-f',
    join(folder, 'compose.yaml'),
    'config',
    '-q',
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed.length === 0 ? 'deploy: passed' : `deploy: ${failed.join(', ')} failed`);
process.exit(failed.length === 0 ? 0 : 1);
