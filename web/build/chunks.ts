import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pageList, type PageName } from '../../contract/src/portal/page-list.ts';
import { readPageFiles } from './page-files.ts';

const repository = join(import.meta.dirname, '../..');

/** Matches exactly these files; throws where one of them does not exist any more. */
export function matchFiles(...files: readonly string[]): (path: string) => boolean {
  const paths = new Set(files.map((file) => join(repository, file)));
  for (const path of paths)
    if (!existsSync(path)) throw new Error(`web/build/chunks.ts names ${path}, which is gone`);
  // Packages may be linked into the folder.
  return (path) => paths.has(path) || files.some((file) => path.endsWith(`/${file}`));
}

/** What rolldown tells about the modules of the build. */
interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

/** The modules that load with a module: itself and what it imports, except on demand. */
export function modulesOf(id: string, graph: ModuleGraph, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const each of graph.getModuleInfo(id)?.importedIds ?? []) modulesOf(each, graph, found);
  return found;
}

// Parts of a few lines that several pages of requests share. To name a separate file for each costs
// the first page more than they weigh.
const isSmallPart = matchFiles(
  'web/src/features/messages/message-state-tag.tsx',
  'web/src/features/requests/data/latest-message.ts',
  'web/src/features/requests/data/status-groups.ts',
  'web/src/features/requests/live/live-counts.ts',
  'web/src/features/requests/record/download-invoice.tsx',
  'web/src/features/requests/record/figure-filters.ts',
  'web/src/features/requests/record/print-frame.tsx',
  'web/src/features/requests/staff/snippets/snippets.data.ts',
);

const isSmallModule = (path: string) =>
  /lucide-react|(contract|web\/src\/(ui|lib|shell|features\/services))\/.*\.tsx?$/.test(path) ||
  isSmallPart(path);

const isHeavyLibrary = (path: string) =>
  /node_modules\/(react-aria|react-stately|react-hook-form|@internationalized)/.test(path);

const pageFiles = readPageFiles(join(repository, 'web/src'));

/** The file of a page that has a component. */
function fileOf(name: PageName): string {
  const file = pageFiles.get(name);
  if (file === undefined) throw new Error(`${name} has no component`);
  return file;
}

const homePage = fileOf('home');

/**
 * The files of pages whose first screen has calls, without the home page and the pages of legal text,
 * which share less with others.
 */
const firstScreens = pageList
  .filter(({ calls }) => calls)
  .map(({ name }) => fileOf(name))
  .filter((file) => file !== homePage && file !== fileOf('terms'));

// The home page's own icon, which other pages show too.
const isIconOfHome = matchFiles('node_modules/lucide-react/dist/esm/icons/arrow-right.mjs');

const isPortal = matchFiles('web/src/portal.tsx', 'web/src/lib/browser/storage.ts');

/**
 * The file of the portal: what every page needs, and what the home page shares with others, which
 * must not load the home page itself (specification §2: each page is loaded on demand).
 */
export function portalOf(path: string, graph: ModuleGraph): string | null {
  if (path === homePage) return null;
  const isOurs = /\/(web|contract)\/src\//.test(path) && modulesOf(homePage, graph).has(path);
  return isOurs || isIconOfHome(path) || isPortal(path) ? 'portal' : null;
}

/**
 * The file of a small module that pages share: `kit` for what the first screens load, `controls`
 * for what brings a heavy library along, `tools` for the rest. A page loads a file as a whole.
 */
export function kitOf(path: string, graph: ModuleGraph): string | null {
  const isOnFirstScreen = firstScreens.some((page) => modulesOf(page, graph).has(path));
  if (isOnFirstScreen && (isSmallModule(path) || path.includes('/web/src/features/'))) return 'kit';
  if (!isSmallModule(path)) return null;
  return [...modulesOf(path, graph)].some(isHeavyLibrary) ? 'controls' : 'tools';
}

/**
 * The first page in four files: what starts it, the libraries, which change rarely, the portal, and
 * the home page itself, which no other page loads. Pages share files of small modules, which the
 * home page does not need. Decision 0008.
 */
export const codeSplitting = {
  groups: [
    { name: 'start', tags: ['$initial' as const], priority: 4 },
    {
      name: 'libraries',
      test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//,
      priority: 3,
    },
    { name: portalOf, debugName: 'portal', priority: 2 },
    // The videos of the home page come in one small file and must not bring the kit along.
    {
      name: 'background',
      test: matchFiles(
        'web/src/features/home/background-video.tsx',
        'web/src/features/home/home-videos.tsx',
        'web/src/features/home/intro-video.tsx',
        'web/src/features/home/play-pause-button.tsx',
        'node_modules/lucide-react/dist/esm/icons/pause.mjs',
        'node_modules/lucide-react/dist/esm/icons/play.mjs',
      ),
      priority: 1,
      includeDependenciesRecursively: false,
    },
    {
      name: kitOf,
      debugName: 'kit',
      minShareCount: 2,
      includeDependenciesRecursively: false,
    },
  ],
};

/** The page itself names these chunks, so dynamic imports need not preload them. */
const preloadedByPage = /\/(index|rolldown-runtime|libraries|portal)-[\w-]+\.(js|css)$/;

/**
 * Small shared parts, most of React Aria. To name them costs the first page more than it saves: a
 * menu or a form asks for them one step later.
 */
const smallParts = new Set([
  'DropZone',
  'FileTrigger',
  'I18nProvider',
  'Input',
  'PressResponder',
  'SSRProvider',
  'VisuallyHidden',
  'due-date',
  'intlStrings',
  'next-address',
  'uae-pass-link',
  'useDescription',
  'useLoadMoreSentinel',
  'useMenuTrigger',
  'useTextField',
  'year-ago',
]);
const chunkName = /\/([\w.-]+)-[\w-]{7,8}\.js$/;

/** Of the files that a dynamic import needs, those that the page names for preloading. */
export function filesToPreload(_name: string, files: readonly string[]): string[] {
  return files.filter(
    (file) => !preloadedByPage.test(file) && !smallParts.has(chunkName.exec(file)?.[1] ?? ''),
  );
}
