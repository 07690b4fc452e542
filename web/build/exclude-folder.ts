import type { Plugin } from 'vite';

/** Fails the build where a module of a folder, such as a page for developers, is in the bundle. */
export function excludeFolder(folder: string): Plugin {
  return {
    name: 'exclude-folder',
    apply: 'build',
    generateBundle(_options, bundle) {
      const included = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .filter((path) => path.startsWith(`${folder}/`));
      if (included.length > 0) this.error(`The build must not contain ${included.join(', ')}`);
    },
  };
}
