import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesToPreload, kitOf, matchFiles, modulesOf, portalOf } from './chunks.ts';

const root = join(import.meta.dirname, '../..');

it('matches the named files and no others', () => {
  const isMatched = matchFiles('web/src/portal.tsx');
  expect(isMatched(join(root, 'web/src/portal.tsx'))).toBe(true);
  expect(isMatched(join(root, 'web/src/main.tsx'))).toBe(false);
});

it('fails for a file that does not exist', () => {
  expect(() => matchFiles('web/src/portal.tsx', 'web/src/gone.tsx')).toThrow('gone.tsx');
});

/** A build in which the home page, the list of services and a dialog import these modules. */
const imports: Record<string, string[]> = {
  'web/src/features/home/home-page.tsx': [
    'web/src/ui/search/search-field.tsx',
    'node_modules/react/index.js',
  ],
  'web/src/features/services/services-page.tsx': [
    'web/src/ui/data/pager.tsx',
    'web/src/features/requests/drafts/draft-list.data.ts',
  ],
  'web/src/ui/data/pager.tsx': ['contract/src/wire/paging.ts'],
  'web/src/ui/forms/form-dialog.tsx': ['web/src/ui/forms/dialog.tsx', 'web/src/ui/data/pager.tsx'],
  'web/src/ui/forms/dialog.tsx': ['node_modules/react-aria-components/dist/Dialog.mjs'],
};
const graph = {
  getModuleInfo: (id: string) => ({
    importedIds: (imports[id.slice(root.length + 1)] ?? []).map((path) => join(root, path)),
  }),
};

it.each([
  ['web/src/ui/data/pager.tsx', 'kit'],
  ['contract/src/wire/paging.ts', 'kit'],
  ['web/src/features/requests/drafts/draft-list.data.ts', 'kit'],
  ['web/src/ui/forms/form-dialog.tsx', 'controls'],
  ['web/src/ui/charts/day-chart.tsx', 'tools'],
  ['node_modules/lucide-react/dist/esm/icons/keyboard.mjs', 'tools'],
  ['web/src/features/home/home-page.tsx', null],
  ['node_modules/react-aria-components/dist/Dialog.mjs', null],
])('the shared file of %s is %s', (path, file) => {
  expect(kitOf(join(root, path), graph)).toBe(file);
});

it.each([
  ['web/src/ui/search/search-field.tsx', 'portal'],
  ['web/src/portal.tsx', 'portal'],
  ['node_modules/lucide-react/dist/esm/icons/arrow-right.mjs', 'portal'],
  ['node_modules/react/index.js', null],
  ['web/src/features/home/home-page.tsx', null],
  ['web/src/ui/data/pager.tsx', null],
])('what the home page shares is in the file of the portal: %s is in %s', (path, file) => {
  expect(portalOf(join(root, path), graph)).toBe(file);
});

it('follows modules that import each other', () => {
  const circle = { getModuleInfo: (id: string) => ({ importedIds: [id === 'a' ? 'b' : 'a'] }) };
  expect([...modulesOf('a', circle)]).toEqual(['a', 'b']);
});

it('leaves out what the page preloads, and small parts', () => {
  const files = [
    'assets/libraries-Ab_1-x.js',
    'assets/portal-x.js',
    'assets/index-x.css',
    'assets/SSRProvider-Ab_-x12.js',
    'assets/kit-x.js',
  ];
  expect(filesToPreload('', files)).toEqual(['assets/kit-x.js']);
});
