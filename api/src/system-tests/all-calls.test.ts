import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allCalls, isCall } from '@diwan/contract/all-calls';

const contract = join(import.meta.dirname, '../../../contract/src');

it('holds every call that the contract exports, once', async () => {
  const files = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|all-calls|testing/.test(file),
  );
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ join(contract, file))),
  );
  const exported = modules.flatMap((each) => Object.values(each).filter(isCall));
  expect(exported.length).toBeGreaterThan(100);
  expect(new Set(allCalls)).toEqual(new Set(exported));
  expect(allCalls).toHaveLength(exported.length);
});

it('gives every call a unique name and address', () => {
  expect(new Set(allCalls.map(({ name }) => name)).size).toBe(allCalls.length);
  expect(new Set(allCalls.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    allCalls.length,
  );
});
