import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles } from './read-files.mjs';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'docs/decisions', 'docs/lab', 'docs/operations'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];
const files = listFiles('.', ['*']);
const settings = readFileSync('api/src/settings.ts', 'utf8');
const programsIn = (folder: string, suffix: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
/** What follows these in `npm run <group> -- <name>`. */
const groups: Record<string, string[]> = {
  bench: programsIn('bench', '.ts'),
  trial: programsIn('bench/trials', '.ts'),
  measure: programsIn('e2e/measure', '.measure.ts'),
};
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

const decisions = documents
  .filter((file) => file.startsWith('docs/decisions/'))
  .map((file) => ({
    number: /\/(\d{4})-/.exec(file)?.[1] ?? file,
    text: readFileSync(file, 'utf8'),
  }));

it('gives each decision its own number', () => {
  const numbers = decisions.map(({ number }) => number);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  const wrongTitles = decisions.filter(({ number, text }) => !text.startsWith(`# ${number} `));
  expect(wrongTitles.map(({ number }) => number)).toEqual([]);
});

it('the statuses of two related decisions name each other', () => {
  const related = new Map(
    decisions.map(({ number, text }) => {
      const status = /^Status: .*$/m.exec(text)?.[0] ?? '';
      return [number, new Set(status.match(/\b\d{4}\b(?!-)/g))];
    }),
  );
  const oneWay = [...related].flatMap(([one, others]) =>
    [...others]
      .filter((other) => !related.get(other)?.has(one))
      .map((other) => `${other} does not name ${one}`),
  );
  expect(oneWay).toEqual([]);
});

// A superseded decision tells what was.
const current = documents.filter(
  (file) => !/^Status: superseded by/m.test(readFileSync(file, 'utf8')),
);

it.each(current)('%s names existing files, settings, scripts and decisions', (document) => {
  const text = readFileSync(document, 'utf8');
  const named = [...text.matchAll(/`(\w[\w./-]*\.(?:tsx?|mjs|json|sql|css|svg))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
  const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)]
    .map(([, link = '']) => join(dirname(document), link))
    .filter((file) => !existsSync(file));
  const set = [...text.matchAll(/`([A-Z]+_[A-Z_]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !settings.includes(`\n  ${name}: `));
  const run = [...text.matchAll(/`npm run ([\w:-]*\w)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in scripts));
  const started = [...text.matchAll(/npm run (bench|trial|measure) -- ([\w-]*\w)/g)]
    .filter(([, group = '', name = '']) => !name.startsWith('-') && !groups[group]?.includes(name))
    .map(([command]) => command);
  const decided = [...text.matchAll(/[Dd]ecisions? (\d{4})/g)]
    .map(([, number = '']) => number)
    .filter((number) => !documents.some((file) => file.startsWith(`docs/decisions/${number}-`)));
  expect([...named, ...linked, ...set, ...run, ...started, ...decided]).toEqual([]);
});

// 0004 is a list.
it('a decision has at most a page', () => {
  const long = documents
    .filter((file) => file.startsWith('docs/decisions/') && !file.includes('/0004-'))
    .filter((file) => readFileSync(file, 'utf8').split(/\s+/).length > 540);
  expect(long).toEqual([]);
});

it('every direct dependency is named in decision 0004 and has a free licence', () => {
  const decided = readFileSync('docs/decisions/0004-libraries.md', 'utf8');
  const read = (file: string) =>
    JSON.parse(readFileSync(file, 'utf8')) as {
      license?: string;
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    };
  const parts = ['contract', 'api', 'web'];
  const used = ['package.json', ...parts.map((part) => `${part}/package.json`)]
    .map(read)
    .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    )
    .filter((name) => !/^@(diwan|types)\//.test(name));
  const isNamed = (name: string) =>
    new RegExp(`[ |]${name}\\b`).test(decided) || decided.includes(`${name.split('/')[0]}/*`);
  expect(used.filter((name) => !isNamed(name))).toEqual([]);
  const licences = [
    'MIT',
    'MIT-0',
    'ISC',
    'Apache-2.0',
    'BSD-3-Clause',
    'MPL-2.0',
    'OFL-1.1',
    'MIT AND OFL-1.1',
    'BlueOak-1.0.0',
  ];
  const manifestsOf = (name: string) =>
    ['', ...parts.map((part) => `${part}/`)]
      .map((place) => `${place}node_modules/${name}/package.json`)
      .filter((file) => existsSync(file));
  expect(
    used.filter((name) =>
      manifestsOf(name).some((file) => !licences.includes(read(file).license ?? '')),
    ),
  ).toEqual([]);
});

it('every direct dependency has an exact version', () => {
  const ranges = ['', 'contract/', 'api/', 'web/'].flatMap((part) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(`${part}package.json`, 'utf8'),
    ) as Record<string, Record<string, string> | undefined>;
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${part}package.json: ${name} ${version}`);
  });
  expect(ranges).toEqual([]);
});
