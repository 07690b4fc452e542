import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** Matches exactly these files; throws where one of them does not exist any more. */
export function matchFiles(...files: readonly string[]): (path: string) => boolean {
  const paths = new Set(files.map((file) => join(repository, file)));
  for (const path of paths)
    if (!existsSync(path)) throw new Error(`web/build/chunks.ts names ${path}, which is gone`);
  // Packages may be linked into the folder.
  return (path) => paths.has(path) || files.some((file) => path.endsWith(`/${file}`));
}

/**
 * Small modules that pages share. What imports react-aria stays in the chunks of the pages that use
 * it.
 */
export function isSmallModule(path: string): boolean {
  return (
    /lucide-react|(contract|web\/src\/(ui|lib|shell|features\/services))\/.*\.tsx?$/.test(path) &&
    !readFileSync(path, 'utf8').includes('react-aria-components')
  );
}

/**
 * The first page in four files: what starts it, the libraries, which change rarely, the portal, and
 * the home page with the modules that only pages use. Pages share one file of small modules (`kit`),
 * which the home page does not need. Decision 0008.
 */
export const codeSplitting = {
  groups: [
    { name: 'start', tags: ['$initial' as const], priority: 4 },
    {
      name: 'libraries',
      test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//,
      priority: 3,
    },
    {
      name: 'portal',
      test: matchFiles('web/src/portal.tsx', 'web/src/lib/browser/storage.ts'),
      priority: 2,
    },
    { name: 'home', test: matchFiles('web/src/features/home/home-page.tsx'), priority: 1 },
    // The moving parts of the home page come in one small file and must not bring the kit along.
    {
      name: 'motion',
      test: matchFiles(
        'web/src/features/home/home-motion.tsx',
        'web/src/features/home/play-pause-button.tsx',
        'node_modules/lucide-react/dist/esm/icons/pause.mjs',
        'node_modules/lucide-react/dist/esm/icons/play.mjs',
      ),
      priority: 1,
      includeDependenciesRecursively: false,
    },
    { name: 'kit', test: isSmallModule, minShareCount: 2, includeDependenciesRecursively: false },
  ],
};

/** The page itself names these chunks, so dynamic imports need not preload them. */
const preloadedByPage = /(rolldown-runtime|libraries|portal)-[\w-]+\.js$/;

/** Of the files that a dynamic import needs, those that the page has not preloaded. */
export function filesToPreload(_name: string, files: readonly string[]): string[] {
  return files.filter((file) => !preloadedByPage.test(file));
}
