import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const sources = join(import.meta.dirname, '../../../web/src/server');

/** How a portal of a test renders its screens, as source text; the default renders none. */
const noScreens = `{ loadTexts: async () => undefined, queryOf: () => undefined, renderScreen: () => undefined }`;

/**
 * Writes a portal for a test into `folder`: the real document, with files of the names `start.js`,
 * `portal.js`, `home.js` and `style.css`. `screens` is a JavaScript expression with `loadTexts`,
 * `queryOf` and `renderScreen`; `styleParts` is what the build reads from the style sheet (`StylePart`
 * of `used-styles.ts`). Each language has the font `A`.
 */
export async function buildPortal(
  folder: string,
  { screens = noScreens, styleParts = [] as readonly object[] } = {},
): Promise<void> {
  const entry = join(folder, 'entry.js');
  const files = {
    script: '/assets/start.js',
    stylesheet: '/assets/style.css',
    preloads: ['/assets/portal.js'],
    home: '/assets/home.js',
  };
  await mkdir(folder, { recursive: true });
  await writeFile(
    entry,
    `import { renderDocument } from ${JSON.stringify(join(sources, 'document.tsx'))};
const portalRenderer = { ...${screens}, renderDocument: (content) => renderDocument(content,
  ${JSON.stringify(files)},
  { parts: ${JSON.stringify(styleParts)}, fontFaces: () => '@font-face{font-family:A}' }) };
export { portalRenderer };`,
  );
  const file = join(folder, 'server/entry-server.js');
  await build({
    input: entry,
    platform: 'node',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
    output: { file, format: 'esm', codeSplitting: false },
  });
  await writeFile(join(dirname(file), 'package.json'), '{"type":"module"}');
}
