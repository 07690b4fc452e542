import './ui/theme/theme.css';
import { prefetchFirstPageData, loadFirstPageCode, firstNamespaces } from './first-page.ts';
import { loadConfiguration } from './lib/browser/configuration.ts';
import { installDefaultPolicy } from './lib/browser/trusted-types.ts';
import { loadFonts } from './lib/i18n/fonts.ts';
import {
  applyToDocument,
  storedLanguage,
  takeLanguageFromAddress,
} from './lib/i18n/stored-language.ts';
import { loadTexts } from './lib/i18n/load-texts.ts';

// This file is small and runs first, so that the data of the first page loads together with the code
// of the portal. Decision 0008.
installDefaultPolicy();
takeLanguageFromAddress();
const language = storedLanguage();
applyToDocument(language);
const configured = loadConfiguration();
void configured.then(prefetchFirstPageData);
// A page that needs a text loads it again and handles the failure.
for (const namespace of firstNamespaces) loadTexts(language, namespace).catch(() => undefined);

// No top-level await: the portal imports modules of this chunk, and the two would wait for each
// other.
void import('./portal.tsx').then(({ showPortal }) => showPortal(configured));
loadFirstPageCode();
void loadFonts(language);
