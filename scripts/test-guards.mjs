// npm run test:guards [-- text]: removes each guard of scripts/guards, one at a time, in a copy of the
// repository and shows which test notices. With a text, only guards whose kind contains it. Exits 1
// when a guard is missed by every test, or when a test fails without a removal.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createVitest } from 'vitest/node';
import { accessGuards } from './guards/access-guards.mjs';
import { hubGuards } from './guards/hub-guards.mjs';
import { paymentGuards } from './guards/payment-guards.mjs';
import { recordGuards } from './guards/record-guards.mjs';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const guards = [...accessGuards, ...hubGuards, ...paymentGuards, ...recordGuards];
const [text = ''] = process.argv.slice(2);
const chosen = guards.filter(({ kind }) => kind.includes(text));
const copy = mkdtempSync(join(tmpdir(), 'diwan-guards-'));

/** Copies the sources; packages are linked, except the workspaces, which are those of the copy. */
function copyRepository() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  });
  for (const file of listed.toString().split('\0').filter(Boolean))
    cpSync(join(root, file), join(copy, file), { dereference: false });
  const packages = join(copy, 'node_modules');
  mkdirSync(join(packages, '@diwan'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!['@diwan', '.vite', '.cache'].includes(name))
      symlinkSync(join(root, 'node_modules', name), join(packages, name));
  for (const workspace of ['contract', 'api', 'web'])
    symlinkSync(join(copy, workspace), join(packages, '@diwan', workspace));
}

/** The source without a guard. Throws unless the guard occurs exactly once. */
function withoutGuard(source, { kind, file, code, without }) {
  const escaped = code
    .trim()
    .split(/\s+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const found = [...source.matchAll(new RegExp(escaped.join(String.raw`\s*`), 'g'))];
  if (found.length !== 1)
    throw new Error(
      `${kind}: its code occurs ${found.length} times in ${file}; correct scripts/guards`,
    );
  return source.replace(found[0][0], () => without);
}

/** Runs test files in one run that ends at the first failure. Returns the name of that test. */
async function findFailure(vitest, tests) {
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    tests.includes(relative(copy, moduleId)),
  );
  if (specifications.length < tests.length)
    throw new Error(`a file is missing: ${tests.join(', ')}`);
  const { testModules } = await vitest.runTestSpecifications(specifications);
  // The result also holds the modules of earlier runs.
  const run = testModules.filter(({ moduleId }) => tests.includes(relative(copy, moduleId)));
  for (const module of run) {
    for (const test of module.children.allTests('failed'))
      return `${relative(copy, module.moduleId)}: ${test.fullName}`;
    if (!module.ok()) return `${relative(copy, module.moduleId)} does not run`;
  }
  return undefined;
}

const missed = [];
let vitest;
try {
  // Every guard must be where the list says before the first long run.
  for (const guard of guards) withoutGuard(readFileSync(join(root, guard.file), 'utf8'), guard);
  copyRepository();
  process.chdir(copy);
  vitest = await createVitest('test', {
    root: copy,
    watch: false,
    project: ['api'],
    bail: 1,
    isolate: true,
    reporters: [{}],
  });
  await vitest.standalone?.();
  const intact = await findFailure(vitest, [...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (intact) throw new Error(`a test fails with all guards in place: ${intact}`);
  for (const guard of chosen) {
    const file = join(copy, guard.file);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, withoutGuard(source, guard));
    vitest.invalidateFile(file);
    const noticed = await findFailure(vitest, guard.tests);
    writeFileSync(file, source);
    vitest.invalidateFile(file);
    if (!noticed) missed.push(guard);
    console.log(
      `${noticed ? 'noticed' : 'MISSED '}  ${guard.kind} (${dirname(guard.file).slice(8)})`,
    );
    console.log(`         ${noticed ?? guard.tests.join(', ')}`);
  }
} finally {
  await vitest?.close();
  process.chdir(root);
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - missed.length} of ${chosen.length} removed guards were noticed.`);
process.exit(missed.length === 0 ? 0 : 1);
