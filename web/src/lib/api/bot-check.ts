import { trustBotCheckScript } from '../browser/trusted-types.ts';

/** The interface of the provider's script, version 3. */
interface BotCheckScript {
  ready(go: () => void): void;
  execute(siteKey: string, options: { action: string }): Promise<string>;
}

declare global {
  interface Window {
    grecaptcha?: BotCheckScript;
  }
}

interface Provider {
  siteKey: string;
  scriptUrl: string;
}

/** Set by the first refusal, so that a portal without the check loads no script. */
let provider: Provider | undefined;
const checkedActions = new Set<string>();
let script: Promise<BotCheckScript> | undefined;

function loadScript(url: string): Promise<BotCheckScript> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = trustBotCheckScript(url);
    element.addEventListener('load', () =>
      window.grecaptcha
        ? window.grecaptcha.ready(() => resolve(window.grecaptcha as BotCheckScript))
        : reject(new Error('no bot check')),
    );
    element.addEventListener('error', () => reject(new Error('no bot check')));
    document.head.append(element);
  });
}

/** Reads from the headers of a refusal that a call needs a token. True when that is new. */
export function rememberBotCheck(action: string, headers: Headers): boolean {
  const siteKey = headers.get('bot-check-site-key');
  const scriptUrl = headers.get('bot-check-script');
  if (!siteKey || !scriptUrl || checkedActions.has(action)) return false;
  provider = { siteKey, scriptUrl };
  checkedActions.add(action);
  return true;
}

/**
 * A token for one call of this name (specification §1). Undefined where the call needs none, and
 * where the script cannot be loaded: then the server refuses.
 */
export async function createBotCheckToken(action: string): Promise<string | undefined> {
  if (!provider || !checkedActions.has(action)) return undefined;
  const { siteKey, scriptUrl } = provider;
  script ??= loadScript(scriptUrl);
  try {
    return await (await script).execute(siteKey, { action });
  } catch {
    script = undefined;
    return undefined;
  }
}
