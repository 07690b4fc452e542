import type { Plugin } from 'vite';

/**
 * Names the chunks of the portal in the page, so that the browser fetches them together with the
 * first script and not after it. `portal` is the path of the module that the first script imports.
 * `pages` names the module of a page by its opening in `index.html`: its chunk is fetched at the same
 * time, on that page only.
 */
export function preloadPortal(portal: string, pages: Record<string, string> = {}): Plugin {
  return {
    name: 'preload-portal',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const chunkOf = (module: string) => {
          const found = chunks.find((chunk) => chunk.moduleIds.includes(module));
          if (!found) throw new Error(`No chunk holds ${module}`);
          return found;
        };
        const found = chunkOf(portal);
        const isEntry = (name: string) =>
          chunks.some((chunk) => chunk.fileName === name && chunk.isEntry);
        const tags = [found.fileName, ...found.imports]
          .filter((name) => !isEntry(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
            injectTo: 'head' as const,
          }));
        const withPages = Object.entries(pages).reduce((text, [opening, module]) => {
          const mark = `<!-- opening ${opening} -->`;
          if (!text.includes(mark)) throw new Error(`The page has no ${mark}`);
          const link = `<link rel="modulepreload" crossorigin href="/${chunkOf(module).fileName}">`;
          return text.replace(mark, `${mark}\n        ${link}`);
        }, html);
        return { html: withPages, tags };
      },
    },
  };
}
