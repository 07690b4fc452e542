import { join } from 'node:path';
import type { Plugin } from 'vite';

const createIcon = join(import.meta.dirname, '../src/ui/theme/create-icon.ts');
/** The module that lucide-react imports, with the default export that it expects. */
const moduleId = '\0small-icons';

/**
 * Makes the icons of lucide-react by a small function of ours: 1.5 kB less on each first visit. The
 * server's first screens need it too, because the browser compares them with its own.
 */
export function smallIcons(): Plugin {
  let icons = 0;
  return {
    name: 'small-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      if (source !== '../createLucideIcon.mjs') return null;
      icons += 1;
      return moduleId;
    },
    load(id) {
      return id === moduleId
        ? `export { createIcon as default } from ${JSON.stringify(createIcon)};`
        : null;
    },
    generateBundle() {
      if (icons === 0) throw new Error('lucide-react no longer imports createLucideIcon.mjs');
    },
  };
}
