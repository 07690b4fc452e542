// npm run test:upgrade [-- <version>] [files…]: the tests of an older version, a commit or a tag, on the
// schema of this one. Without a version it is the last release, or, where processes of that one must be
// stopped first, the first commit since which they need not be. docs/operations/upgrade.md.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';
import { lastFree } from '../check/expand-and-contract.mjs';

// Every call in every role, and the work that people do most.
const usualFiles = [
  'api/src/system-tests/every-call/role-matrix.test.ts',
  // Where older versions have it.
  'api/src/system-tests/role-matrix.test.ts',
  'api/src/features/requests/actions/create-request.test.ts',
  'api/src/features/requests/actions/request-actions.test.ts',
  'api/src/features/drafts/drafts.test.ts',
  'api/src/features/payments/payments.test.ts',
  'api/src/features/users/users.test.ts',
];

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
};
const hasFile = (version, path) =>
  spawnSync('git', ['cat-file', '-e', `${version}:${path}`], { cwd: root }).status === 0;

function usualVersion() {
  const first = `api/database/migrations/${lastFree}`;
  const release = git('log', '--grep=^release: ', '--format=%H', '-n1');
  if (release && hasFile(release, first)) return release;
  return git('log', '--diff-filter=A', '--format=%H', '--', first).split('\n').at(-1);
}

/** A tree of the version: its own code and contract, this tree's packages and database. */
function makeTree(version) {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-upgrade-'));
  const archive = spawnSync(
    'bash',
    ['-c', 'set -o pipefail; git archive "$0" | tar -x -C "$1"', version, folder],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (archive.status !== 0) throw new Error(`${version} cannot be read`);
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@diwan'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@diwan' && (!name.startsWith('.') || name === '.bin'))
      symlinkSync(join(root, 'node_modules', name), join(packages, name));
  for (const name of readdirSync(join(root, 'node_modules/@diwan')))
    symlinkSync(join(folder, name), join(packages, '@diwan', name));
  // The portal as it is built here: the tests of the server read its first page.
  for (const part of ['api/node_modules', 'web/dist'])
    if (existsSync(join(root, part))) symlinkSync(join(root, part), join(folder, part));
  for (const part of ['migrations', 'functions']) {
    rmSync(join(folder, 'api/database', part), { recursive: true });
    cpSync(join(root, 'api/database', part), join(folder, 'api/database', part), {
      recursive: true,
    });
  }
  return folder;
}

const given = process.argv.slice(2);
const files = given.filter((name) => name.endsWith('.ts'));
const version = given.find((name) => !name.endsWith('.ts')) ?? usualVersion();
const added = git(
  'diff',
  '--name-only',
  '--diff-filter=A',
  version,
  '--',
  'api/database/migrations',
)
  .split('\n')
  .filter((name) => name.endsWith('.sql'));
console.log(`The tests of ${git('log', '-1', '--format=%h %s', version)}`);
console.log(`on the schema of this tree: ${added.length} migrations that it does not know`);
const folder = makeTree(version);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...(files.length > 0 ? files : usualFiles.filter((file) => hasFile(version, file))),
  ],
  { cwd: folder, stdio: 'inherit' },
);
rmSync(folder, { recursive: true });
console.log(
  status === 0
    ? 'A process of that version works on the new schema'
    : 'A process of that version does not work on the new schema: stop it before the upgrade',
);
process.exit(status ?? 1);
