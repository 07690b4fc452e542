import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesToPreload, isSmallModule, matchFiles } from './chunks.ts';

const root = join(import.meta.dirname, '../..');

it('matches the named files and no others', () => {
  const isMatched = matchFiles('web/src/portal.tsx');
  expect(isMatched(join(root, 'web/src/portal.tsx'))).toBe(true);
  expect(isMatched(join(root, 'web/src/main.tsx'))).toBe(false);
});

it('fails for a file that does not exist', () => {
  expect(() => matchFiles('web/src/portal.tsx', 'web/src/gone.tsx')).toThrow('gone.tsx');
});

it.each([
  ['web/src/lib/browser/class-names.ts', true],
  ['contract/src/wire/days.ts', true],
  ['web/src/shell/navigation/side-menu-panel.tsx', false],
  ['web/src/features/home/home-page.tsx', false],
])('%s may be in the shared chunk: %s', (path, isShared) => {
  expect(isSmallModule(join(root, path))).toBe(isShared);
});

it('leaves out what the page preloads', () => {
  const files = ['assets/libraries-Ab_1-x.js', 'assets/portal-x.js', 'assets/kit-x.js'];
  expect(filesToPreload('', files)).toEqual(['assets/kit-x.js']);
});
