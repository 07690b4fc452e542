import './ui/theme/theme.css';
import { askForFirstPage, fetchFirstPage, firstNouns } from './first-page.ts';
import { loadConfiguration } from './lib/browser/configuration.ts';
import { loadFonts } from './lib/i18n/fonts.ts';
import {
  applyToDocument,
  storedLanguage,
  takeLanguageFromAddress,
} from './lib/i18n/stored-language.ts';
import { textsOf } from './lib/i18n/texts.ts';

// This file is small and runs first: what the first page needs is on its way while the portal
// itself still arrives. Decision 0008.
takeLanguageFromAddress();
const language = storedLanguage();
applyToDocument(language);
const configured = loadConfiguration();
void configured.then(askForFirstPage);
// Who needs a text waits for it and hears of a failure there.
for (const noun of firstNouns) textsOf(language, noun).catch(() => undefined);

// Nothing is awaited here: the portal imports parts that this file brings, and would wait for them
// for ever.
void import('./portal.tsx').then(({ showPortal }) => showPortal(configured));
fetchFirstPage();
void loadFonts(language);
