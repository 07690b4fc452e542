// The guards that `npm run test:guards` removes one at a time. `code` must occur exactly once in
// `file` (differences in white space do not count); it is replaced by `without`. At least one of
// `tests` must fail by an assertion then. A check that another one repeats is not listed: nothing can
// notice it.
import { parseAst } from 'rolldown/parseAst';

/** Makes guards of the files in a folder of api/src; `tests` are files without `.test.ts`. */
export const at =
  (folder) =>
  (kind, file, tests, ...[code, without = '']) => ({
    kind,
    file: `api/src/${folder}/${file}`,
    tests: [tests].flat().map((test) => `api/src/${test}.test.ts`),
    code,
    without,
  });

/** The source without a guard. Throws unless the guard occurs once and the rest can be parsed. */
export function withoutGuard(source, { kind, file, code, without }) {
  const escaped = code
    .trim()
    .split(/\s+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const found = [...source.matchAll(new RegExp(escaped.join(String.raw`\s*`), 'g'))];
  if (found.length !== 1)
    throw new Error(
      `${kind}: its code occurs ${found.length} times in ${file}; correct tools/guards`,
    );
  const rest = source.replace(found[0][0], () => without);
  try {
    parseAst(rest, { lang: 'ts' });
  } catch (cause) {
    throw new Error(`${kind}: without it ${file} cannot be parsed; correct tools/guards`, {
      cause,
    });
  }
  return rest;
}

// A snapshot that differs is an Error with the expected value, a property that fails one with a cause.
const isAssertion = (error) =>
  error.name === 'AssertionError' ||
  'expected' in error ||
  (error.cause !== undefined && isAssertion(error.cause));

/**
 * The first failure in test modules of vitest, undefined where all pass. `isAssertion` is false for
 * a test that ended by another error, and for a file or a hook that did not run: these show that
 * the product is broken, not that a test looks at the guard.
 */
export function findFailure(modules) {
  for (const module of modules)
    for (const test of module.children.allTests('failed')) {
      const { errors } = test.result();
      return { test, module, isAssertion: errors.length > 0 && errors.every(isAssertion) };
    }
  const module = modules.find((each) => !each.ok());
  return module && { module, isAssertion: false };
}
