// The guards that `npm run test:guards` removes one at a time. `code` must occur exactly once in
// `file` (differences in white space do not count); it is replaced by `without`. At least one of
// `tests` must fail then. A check that another one repeats is not listed: nothing can notice it.

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
