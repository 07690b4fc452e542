import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';

vi.mock('zod', () => import('./zod-in-browser.ts'));

const source = join(import.meta.dirname, '../..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.ts$|zod-in-browser/.test(name),
);

describe('the contract without zod', () => {
  it('still says how every call is sent', async () => {
    const { allCalls } = await import('@diwan/contract/all-calls');
    expect(allCalls.length).toBeGreaterThan(30);
    for (const call of allCalls) expect(call.path, call.name).toMatch(/^\/(api|health)\//);
  });

  it('says so when a schema is run', async () => {
    const { sessionClaims } = await import('@diwan/contract/people/users');
    expect(() => sessionClaims.safeParse({})).toThrow('decision 0008');
    expect(() => sessionClaims.parse({})).toThrow('decision 0008');
  });
});

describe('the portal', () => {
  it('runs no schema', () => {
    expect(files.length).toBeGreaterThan(100);
    for (const name of files) {
      const text = readFileSync(join(source, name), 'utf8');
      expect(text, name).not.toMatch(/from 'zod'/);
      expect(text, name).not.toMatch(/(?<!JSON|Date)\.(safeP|p)arse(Async)?\(/);
    }
  });
});
