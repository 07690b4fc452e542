// npm run test:guards [-- text …]: removes each marked guard (guards.mjs), one at a time, in a copy of
// the repository and shows which test notices. With texts, only guards whose name or file contains
// one. Exits 1 when a guard is missed by every test, when its removal breaks a test file or ends a
// test by another error than an assertion, or when a test fails without a removal.
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
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';
import { ensureInstalled, root } from '../../scripts/install.mjs';
import { findFailure, readGuards } from './guards.mjs';

await ensureInstalled();
const texts = process.argv.slice(2);
const chosen = readGuards(root).filter(
  ({ name, file }) =>
    texts.length === 0 || texts.some((text) => name.includes(text) || file.includes(text)),
);
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

/**
 * Makes the next run read a file again. Vite would reuse what it has made of the importers, but it
 * refuses those that it was still transforming when the last run ended at its first failure.
 */
function invalidate(vitest, file) {
  vitest.invalidateFile(file);
  const graphs = vitest.projects.flatMap(({ vite }) =>
    Object.values(vite.environments).map(({ moduleGraph }) => moduleGraph),
  );
  for (const module of graphs.flatMap(({ idToModuleMap }) => [...idToModuleMap.values()]))
    if (module.invalidationState)
      Object.assign(module, { invalidationState: 'HARD_INVALIDATED', transformResult: null });
}

/** Runs test files in one run that ends at the first failure. Returns that failure with its text. */
async function runTests(vitest, tests) {
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    tests.includes(relative(copy, moduleId)),
  );
  if (specifications.length < tests.length)
    throw new Error(`a file is missing: ${tests.join(', ')}`);
  const { testModules } = await vitest.runTestSpecifications(specifications);
  // The result also holds the modules of earlier runs.
  const run = testModules.filter(({ moduleId }) => tests.includes(relative(copy, moduleId)));
  const failure = findFailure(run);
  if (!failure) return undefined;
  const { test, module, isAssertion } = failure;
  const errors = (test ? test.result().errors : module.errors()).map(({ message }) => message);
  const what = test ? `: ${test.fullName}` : ' does not run';
  const reason = isAssertion ? '' : ` (${errors.join('; ')})`;
  return { isAssertion, text: `${relative(copy, module.moduleId)}${what}${reason}` };
}

let noticed = 0;
let vitest;
try {
  copyRepository();
  process.chdir(copy);
  // The server is built once, with all guards in place.
  process.env.THREADS_FROM_SOURCES = 'on';
  vitest = await createVitest('test', {
    root: copy,
    watch: false,
    project: ['api'],
    bail: 1,
    isolate: true,
    reporters: [{}],
  });
  await vitest.standalone?.();
  const intact = await runTests(vitest, [...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (intact) throw new Error(`a test fails with all guards in place: ${intact.text}`);
  for (const guard of chosen) {
    const file = join(copy, guard.file);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, guard.rest);
    invalidate(vitest, file);
    const failure = await runTests(vitest, guard.tests);
    writeFileSync(file, source);
    invalidate(vitest, file);
    if (failure?.isAssertion) noticed += 1;
    const outcome = failure ? (failure.isAssertion ? 'noticed' : 'BROKEN ') : 'MISSED ';
    console.log(`${outcome}  ${guard.name} (${guard.file})`);
    console.log(`         ${failure?.text ?? guard.tests.join(', ')}`);
  }
} finally {
  await vitest?.close();
  process.chdir(root);
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${noticed} of ${chosen.length} removed guards were noticed.`);
process.exit(noticed === chosen.length ? 0 : 1);
