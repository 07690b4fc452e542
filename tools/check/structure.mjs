// The rules of structure that lint cannot check: who may import whom, the order of topic folders,
// cycles, re-exports, names and sizes of folders. docs/tour.md shows the layout.

import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { root } from '../../scripts/install.mjs';
import { readFiles } from './read-files.mjs';
import {
  catalogueReaders,
  featureOrder,
  maximumModules,
  packageOwners,
  topicOrders,
} from './structure-rules.mjs';

const forbiddenFolders = /(^|\/)(utils?|helpers?|common|types|v\d+)\//;

const featureOf = (path) => /^(?:api|web)\/src\/features\/([^/]+)\//.exec(path)?.[1];
const isTest = (path) => /\.test\.tsx?$/.test(path) || /(^|\/)(testing|system-tests)\//.test(path);
const isProduct = (path) => /^(contract|api|web)\/src\//.test(path) && !isTest(path);

function resolveImport(file, specifier) {
  if (specifier.startsWith('@diwan/contract/'))
    return `contract/src/${specifier.slice('@diwan/contract/'.length)}.ts`;
  // `imports` of package.json of api and web: "#*" is "./src/*".
  if (specifier.startsWith('#')) return `${file.split('/')[0]}/src/${specifier.slice(1)}`;
  return specifier.startsWith('.')
    ? normalize(join(dirname(file), specifier)).replace(/\?.*$/, '')
    : undefined;
}

/** Replaces comments with spaces, so that positions stay. */
function withoutComments(text, comments) {
  let result = text;
  for (const { start, end } of comments)
    result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end);
  return result;
}

/**
 * The imports and exports of a source. `imports` are specifiers of static, type and dynamic
 * imports, `import('…')` types and re-exports, `dynamicImports` those of them with brackets,
 * `namedImports` pairs of a specifier and a name; `exports` are the names that the source declares
 * and exports, `reexports` those that it exports and another file of the product defines; packages
 * may be re-exported to load them lazily.
 */
function readModule(file, text) {
  const { module, comments } = parseSync(file, text);
  const code = withoutComments(text, comments);
  const imported = new Map(
    module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ localName }) => [localName.value, moduleRequest.value]),
    ),
  );
  const entries = module.staticExports.flatMap((each) => each.entries);
  const isOwn = (specifier) => resolveImport(file, specifier ?? '') !== undefined;
  const aliases = [...code.matchAll(/^export (?:const|type) (\w+)(?:: [^=]+)? = (\w+);$/gm)];
  const dynamicImports = [...code.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]\s*\)/g)].map(
    (match) => match[1],
  );
  const names = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => [moduleRequest.value, importName.name]),
  );
  return {
    imports: [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
      ...dynamicImports,
    ],
    dynamicImports,
    // A name is missing where `* as name` imports the whole module.
    namedImports: names.filter(([, name]) => name),
    wholeImports: [
      ...dynamicImports,
      ...names.flatMap(([specifier, name]) => (name ? [] : [specifier])),
    ],
    // A default export has no name.
    exports: entries
      .filter(({ moduleRequest, localName }) => !moduleRequest && !imported.has(localName.name))
      .flatMap(({ exportName }) => exportName.name ?? []),
    reexports: [
      ...entries
        .filter(({ moduleRequest, localName }) =>
          isOwn(moduleRequest?.value ?? imported.get(localName.name)),
        )
        .map(({ exportName }) => exportName.name ?? '*'),
      ...aliases.filter(([, , source]) => isOwn(imported.get(source))).map(([, name]) => name),
    ],
    hasEnum: /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w+/m.test(code),
  };
}

/** The modules of sources: path -> what `readModule` returns. */
const readModules = (files) =>
  new Map([...files].map(([file, text]) => [file, readModule(file, text)]));

const isDirectOrder = (order, own, other) =>
  order.includes(own) && order.indexOf(own) < order.indexOf(other);

function findPackageProblem(file, target) {
  if (file.startsWith('contract/') && !target.startsWith('contract/'))
    return 'the contract imports no other workspace';
  if (
    (file.startsWith('web/') && target.startsWith('api/')) ||
    (file.startsWith('api/') && target.startsWith('web/src/'))
  )
    return 'web and api share the contract only';
  return /^(e2e|bench|scripts|tools)\//.test(target)
    ? 'the product does not import tools'
    : undefined;
}

function findFeatureProblem(file, target) {
  const own = featureOf(file);
  const other = featureOf(target);
  if (other && /^(api\/src\/platform|web\/src\/(ui|lib))\//.test(file))
    return 'platform, ui and lib import no feature';
  if (file === 'api/src/app.ts' && other && !/\/feature\.ts$|\.actions\.ts$/.test(target))
    return 'app.ts imports feature.ts and .actions.ts of a feature only';
  if (!own || !other || own === other) return undefined;
  if (file.startsWith('web/'))
    return file.endsWith('-page.tsx')
      ? undefined
      : 'web features do not import each other; a page composes them';
  if (!target.endsWith('.actions.ts')) return "another feature's .actions.ts only";
  const isAllowed = catalogueReaders.includes(own)
    ? other === 'services'
    : isDirectOrder(featureOrder, own, other);
  return isAllowed ? undefined : `one direction only: ${featureOrder.join(' -> ')}`;
}

// The only way to write SQL beside the builder of Kysely.
const sqlModule = 'api/src/platform/database/sql.ts';

/** The other ways to write SQL. */
function findSqlProblems(file, namedImports) {
  return namedImports
    .filter(([specifier, name]) => specifier === 'kysely' && ['sql', 'RawBuilder'].includes(name))
    .filter(() => /^(api\/src|bench)\//.test(file) && file !== sqlModule)
    .map(([, name]) => `${file} imports ${name} of kysely: write SQL by ${sqlModule}`);
}

// The seed writes the rows of its files, and nothing else.
const sqlFolders = /^api\/src\/(platform\/database|seed)\//;

/** SQL of the product outside of its stores. */
function findSqlOutsideStores(file, text, namedImports) {
  if (!file.startsWith('api/src/') || isTest(file)) return [];
  if (file.endsWith('.store.ts') || sqlFolders.test(file)) return [];
  const tags = namedImports.some(
    ([specifier, name]) => resolveImport(file, specifier) === sqlModule && name !== 'Sql',
  );
  const hasBuilder = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/.test(text);
  return tags || hasBuilder
    ? [`${file}: SQL is in a *.store.ts, in platform/database or in the seed`]
    : [];
}

// The only way to begin a transaction.
const transactionModule = 'api/src/platform/database/unit-of-work.ts';

function findTransactionProblems(file, text) {
  const mayBegin = !file.startsWith('api/src/') || file.startsWith('api/src/platform/database/');
  return !mayBegin && /\.(transaction|startTransaction)\(\)/.test(text)
    ? [`${file} begins a transaction: call inTransaction of ${transactionModule}`]
    : [];
}

/** Packages that the file imports and other files own. */
const findOwnedPackages = (file, packages) =>
  packages
    .filter((name) => Object.hasOwn(packageOwners, name) && !packageOwners[name].includes(file))
    .map((name) => `${file} imports ${name}: only ${packageOwners[name].join(' and ')} do`);

/** Imports that climb two folders or more to a place that has the name `#…`. */
function findLadders(file, imports) {
  const root = `${file.split('/')[0]}/src/`;
  return /^(api|web)\/src\//.test(file)
    ? imports
        .filter((specifier) => specifier.startsWith('../../'))
        .filter((specifier) => resolveImport(file, specifier).startsWith(root))
        .map(
          (specifier) =>
            `${file} imports ${specifier}: write #${resolveImport(file, specifier).slice(root.length)}`,
        )
    : [];
}

function topicOf(root, path, order) {
  const rest = path.slice(root.length + 1);
  if (rest.includes('/')) return rest.slice(0, rest.indexOf('/'));
  return order.includes(rest) ? rest : undefined;
}

function findTopicProblem(file, target) {
  for (const [root, order] of Object.entries(topicOrders)) {
    if (!file.startsWith(`${root}/`) || !target.startsWith(`${root}/`)) continue;
    const own = topicOf(root, file, order);
    const other = topicOf(root, target, order);
    if (own === other || own === undefined) continue;
    if (other === undefined) return `a topic folder does not import files of ${root} above it`;
    if (!isDirectOrder(order, own, other))
      return `topic folders of ${root} import in one direction: ${order.join(' -> ')}`;
  }
  return undefined;
}

/** A topic folder that the table does not list. */
function findUnlistedTopics(paths) {
  return Object.entries(topicOrders).flatMap(([root, order]) => {
    const folders = paths
      .filter((path) => path.startsWith(`${root}/`))
      .map((path) => path.slice(root.length + 1))
      .filter((rest) => rest.includes('/'))
      .map((rest) => rest.slice(0, rest.indexOf('/')));
    return [...new Set(folders)]
      .filter((folder) => !order.includes(folder))
      .map((folder) => `${root}/${folder}: topicOrders in structure-rules.mjs does not list it`);
  });
}

/** Cycles of imports, type and dynamic ones included, as paths; one for each group of files. */
function findCycles(edges) {
  const state = new Map();
  const stack = [];
  const cycles = [];
  const visit = (file) => {
    state.set(file, 'open');
    stack.push(file);
    for (const target of edges.get(file) ?? []) {
      if (!edges.has(target)) continue;
      if (state.get(target) === 'open')
        cycles.push([...stack.slice(stack.indexOf(target)), target]);
      else if (!state.has(target)) visit(target);
    }
    stack.pop();
    state.set(file, 'done');
  };
  for (const file of edges.keys()) if (!state.has(file)) visit(file);
  return cycles;
}

/**
 * Exports of api and web that no other file imports. Of a module that is imported as a whole, or by
 * a build or another program, it is enough that another file names the export.
 */
function findUnusedExports(files, modules) {
  const words = new Map([...files].map(([file, text]) => [file, new Set(text.match(/\w+/g))]));
  const isNamedElsewhere = (file, name) =>
    [...words].some(([other, set]) => other !== file && set.has(name));
  const names = new Map();
  for (const [file, { namedImports }] of modules)
    for (const [specifier, name] of namedImports) {
      const target = resolveImport(file, specifier);
      names.set(target, (names.get(target) ?? new Set()).add(name));
    }
  const wholes = new Set(
    [...modules].flatMap(([file, { wholeImports }]) =>
      wholeImports.map((specifier) => resolveImport(file, specifier)),
    ),
  );
  const isUsed = (file, name) =>
    names.get(file)?.has(name) ||
    ((wholes.has(file) || !names.has(file)) && isNamedElsewhere(file, name));
  return [...modules]
    .filter(([file]) => /^(api|web)\/src\//.test(file))
    .flatMap(([file, { exports }]) =>
      exports
        .filter((name) => !isUsed(file, name))
        .map((name) => `${file}: no other file uses ${name}, which it exports`),
    );
}

/**
 * Exports of contract and platform without a doc comment. A call has a summary, and one comment may
 * stand above several exports.
 */
function findUndocumentedExports(files) {
  return [...files]
    .filter(([file]) => /^(contract\/src|api\/src\/platform)\//.test(file) && !isTest(file))
    .flatMap(([file, text]) => {
      const lines = text.split('\n');
      const found = lines.filter(
        (line, index) =>
          /^export (async )?(function|const|class|interface)\b(?!.*defineCall)/.test(line) &&
          !/\*\/\s*$|^export /.test(lines[index - 1] ?? ''),
      );
      return found.map(
        (line) =>
          `${file}: an export has a doc comment (shape, units, errors): ${line.slice(0, 60)}`,
      );
    });
}

/** Folders with too many modules; each needs topic folders. */
function findFullFolders(paths) {
  const counts = new Map();
  for (const path of paths.filter((each) => !/\.test\.tsx?$/.test(each)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > maximumModules)
    .map(([folder, count]) => `${folder}: ${count} modules, ${maximumModules} at most`);
}

/**
 * Package names that a build replaces with another module. `manifests` are package.json, tsconfig
 * and vite files: path -> text.
 */
export function findAliases(manifests) {
  const packages = new Set(
    [...manifests]
      .filter(([file]) => file.endsWith('package.json'))
      .flatMap(([, text]) => {
        const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text);
        return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
      }),
  );
  return [...manifests].flatMap(([file, text]) => {
    const aliased = file.endsWith('package.json')
      ? [...text.matchAll(/"([^"]+)": "npm:/g)].map((match) => match[1])
      : [...text.matchAll(/\b(?:alias|paths)['"]?:\s*(\{[^}]*\}|\[[\s\S]*?\n\s*\])/g)].flatMap(
          ([, body]) => [...body.matchAll(/['"]?([@\w./-]+)['"]?\s*:/g)].map((match) => match[1]),
        );
    const found = [...text.matchAll(/\bfind:\s*['"]([^'"]+)['"]/g)].map((match) => match[1]);
    return [...aliased, ...found]
      .filter((name) => packages.has(name) || file.endsWith('package.json'))
      .map((name) => `${file}: the package name ${name} is an alias`);
  });
}

/**
 * The number of product files that only one file imports and that have no other reason to exist: a
 * test, 150 lines, lazy loading, or a role by their name.
 */
function countSingleImporterFiles(files, modules) {
  const importers = new Map();
  for (const [file, { imports }] of modules)
    for (const specifier of new Set(imports)) {
      const target = resolveImport(file, specifier);
      if (target && isProduct(file))
        importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  const lazy = new Set(
    [...modules].flatMap(([file, { dynamicImports }]) =>
      dynamicImports.map((specifier) => resolveImport(file, specifier)),
    ),
  );
  const role = /(\.(routes|actions|store|data)\.tsx?|-page\.tsx|\/feature\.ts|\/main\.tsx?)$/;
  return [...files].filter(
    ([file, text]) =>
      isProduct(file) &&
      importers.get(file)?.size === 1 &&
      text.split('\n').length < 150 &&
      !files.has(file.replace(/\.(tsx?)$/, '.test.$1')) &&
      !lazy.has(file) &&
      !role.test(file),
  ).length;
}

/** The problems of these files: path -> text, paths from the root of the repository. */
export function findProblems(files, modules = readModules(files)) {
  const problems = [];
  const edges = new Map();
  for (const [file, { imports, namedImports, reexports, hasEnum }] of modules) {
    if (forbiddenFolders.test(file))
      problems.push(
        `${file}: a folder has the name of its content, not utils, common, types or v2`,
      );
    if (/(^|\/)index\.tsx?$/.test(file)) problems.push(`${file}: no barrel files`);
    problems.push(...findLadders(file, imports), ...findSqlProblems(file, namedImports));
    problems.push(...findTransactionProblems(file, files.get(file)));
    problems.push(...findSqlOutsideStores(file, files.get(file), namedImports));
    if (hasEnum) problems.push(`${file}: a list of constants (as const) instead of an enum`);
    if (!isProduct(file)) continue;
    for (const name of reexports) problems.push(`${file}: re-exports ${name}; import it directly`);
    const packages = imports.filter((specifier) => !resolveImport(file, specifier));
    if (file.startsWith('contract/') && packages.some((name) => name !== 'zod'))
      problems.push(
        `${file} imports ${packages.join(', ')}: the contract imports no package but zod`,
      );
    problems.push(...findOwnedPackages(file, packages));
    const targets = imports.map((specifier) => resolveImport(file, specifier)).filter(Boolean);
    edges.set(file, new Set(targets));
    for (const target of new Set(targets)) {
      const problem =
        findPackageProblem(file, target) ??
        findFeatureProblem(file, target) ??
        findTopicProblem(file, target);
      if (problem) problems.push(`${file} imports ${target}: ${problem}`);
    }
  }
  const product = [...files.keys()].filter(isProduct);
  return [
    ...problems,
    ...findCycles(edges).map((cycle) => `import cycle: ${cycle.join(' -> ')}`),
    ...findUnlistedTopics(product),
    ...findFullFolders([...files.keys()].filter((path) => /^(contract|api|web)\/src\//.test(path))),
    ...findUnusedExports(files, modules),
    ...findUndocumentedExports(files),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readFiles(root, ['*.ts', '*.tsx']);
  const manifests = readFiles(root, [
    '*package.json',
    '*tsconfig*.json',
    '*vite.config.ts',
    '*vitest*.ts',
  ]);
  const modules = readModules(files);
  const problems = [...findProblems(files, modules), ...findAliases(manifests)];
  const lengths = [...files]
    .filter(([file]) => isProduct(file))
    .map(([, text]) => text.split('\n').length)
    .sort((a, b) => a - b);
  console.log(
    `${lengths.length} product files, median ${lengths[Math.floor(lengths.length / 2)] ?? 0} lines, ` +
      `longest ${lengths.at(-1) ?? 0}; ${countSingleImporterFiles(files, modules)} with one importer`,
  );
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
