/** The interface that scripts of version 3 give to a page. */
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

/**
 * Learnt from the first refusal, so that a portal without the check loads nothing and asks nothing.
 */
let provider: Provider | undefined;
const checked = new Set<string>();
let script: Promise<BotCheckScript> | undefined;

function loadScript(url: string): Promise<BotCheckScript> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = url;
    element.addEventListener('load', () =>
      window.grecaptcha
        ? window.grecaptcha.ready(() => resolve(window.grecaptcha as BotCheckScript))
        : reject(new Error('no bot check')),
    );
    element.addEventListener('error', () => reject(new Error('no bot check')));
    document.head.append(element);
  });
}

/**
 * Remembers that a call needs a token, from the headers of its refusal; whether that is something
 * new.
 */
export function learnBotCheck(action: string, headers: Headers): boolean {
  const siteKey = headers.get('bot-check-site-key');
  const scriptUrl = headers.get('bot-check-script');
  if (!siteKey || !scriptUrl || checked.has(action)) return false;
  provider = { siteKey, scriptUrl };
  checked.add(action);
  return true;
}

/**
 * A token for one call of this name (specification §1); none where no check is made, or where its
 * script cannot be had: the server judges.
 */
export async function botCheckToken(action: string): Promise<string | undefined> {
  if (!provider || !checked.has(action)) return undefined;
  const { siteKey, scriptUrl } = provider;
  script ??= loadScript(scriptUrl);
  try {
    return await (await script).execute(siteKey, { action });
  } catch {
    script = undefined;
    return undefined;
  }
}
