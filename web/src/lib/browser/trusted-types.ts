interface PolicyRules {
  createHTML?: (html: string) => string | null;
  createScriptURL?: (url: string) => string | null;
}

declare global {
  interface Window {
    /** Missing in browsers without Trusted Types, which do not read the directive either. */
    trustedTypes?: {
      createPolicy(name: string, rules: PolicyRules): { createScriptURL(url: string): string };
    };
  }
}

/**
 * The content security policy refuses text where the browser would run it: markup, and addresses of
 * scripts. Libraries use two harmless forms of it, which this allows: they empty an element, and
 * pdf.js starts its worker from our own origin.
 */
export function installDefaultPolicy(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML: (html) => (html === '' ? '' : null),
    createScriptURL: (url) =>
      new URL(url, window.location.href).origin === window.location.origin ? url : null,
  });
}

let botCheckPolicy: { createScriptURL(url: string): string } | undefined;

/** The address of the bot check's script, which another origin serves. The server names it. */
export function trustBotCheckScript(url: string): string {
  botCheckPolicy ??= window.trustedTypes?.createPolicy('bot-check', {
    createScriptURL: (given) => given,
  });
  return botCheckPolicy?.createScriptURL(url) ?? url;
}
