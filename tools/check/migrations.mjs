// npm run check: migrations that have landed never change, because databases have run them. Their
// hashes are in api/database/migrations/landed.sha256, in the form that `sha256sum --check` reads.
// With --add, as `npm run database:types` runs it, it adds the hashes of new migrations first.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/install.mjs';
import { findContractProblems, readReleases } from './expand-and-contract.mjs';
import { readText } from './read-files.mjs';

const folder = 'api/database/migrations';

/** The names and texts of the migrations. */
export const readMigrations = () =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => [name, readText(join(root, folder, name))]);

const listPath = `${folder}/landed.sha256`;
const readList = () => readText(join(root, listPath));
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const readLines = (list) => list.split('\n').filter(Boolean);

// Since the next one, functions are in separate files.
const lastWithFunctions = '0088-references-of-requests.sql';

/** The list with a line for each migration that it lacks. Existing lines stay as they are. */
export function addMigrations(list, migrations) {
  const names = new Set(readLines(list).map((line) => line.slice(66)));
  return [
    ...readLines(list),
    ...migrations
      .filter(([name]) => !names.has(name))
      .map(([name, text]) => `${hashOf(text)}  ${name}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * The problems of migrations ([name, text]) and of their list of hashes. `mainList` is the list of
 * the main branch where this branch began, if the history is available.
 */
export function findMigrationProblems(migrations, list, mainList = '') {
  const lines = readLines(list);
  const hashes = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const texts = new Map(migrations);
  const names = [...hashes.keys()];
  return [
    ...readLines(mainList)
      .filter((line) => !lines.includes(line))
      .map((line) => `${line.slice(66)}: its line in ${listPath} has landed and was changed`),
    ...migrations
      .filter(
        ([name, text]) =>
          name > lastWithFunctions && /\bcreate or replace (function|procedure)\b/i.test(text),
      )
      .map(
        ([name]) =>
          `${name} replaces a function: change its file in api/database/functions. ` +
          'A migration only creates functions that are new, and drops old ones',
      ),
    ...names
      .filter((name) => !texts.has(name))
      .map((name) => `${name} has landed and was removed or renamed`),
    ...names
      .filter((name, index) => index > 0 && name <= names[index - 1])
      .map(
        (name) => `${name} comes before migrations that landed earlier: give it the next number`,
      ),
    ...migrations
      .filter(([name]) => !hashes.has(name))
      .map(([name]) => `${name} is not in ${listPath}: run npm run database:types`),
    ...migrations
      .filter(([name, text]) => hashes.has(name) && hashes.get(name) !== hashOf(text))
      .map(
        ([name]) =>
          `${name} has landed and was changed: undo that and write a new migration. ` +
          `If no database has run it, delete its line in ${listPath}; npm run database:types adds it`,
      ),
  ];
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

// What this branch and the main branch have in common. A clone without history has no other branch to
// compare with.
function readMainList() {
  for (const branch of ['origin/HEAD', 'origin/main', 'main']) {
    const base = git('merge-base', 'HEAD', branch);
    if (base.status === 0) return git('show', `${base.stdout.trim()}:${listPath}`).stdout;
  }
  return '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--add'))
    writeFileSync(join(root, listPath), addMigrations(readList(), readMigrations()));
  const problems = [
    ...findMigrationProblems(readMigrations(), readList(), readMainList()),
    ...findContractProblems(readMigrations(), readReleases(readText(join(root, 'CHANGELOG.md')))),
  ];
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
