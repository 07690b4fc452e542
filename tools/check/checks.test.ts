import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFailure, findGuards, readGuards, removeGuards } from '../guards/guards.mjs';
import {
  findContractProblems,
  largeTables,
  lastFree,
  readReleases,
} from './expand-and-contract.mjs';
import { findProblemsOf } from './loose-texts.mjs';
import { addMigrations, findMigrationProblems } from './migrations.mjs';
import { findSourceProblems } from './sources.mjs';
import { maximumModules } from './structure-rules.mjs';
import { findAliases, findProblems } from './structure.mjs';

const problemsOf = (files: Record<string, string>): string =>
  findProblems(new Map(Object.entries(files))).join('\n');

describe('structure.mjs finds a planted violation', () => {
  it.each([
    ['contract/src/wire/a.ts', "import { x } from '../../../api/src/x.ts';", 'no other workspace'],
    ['web/src/lib/page/a.ts', "import { x } from '../../../../api/src/x.ts';", 'the contract only'],
    ['api/src/platform/core/a.ts', "import '../../../../scripts/x.ts';", 'does not import tools'],
    ['web/src/lib/page/a.ts', "import { x } from '../../features/home/x.ts';", 'import no feature'],
    ['api/src/app.ts', "import { x } from './features/users/x.store.ts';", 'feature.ts and'],
    [
      'web/src/features/home/a.tsx',
      "import { x } from '../services/x.tsx';",
      'do not import each other',
    ],
    [
      'api/src/platform/core/a.ts',
      "import { x } from '../../features/users/users.actions.ts';",
      'import no feature',
    ],
    [
      'api/src/features/services/a.ts',
      "import { x } from '../requests/requests.actions.ts';",
      'one direction only',
    ],
    [
      'api/src/features/agencies/a.ts',
      "import { x } from '../users/users.actions.ts';",
      'one direction only',
    ],
    [
      'api/src/features/reports/a.ts',
      "import {\n  x,\n} from '../services/services.store.ts';",
      '.actions.ts only',
    ],
    ['contract/src/wire/a.ts', "import { a } from 'kysely';", 'no package but zod'],
    [
      'api/src/features/services/a.ts',
      "import { x } from '../../platform/core/x.ts';",
      'write #platform/core/x.ts',
    ],
    [
      'web/src/lib/page/a.ts',
      "import { x } from '#features/home/x.ts';",
      'platform, ui and lib import no feature',
    ],
    [
      'api/src/features/users/a.actions.ts',
      "import { sql } from '#platform/database/sql.ts';",
      'SQL is in a *.store.ts',
    ],
    [
      'api/src/features/users/a.ts',
      "await database.selectFrom('users').execute();",
      'SQL is in a *.store.ts',
    ],
    [
      'api/src/platform/auth/a.ts',
      "await database.deleteFrom('users').execute();",
      'SQL is in a *.store.ts',
    ],
    [
      'api/src/commands/a.ts',
      "import { sql } from '../platform/database/sql.ts';",
      'SQL is in a *.store.ts',
    ],
    ['api/src/sandbox/a.ts', "database.insertInto('users')", 'SQL is in a *.store.ts'],
    [
      'api/src/features/users/a.actions.ts',
      'await database.transaction().execute(work);',
      'call inTransaction of api/src/platform/database/unit-of-work.ts',
    ],
    [
      'api/src/features/users/a.test.ts',
      'await database.startTransaction().execute();',
      'call inTransaction of api/src/platform/database/unit-of-work.ts',
    ],
    [
      'api/src/features/users/a.store.ts',
      "import { sql } from 'kysely';",
      'write SQL by api/src/platform/database/sql.ts',
    ],
    [
      'api/src/features/users/a.test.ts',
      "import { type RawBuilder } from 'kysely';",
      'write SQL by api/src/platform/database/sql.ts',
    ],
    [
      'bench/a.ts',
      "import { sql } from 'kysely';",
      'write SQL by api/src/platform/database/sql.ts',
    ],
    [
      'api/src/features/users/a.ts',
      "import type { Worksheet } from 'exceljs';",
      'imports exceljs: only api/src/platform/files/workbook.ts',
    ],
    [
      'api/src/features/ledger/a.ts',
      "const load = () => import('exceljs');",
      'imports exceljs: only api/src/platform/files/workbook.ts',
    ],
    ['web/src/lib/utils/a.ts', '', 'has the name of its content'],
    ['web/src/ui/forms/index.ts', '', 'no barrel files'],
    ['web/src/ui/forms/a.ts', 'enum Size { Small }', 'instead of an enum'],
    ['web/src/ui/forms/a.ts', 'export const unused = 1;', 'no other file uses unused'],
    [
      'api/src/platform/core/a.ts',
      '/** A. */\nexport interface Unused {}',
      'no other file uses Unused',
    ],
    ['contract/src/wire/a.ts', '\nexport function f() {}', 'has a doc comment'],
    ['web/src/lib/strange/a.ts', '', 'does not list it'],
  ])('%s: %s', (file, text, message) => expect(problemsOf({ [file]: text })).toContain(message));

  it.each([
    ["import { x } from '../catalogue/x.ts';"],
    ["import type { X } from '../catalogue/x.ts';"],
    ["type X = import('../catalogue/x.ts').X;"],
    ["const x = () => import('../catalogue/x.ts');"],
    ["export { x } from '../catalogue/x.ts';"],
    ["import { x } from '@diwan/contract/catalogue/x';"],
  ])('an import against the order of topic folders: %s', (text) =>
    expect(problemsOf({ 'contract/src/wire/a.ts': text })).toContain('import in one direction'),
  );

  it('an import of a file above the topic folders', () =>
    expect(
      problemsOf({ 'contract/src/wire/a.ts': "import { allCalls } from '../all-calls.ts';" }),
    ).toContain('does not import files of contract/src above it'));

  it.each([
    ["export { x } from './b.ts';"],
    ["export * from './b.ts';"],
    ["export type { X } from './b.ts';"],
    ["import { x } from './b.ts';\nexport { x };"],
    ["import { x } from './b.ts';\nexport const y = x;"],
    ["import type { X } from './b.ts';\nexport type Y = X;"],
  ])('a re-export: %s', (text) =>
    expect(problemsOf({ 'contract/src/wire/a.ts': text })).toContain('re-exports'),
  );

  it.each([
    ["import { b } from './b.ts';"],
    ["import type { B } from './b.ts';"],
    ["void import('./b.ts');"],
  ])('a cycle: %s', (text) =>
    expect(
      problemsOf({
        'contract/src/wire/a.ts': text,
        'contract/src/wire/b.ts': "import { a } from './a.ts';",
      }),
    ).toContain('import cycle: contract/src/wire/a.ts -> contract/src/wire/b.ts'),
  );

  it('an export whose name other files have without importing it', () =>
    expect(
      problemsOf({
        'web/src/ui/forms/a.ts': 'export const used = 1;\nexport const unused = 2;',
        'web/src/ui/forms/b.ts': "import { used } from './a.ts';\nconst unused = used;",
      }),
    ).toBe('web/src/ui/forms/a.ts: no other file uses unused, which it exports'));

  it('a folder with too many modules; tests do not count', () => {
    const withEnding = (ending: string) =>
      Object.fromEntries(
        Array.from({ length: maximumModules + 1 }, (_, index) => [
          `web/src/lib/page/a${index}${ending}`,
          '',
        ]),
      );
    expect(problemsOf(withEnding('.ts'))).toContain(`web/src/lib/page: ${maximumModules + 1}`);
    expect(problemsOf(withEnding('.test.ts'))).toBe('');
  });

  it.each([
    ['web/vite.config.ts', "resolve: { alias: { zod: './own-zod.ts' } }"],
    ['web/vite.config.ts', "alias: [{ find: 'zod', replacement: './own-zod.ts' }]"],
    ['web/tsconfig.json', '"paths": { "zod": ["./own-zod.ts"] }'],
    ['api/package.json', '{ "dependencies": {\n"zod": "npm:other@1" } }'],
  ])('a package name that is an alias, in %s: %s', (file, text) => {
    const manifests = new Map([['package.json', '{ "dependencies": { "zod": "1" } }']]);
    expect(findAliases(manifests)).toEqual([]);
    expect(findAliases(manifests.set(file, text)).join()).toContain('zod is an alias');
  });

  it('and accepts imports that follow the rules', () => {
    const files = {
      'api/src/features/payments/a.ts':
        "import { x } from '../requests/requests.actions.ts';\n" +
        "import { y } from '@diwan/contract/wire/money';",
      'web/src/features/home/home-page.tsx': "import { x } from '../services/x.tsx';",
      'contract/src/requests/a.ts':
        "import { z } from 'zod';\nimport type { X } from '../wire/x.ts';",
      'contract/src/wire/a.ts': "// import { x } from '../requests/x.ts';",
      'web/src/features/home/pdf.ts': "export { TextLayer } from 'pdfjs-dist';",
    };
    expect(problemsOf(files)).toBe('');
  });
});

describe('loose-texts.mjs finds a planted violation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loose-texts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const placesOf = (body: string): string[] => {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { jsx: 'preserve', types: [], strict: true } }),
    );
    writeFileSync(
      join(folder, 'a.tsx'),
      `declare global {
        namespace JSX {
          interface Element { e: 1 }
          interface IntrinsicElements { p: object; b: object }
        }
      }
      declare const t: (key: string, figures?: object) => string;
      declare const name: string;
      declare const some: boolean;
      declare const icon: JSX.Element | null;
      declare const content: JSX.Element | string | bigint | null;
      const Name = () => name;
      const Parts = () => [name, <b />];
      const Safe = () => <b>{name}</b>;
      export const Page = () => ${body};`,
    );
    return findProblemsOf(join(folder, 'tsconfig.json')).map(({ text }) => text);
  };

  it.each([
    ['<p>{name}<b /></p>', '{name}'],
    ['<p><b />{some ? name : null}</p>', '{some ? name : null}'],
    ["<p><b />{some ? <b /> : 'x'}</p>", "{some ? <b /> : 'x'}"],
    ["<p>{t('a', { name })}<b /></p>", "{t('a', { name })}"],
    ['<p>{t(`a.${name}`)} <b /></p>', '{t(`a.${name}`)}'],
    ['<>{name}</>', '{name}'],
    ["<p>{icon}{t('a')}</p>", "{t('a')}"],
    ['<p>{some ? <b /> : null}:</p>', ':'],
    ['<p><Name /></p>', '<Name />'],
    ['<p><Parts /></p>', '<Parts />'],
  ])('%s', (body, place) => expect(placesOf(body)).toEqual([place]));

  it.each([
    ['<p>{name}</p>'],
    ['<p><b>{name}</b>{icon}</p>'],
    ["<p>{t('a')}: <b>{name}</b></p>"],
    ["<p>{t('a', { ns: 'b' })}{icon}</p>"],
    ["<p>{icon}{' '}<b /></p>"],
    ['<p>{icon}{content}</p>'],
    ['<p><Safe /></p>'],
  ])('and none in %s', (body) => expect(placesOf(body)).toEqual([]));
});

describe('sources.mjs finds a planted violation', () => {
  const find = (line: string, file = 'web/src/a.ts') => findSourceProblems(new Map([[file, line]]));

  it('a long line, except addresses and texts of tests', () => {
    const long = 'x'.repeat(130);
    expect(find(`const a = ${long};`).join()).toContain('120 at most');
    expect(find(`// https://example.org/${long}`)).toEqual([]);
    expect(find(`const a = '${long}';`, 'web/src/a.test.ts')).toEqual([]);
  });

  it('a comment among imports, which the formatter would move', () => {
    const imports = ["import { a } from 'a';", "import { b } from 'b';"];
    const comment = '// What the file does.';
    expect(find([imports[0], comment, imports[1]].join('\n'))).toHaveLength(1);
    expect(find([comment, '', ...imports, comment, 'const c = a;'].join('\n'))).toEqual([]);
  });

  it('the agency of a service in SQL of requests', () => {
    const text = 'from requests join agencies on agencies.id = services.agency_id';
    const file = 'api/src/features/a/a.store.ts';
    expect(find(text, file).join()).toContain('requests.agency_id');
    expect(find(text.replace('services.', 'requests.'), file)).toEqual([]);
    expect(find(text, 'api/src/features/a/a.test.ts')).toEqual([]);
  });

  it.each([
    ['the house'],
    ['const house = 1'],
    ['Whoever calls'],
    ['giveBack()'],
    ['// It ends at  once.'],
    ['a list in place of one'],
  ])('the word in: %s', (line) => {
    expect(find(line)).toHaveLength(1);
    expect(find(line, 'docs/a.md')).toHaveLength(1);
  });

  it.each([String.raw`text.replace(/[\u200e\u200F]/g, '')`, String.raw`/[\s\uFEFF-]/`])(
    'a second list of invisible marks: %s',
    (line) => {
      expect(find(line).join()).toContain('withoutMarks');
      expect(find(line, 'web/src/a.test.ts')).toEqual([]);
    },
  );

  it.each([['Date.now() > exp'], ['useState(Date.now)'], ['new Date()'], ['todayInDubai()']])(
    'the clock of the device: %s',
    (line) => {
      expect(find(line).join()).toContain('call serverNow or serverToday');
      expect(find(line, 'web/src/lib/browser/server-time.ts')).toEqual([]);
      expect(find(line, 'web/src/a.test.ts')).toEqual([]);
      expect(find(line, 'api/src/a.ts')).toEqual([]);
    },
  );

  it('a text in its own direction as a block', () => {
    const line = '<p dir="auto" className="text-start">{note}</p>';
    expect(find(line, 'web/src/a.tsx').join()).toContain('use TypedText');
    expect(find('<TextField dir="auto" />', 'web/src/a.tsx')).toEqual([]);
  });

  it('an error below a title that says that nothing was done', () => {
    const alert = (title: string) =>
      `<Alert tone="danger" isLive ${title}>\n  {messageOf(error)}\n</Alert>`;
    expect(find(alert("title={t('failed')}"), 'web/src/a.tsx').join()).toContain('use ErrorAlert');
    expect(find(alert('action={again}'), 'web/src/a.tsx')).toEqual([]);
  });

  it('and accepts a time that is given', () => expect(find('new Date(at)')).toEqual([]));

  it('and accepts longer words', () => expect(find('warehouse, amended, lighthouse')).toEqual([]));
});

describe('migrations.mjs finds a planted violation', () => {
  const landed = [
    ['0001-a.sql', 'create table a ();'],
    ['0003-c.sql', 'create table c ();'],
  ];
  const list = addMigrations('', landed);
  const next = ['0004-d.sql', 'create table d ();'];

  it.each([
    [
      'a changed migration',
      [['0001-a.sql', 'create table b ();'], ...landed.slice(1)],
      list,
      '0001-a.sql has landed and was changed',
    ],
    ['a removed one', landed.slice(1), list, '0001-a.sql has landed and was removed'],
    ['a new one without a hash', [...landed, next], list, '0004-d.sql is not in'],
    [
      'one that replaces a function',
      [...landed, ['0089-e.sql', 'create or replace function a() returns void as $$$$;']],
      addMigrations(list, [['0089-e.sql', 'create or replace function a() returns void as $$$$;']]),
      '0089-e.sql replaces a function',
    ],
    [
      'one before migrations that landed earlier',
      [...landed, ['0002-b.sql', '']],
      addMigrations(list, [['0002-b.sql', '']]),
      '0002-b.sql comes before',
    ],
    [
      'one that was changed together with its hash',
      [['0001-a.sql', 'create table b ();'], ...landed.slice(1)],
      addMigrations('', [['0001-a.sql', 'create table b ();'], ...landed.slice(1)]),
      'its line in api/database/migrations/landed.sha256 has landed and was changed',
    ],
  ])('%s', (_, migrations, given, problem) =>
    expect(findMigrationProblems(migrations, given, list).join()).toContain(problem),
  );

  it('and accepts a new migration with its hash, also without a history', () => {
    const migrations = [...landed, next];
    expect(findMigrationProblems(migrations, addMigrations(list, migrations), list)).toEqual([]);
    expect(findMigrationProblems(landed, list)).toEqual([]);
  });
});

describe('expand-and-contract.mjs finds what breaks the release before', () => {
  const find = (text: string, releases = ['3.0.0']): string[] =>
    findContractProblems([['9999-a.sql', text]], releases);

  it.each([
    ['alter table teams drop column name;', 'drops a column'],
    ['alter table teams add column a text, drop name;', 'drops a column'],
    ['alter table teams rename column name to title;', 'renames'],
    ['alter table teams rename to groups;', 'renames'],
    ['drop table teams;', 'drops what'],
    ['drop function plain_number(text);', 'drops what'],
    ['alter table teams add column a text not null;', 'leaves empty'],
    ['alter table teams alter column name set not null;', 'forbids nulls'],
    ['alter table teams alter name drop default;', 'drops a default'],
    ['alter table teams alter column name type varchar(9);', 'changes the type'],
    ["alter table teams add constraint a check (name <> '');", 'without “not valid”'],
    ["alter table teams add check (name <> '');", 'adds a constraint'],
    [`alter table users add column a text, add constraint b check (a <> '')`, 'without'],
    ['create unique index a on teams (name);', 'forbids rows'],
    ['create index a on requests (status_id);', 'stops the writing'],
    ['update requests set version = 1;', 'changes a large table'],
    ['with a as (select 1) delete from messages;', 'changes a large table'],
    ['alter table requests add column a uuid default gen_random_uuid();', 'writes every row'],
    ['alter table users add column a text generated always as (email) stored;', 'writes every row'],
    ['-- contract 9.9.9: nobody reads it any more\ndrop table teams;', 'drops what'],
    ['-- contract 3.0.0: a\ndrop table teams;', 'drops what'],
    ['-- blocks for some time: it has to be\nupdate requests set version = 1;', 'changes a large'],
  ])('%s', (text, problem) => {
    expect(find(text)).toHaveLength(1);
    expect(find(text)[0]).toContain(problem);
  });

  it.each([
    'create table a (id int primary key, b text not null unique); create index c on a (b);',
    'create table a (id int); alter table a add constraint b check (id > 0);',
    'alter table requests add column a text; alter table teams add column b int not null default 1;',
    'alter table requests add column a timestamptz not null default now();',
    "alter table teams add constraint a check (name <> '') not valid;",
    'alter table teams validate constraint a; alter table teams drop constraint a;',
    "create index a on teams (name); update teams set name = 'drop table teams; ';",
    'create function a() returns void language sql as $$ delete from requests; drop table a; $$;',
    'alter table teams add column a numeric(8, 2) not null default 0, add column b text;',
    `alter table teams add column a text, add constraint b check (a <> '');`,
    '-- contract 3.0.0: nothing has read it since\nalter table teams drop column name;',
    '-- blocks for 4 s at 1,000,000 rows: it is read by an index alone\ncreate index a on requests (a);',
  ])('and accepts %s', (text) => expect(find(text)).toEqual([]));

  it('and leaves alone what landed before the rule', () => {
    expect(findContractProblems([['0156-a.sql', 'drop table teams;']], [])).toEqual([]);
    expect(readReleases('## Next\n## 3.1.0 – 2026-12-01\n## 3.0.0 – x\n')).toEqual([
      '3.1.0',
      '3.0.0',
    ]);
  });

  it('begins where the product begins to let older processes start again', () => {
    const product = readFileSync(
      new URL('../../api/src/platform/database/migrations.ts', import.meta.url),
      'utf8',
    );
    expect(product).toContain(`const lastFree = '${lastFree}';`);
  });

  it('knows tables that exist', () => {
    const schema = readFileSync(new URL('../../api/database/schema.sql', import.meta.url), 'utf8');
    for (const table of largeTables.split(' ')) expect(schema).toContain(`create table ${table} (`);
  });
});

describe('test-guards', () => {
  // A mark that is not well formed, that no code follows or whose test does not exist throws. The
  // number changes with each guard that is added or removed.
  it('finds the marked guards', () => expect(readGuards('.')).toHaveLength(330));

  const find = (source: string) =>
    findGuards(
      new Map([
        ['api/src/a.store.ts', source],
        ['api/src/a.test.ts', ''],
        ['api/src/b/c.test.ts', ''],
        ['api/src/d/c.test.ts', ''],
      ]),
    );
  const mark = '// guard: limit';

  it.each([
    ['a statement', `${mark}\nif (a > 1)\n  throw b;\nc();`, ';\nc();'],
    ['a statement after comments', `${mark}\n// Why.\n/* */ a();`, '// Why.\n/* */ ;'],
    ['an operand', `if (a ||\n${mark}\nb.c > 1\n) d();`, 'false\n) d();'],
    ['the first operand', `x = (\n${mark}\na.b(1) &&\nc && d);`, 'true &&\nc && d);'],
    ['an operand in brackets', `if (a &&\n${mark}\n(b || c)) d();`, 'true) d();'],
    ['a call of a chain', `a\n.b()\n${mark}\n.c({ d: e.f })\n.g();`, 'a\n.b()\n.g();'],
    ['an element', `a = [b,\n${mark}\nc.d(),\ne];`, 'e];'],
    ['a property', `a = { b,\n${mark}\nc: d };`, '};'],
    [
      'a line of SQL',
      'a`b\n-- guard: limit\nand ${c(\n1)}\nand d`;',
      'a`b\n-- guard: limit\nand d`;',
    ],
    ['the last line of SQL', 'a`b\n-- guard: limit\nand c`;', 'a`b\n-- guard: limit`;'],
    ['a replaced line', 'a`\n-- guard: limit => true\nb = ${c}\n`;', 'true\n`;'],
    ['a condition', `${mark} => true\nif (a) return b;`, 'if (true) return b;'],
    ['a value', `${mark} => 1\nreturn a + b;`, 'return 1;'],
    ['a constant', `${mark} => false\nconst a = b > 1;`, 'const a = false;'],
    ['the value of a function', `const a = () =>\n${mark} => b\nc.d;`, 'b;'],
  ])('removes %s', (_, source, rest) => {
    const [guard] = find(`function f() {\n${source}\n}`);
    const compact = (text = '') => text.replaceAll(/\s+/g, ' ');
    expect(compact(guard?.rest)).toContain(compact(`${rest}\n}`));
  });

  it('finds the tests of a guard: the one beside it, or those that it names', () => {
    expect(find(`${mark}\na();`)).toMatchObject([{ name: 'limit', tests: ['api/src/a.test.ts'] }]);
    const [guard] = find(`${mark} (a, b/c) => 1\na();`);
    expect(guard).toMatchObject({ tests: ['api/src/a.test.ts', 'api/src/b/c.test.ts'] });
  });

  it('removes the guards of a trial, two of one file together', () => {
    const names = ['signature of a message of a provider', 'age of a message of a provider'];
    const sources = removeGuards('.', [...names, 'lock of a request']);
    expect([...sources.keys()].toSorted()).toEqual([
      'api/src/features/requests/model/requests.store.ts',
      'api/src/platform/integrations/signed-message.ts',
    ]);
    const [requests, messages] = [...sources].toSorted().map(([, text]) => text);
    expect(requests).not.toContain('for update`');
    expect(messages).not.toMatch(/isGenuine\)|tooOld/);
    expect(() => removeGuards('.', ['unknown'])).toThrow('no guard has the name “unknown”');
  });

  it.each([
    ['is not on its own line', `a(); ${mark}`, 'on its own line'],
    ['is not well formed', `${mark} (a\na();`, 'write “guard: name'],
    ['is before no code', `a();\n${mark}`, 'nothing that can be removed'],
    ['is before what can only be replaced', `a =\n${mark}\nb;`, 'nothing that can be removed'],
    ['leaves a source that cannot be parsed', `${mark} => (\na();`, 'cannot be parsed'],
    ['has the name of another', `${mark}\na();\n${mark}\nb();`, 'another guard'],
    ['names no test', `${mark} (b)\na();`, '0 tests are named /b.test.ts'],
    ['names two tests', `${mark} (c)\na();`, '2 tests are named /c.test.ts'],
  ])('refuses a mark that %s', (_, source, message) => expect(() => find(source)).toThrow(message));

  it.each([
    ['an assertion', [{ name: 'AssertionError' }], true],
    ['a snapshot that differs', [{ name: 'Error', expected: '1' }], true],
    ['a property', [{ name: 'Error', cause: { name: 'AssertionError' } }], true],
    ['another error', [{ name: 'TypeError', cause: { name: 'Error' } }], false],
    ['an assertion and another error', [{ name: 'AssertionError' }, { name: 'TypeError' }], false],
    ['no error of its own', [], false],
  ])('a test that fails by %s notices a removal: %s', (_, errors, isAssertion) => {
    const test = { result: () => ({ errors }) };
    const module = { children: { allTests: () => [test] }, ok: () => false };
    expect(findFailure([module])).toEqual({ test, module, isAssertion });
  });

  it('a file that does not run notices nothing', () => {
    const moduleOf = (isOk: boolean) => ({ children: { allTests: () => [] }, ok: () => isOk });
    const broken = moduleOf(false);
    expect(findFailure([moduleOf(true), broken])).toEqual({ module: broken, isAssertion: false });
    expect(findFailure([moduleOf(true)])).toBeUndefined();
  });
});

describe('lint finds a planted violation', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'diwan-lint-'));
    copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const branches = lines(15, (index) => `if (a === ${index}) return 'a${index}';`);

  it.each([
    ['max-lines', 'api/src/a.ts', lines(401, (index) => `export const a${index} = ${index};`)],
    ['complexity', 'api/src/a.ts', `export function f(a: number) {\n${branches}\nreturn '';\n}`],
    [
      'max-params',
      'api/src/a.ts',
      'export const f = (a = 1, b = 2, c = 3, d = 4, e = 5) => a + b + c + d + e;',
    ],
    ['no-default-export', 'web/src/a.ts', 'export default 1;'],
    ['no-explicit-any', 'web/src/a.ts', 'export const f = (a: any) => String(a);'],
    ['filename-case', 'web/src/someFile.ts', 'export const a = 1;'],
  ])('%s in %s', (rule, file, text) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    const { stdout, status } = spawnSync(
      join(process.cwd(), 'node_modules', '.bin', 'oxlint'),
      ['--deny-warnings', '--quiet', '--format=unix', file],
      { cwd: folder, encoding: 'utf8' },
    );
    rmSync(join(folder, file));
    expect([status, stdout]).toEqual([1, expect.stringContaining(`(${rule})`)]);
  });
});
