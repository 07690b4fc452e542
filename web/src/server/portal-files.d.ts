/** Made by `web/build/portal-files.ts` from the manifest of the build. */
declare module 'virtual:portal-files' {
  export const files: import('./document.tsx').PortalFiles;
  /** The style sheet of the portal. */
  export const styleParts: readonly import('./used-styles.ts').StylePart[];
}
