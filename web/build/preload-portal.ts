import type { Plugin } from 'vite';

/**
 * Names the chunks of the portal in the page, so that the browser fetches them together with the
 * first script and not after it. `portal` is the path of the module that the first script imports.
 */
export function preloadPortal(portal: string): Plugin {
  return {
    name: 'preload-portal',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const found = chunks.find((chunk) => chunk.moduleIds.includes(portal));
        if (!found) throw new Error(`No chunk holds ${portal}`);
        const isEntry = (name: string) =>
          chunks.some((chunk) => chunk.fileName === name && chunk.isEntry);
        return [found.fileName, ...found.imports]
          .filter((name) => !isEntry(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}
