// The rules of the house that no lint rule knows: who may import whom, names of folders. See
// docs/tour.md.
import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An api feature may call the actions of those to its right. */
const order = [
  'reports',
  'payments',
  'requests',
  'messages',
  'partners',
  'companies',
  'drafts',
  'attachments',
  'services',
  'users',
];
/** These read the catalogue that services keeps. */
const readers = ['agencies', 'categories', 'account-types', 'sitemap'];
const forbiddenFolders = /(^|\/)(utils?|helpers?|common|types|v\d+)\//;

function importsOf(text) {
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)[^'"\n]*?(?:from\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|\}\s*from\s*['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3]);
}

function resolveImport(file, specifier) {
  if (specifier.startsWith('@diwan/contract/'))
    return `contract/src/${specifier.slice('@diwan/contract/'.length)}.ts`;
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined;
}

const featureOf = (path) => /^(?:api|web)\/src\/features\/([^/]+)\//.exec(path)?.[1];
const isTest = (path) => /\.test\.tsx?$/.test(path) || path.includes('/testing/');

function faultOf(file, target) {
  const own = featureOf(file);
  const other = featureOf(target);
  if (file.startsWith('contract/') && !target.startsWith('contract/'))
    return 'the contract imports nothing of the product';
  if (file.startsWith('web/') && target.startsWith('api/'))
    return 'web and api share the contract only';
  if (file.startsWith('api/') && target.startsWith('web/'))
    return 'web and api share the contract only';
  if (
    /^(api\/src\/platform|web\/src\/(ui|lib))\//.test(file) &&
    (other || target.startsWith('web/src/shell/'))
  )
    return 'platform, ui and lib know no feature';
  if (file.startsWith('web/') && own && other && own !== other && !file.endsWith('-page.tsx'))
    return 'web features do not import each other; a page composes them';
  if (file.startsWith('api/') && own && other && own !== other) {
    if (!target.endsWith('.actions.ts')) return "another feature's .actions.ts only";
    const right = readers.includes(own)
      ? other === 'services'
      : order.indexOf(own) < order.indexOf(other);
    if (!right) return `one way only: ${order.join(' -> ')}`;
  }
  return undefined;
}

/**
 * What api and web export and no other file names; the contract is there to be read from outside.
 */
function findUnused(files) {
  const wordsOf = new Map([...files].map(([file, text]) => [file, new Set(text.match(/\w+/g))]));
  const isNamedBeside = (file, name) =>
    [...wordsOf].some(([other, words]) => other !== file && words.has(name));
  return [...files]
    .filter(([file]) => /^(api|web)\/src\//.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
        .filter(([, name]) => !isNamedBeside(file, name))
        .map(([, name]) => `${file}: nobody else names ${name}, which it exports`),
    );
}

/**
 * What contract and platform export without saying what it is. A call says it in its summary, and
 * one comment may stand over several exports.
 */
function findUntold(files) {
  return [...files]
    .filter(([file]) => /^(contract\/src|api\/src\/platform)\//.test(file) && !isTest(file))
    .flatMap(([file, text]) => {
      const lines = text.split('\n');
      const untold = lines.filter(
        (line, index) =>
          /^export (async )?(function|const|class|interface)\b(?!.*defineCall)/.test(line) &&
          !/\*\/\s*$|^export /.test(lines[index - 1] ?? ''),
      );
      return untold.map(
        (line) => `${file}: a comment says what it is, its units and errors: ${line.slice(0, 60)}`,
      );
    });
}

/** What is wrong in these files: path -> text, paths from the root of the repository. */
export function findFaults(files) {
  const faults = [];
  for (const [file, text] of files) {
    if (forbiddenFolders.test(file))
      faults.push(
        `${file}: a folder is named for what it holds, not utils, helpers, common, types or v2`,
      );
    if (/(^|\/)index\.tsx?$/.test(file)) faults.push(`${file}: no barrel files`);
    if (isTest(file)) continue;
    for (const specifier of importsOf(text)) {
      const target = resolveImport(file, specifier);
      const fault = target && faultOf(file, target);
      if (fault) faults.push(`${file} imports ${specifier}: ${fault}`);
    }
  }
  return [...faults, ...findUnused(files), ...findUntold(files)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const listed = spawnSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx'],
    { cwd: root, encoding: 'utf8' },
  )
    .stdout.split('\n')
    .filter(Boolean);
  const files = new Map(
    listed
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const faults = findFaults(files);
  const lengths = [...files]
    .filter(([file]) => !isTest(file))
    .map(([, text]) => text.split('\n').length)
    .sort((a, b) => a - b);
  console.log(
    `${files.size} source files, median ${lengths[Math.floor(lengths.length / 2)] ?? 0} lines, longest ${lengths.at(-1) ?? 0}`,
  );
  for (const fault of faults) console.error(fault);
  process.exit(faults.length === 0 ? 0 : 1);
}
