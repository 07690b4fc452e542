import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPageFiles } from './page-files.ts';

const sources = join(import.meta.dirname, '../src');

it('knows the file of the component of each page', () => {
  const files = readPageFiles(sources);
  expect([...files].filter(([, file]) => !existsSync(file))).toEqual([]);
  expect(files.get('home')).toBe(join(sources, 'features/home/home-page.tsx'));
  // A loader beside the map, which pages share.
  expect(files.get('allRequests')).toBe(
    join(sources, 'features/requests/pages/staff-requests-page.tsx'),
  );
  expect(files.has('individuals') || files.has('root')).toBe(false);
});
