import { noTextsVersion } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { loadTexts } from './load-texts.ts';
import { loaded, selectLanguage, setTexts, translatedLanguage, translators } from './translate.ts';

/** The version of the corrected texts that the page shows: `load-texts.ts` asks for it. */
const shownVersion = () => document.documentElement.dataset['texts'] ?? noTextsVersion;

// A file that cannot be loaded keeps its texts.
async function reloadTexts(): Promise<void> {
  const reload = async (path: string) => {
    const [language = '', namespace = ''] = path.split('/');
    setTexts(language, namespace, await loadTexts(language as Language, namespace));
  };
  await Promise.allSettled([...loaded.keys()].map(reload));
  // Components that compare their translator show the new texts too.
  translators.clear();
  selectLanguage(translatedLanguage());
}

let reloading = Promise.resolve();

/**
 * Shows the texts of a version, which a reply has named: somebody has corrected texts since this page
 * was loaded. What the user has typed stays. Decision 0062.
 */
export function refreshTexts(version: string): Promise<void> {
  if (version === shownVersion()) return reloading;
  if (version === noTextsVersion) delete document.documentElement.dataset['texts'];
  else document.documentElement.dataset['texts'] = version;
  reloading = reloadTexts();
  return reloading;
}
