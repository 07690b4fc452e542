import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import type { Call } from '@diwan/contract/wire/call';
import { listFiles } from './list-files.ts';
import { stripModule, stripSchemas } from './strip-schemas.ts';

const contract = join(import.meta.dirname, '../../contract/src');
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'diwan-strip-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const files = listFiles(contract).filter((path) => !/\.test\.ts$|\/testing\//.test(path));

/** The code of a portal whose only source is `source`, which may import the contract. */
async function buildSource(source: string): Promise<string> {
  const entry = join(folder, 'entry.ts');
  await writeFile(entry, source);
  const outDir = join(folder, 'dist');
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [stripSchemas()],
    build: { outDir, minify: false, lib: { entry, formats: ['es'], fileName: () => 'out.mjs' } },
  });
  return readFile(join(outDir, 'out.mjs'), 'utf8');
}

const strip = (code: string) => stripModule(join(contract, 'wire/example.ts'), code).trim();

describe('a module of the contract', () => {
  it.each(files.map((path) => path.slice(contract.length)))('%s imports no zod', (path) => {
    const code = stripModule(contract + path, readFileSync(contract + path, 'utf8'));
    expect(code).not.toMatch(/^import (?!type ).*'zod'/m);
    expect(code.split('\n')).toHaveLength(readFileSync(contract + path, 'utf8').split('\n').length);
  });

  it('loses schemas and what is made of them, and keeps everything else', () => {
    const code = `import { z } from 'zod';
      import { pageOf } from './paging.ts';
      import { roles, type Role } from './call.ts';
      const name = z.string();
      export const person = z.object({ name });
      export type Person = z.infer<typeof person>;
      export const people = pageOf(person);
      export function greet({ name }: { name: string }): string { return name; }
      export function listOf(item: z.ZodType) { return z.array(item); }
      export const first: Role = roles[0];`;
    const stripped = strip(code);
    for (const kept of ['type Person', 'function greet', 'first: Role', '{ roles, type Role }'])
      expect(stripped).toContain(kept);
    for (const removed of ['const name', 'const person', 'people', 'listOf', 'zod', 'paging'])
      expect(stripped).not.toContain(removed);
  });

  it('refuses a schema where it cannot be removed', () => {
    const start = `import { z } from 'zod';\nconst text = z.string();\n`;
    expect(() => strip(`${start}console.log(text.parse('x'));`)).toThrow('example.ts:3');
    expect(() => strip(`${start}export const a = 1, b = text;`)).toThrow('example.ts:3');
    expect(() => strip(`${start}export const call = defineCall({ name: text });`)).toThrow(
      'decision 0032',
    );
  });
});

describe('the build', () => {
  it('holds for every call what the browser reads, and no schema', async () => {
    const code = await buildSource(
      files.map((path, index) => `export * as m${index} from '${path}';`).join('\n'),
    );
    expect(code).not.toMatch(/zod/i);
    const modules = (await import(pathToFileURL(join(folder, 'dist/out.mjs')).href)) as object;
    const built = Object.values(modules)
      .flatMap((one) => Object.values(one as object) as Partial<Call>[])
      .filter((one): one is Call => one.method !== undefined && one.path !== undefined);
    const wire = ({ name, method, path, consumes, openTo, reply }: Call) => ({
      name,
      method,
      path,
      consumes,
      openTo,
      reply: typeof reply === 'string' ? reply : undefined,
    });
    expect(allCalls.length).toBeGreaterThan(30);
    const byName = (calls: readonly Call[]) =>
      calls.map(wire).toSorted((a, b) => a.name.localeCompare(b.name));
    expect(byName(built)).toEqual(byName(allCalls));
    expect(built.every((call) => call.summary === undefined)).toBe(true);
  });

  it('leaves out the calls that are not used', async () => {
    const code = await buildSource(`export { login } from '${contract}/people/users.ts';`);
    expect(code).toContain('/api/User/Login');
    expect(code).not.toContain('/api/User/Logout');
  });

  it('leaves out what only the server reads of pages', async () => {
    const code = await buildSource(`export { pages } from '${contract}/portal/pages.ts';`);
    expect(code).toContain('/dashboard-Admin');
    expect(code).not.toMatch(/home:question|home:lead|heading/);
  });

  it('fails for a source that runs a schema', async () => {
    const source = `import { sessionClaims } from '${contract}/people/users.ts';
      export const read = (value: unknown) => sessionClaims.safeParse(value);`;
    await expect(buildSource(source)).rejects.toThrow('"sessionClaims" is not exported by');
  });

  it('fails for a source that imports zod', async () => {
    const source = `import { z } from 'zod'; export const text = z.string();`;
    await expect(buildSource(source)).rejects.toThrow('imports zod: decision 0032');
  });
});

it('does the same in development', async () => {
  const server = await createServer({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [stripSchemas()],
    server: { middlewareMode: true, ws: false, fs: { strict: false } },
    optimizeDeps: { noDiscovery: true },
  });
  const read = async (path: string) =>
    (await server.transformRequest(`/@fs${contract}/${path}`))?.code ?? '';
  const code = await read('people/users.ts');
  expect(code).toContain('/api/User/Login');
  expect(code).not.toMatch(/zod|sessionClaims/);
  await writeFile(join(folder, 'page.ts'), `import { z } from 'zod'; export { z };`);
  await expect(server.transformRequest('/page.ts')).rejects.toThrow('imports zod');
  await server.close();
});
