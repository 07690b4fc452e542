import './ui/theme/theme.css';
import { prefetchFirstPageData, loadFirstPageCode, firstNamespaces } from './first-page.ts';
import { callHeaders } from './lib/api/call-headers.ts';
import { readToken, unexpiredToken } from './lib/api/session.ts';
import { loadConfiguration } from './lib/browser/configuration.ts';
import { recordEarlyInput } from './lib/browser/early-input.ts';
import { onFirstInteraction, onIdle } from './lib/browser/interaction.ts';
import { startTheme } from './lib/browser/theme.ts';
import { installDefaultPolicy } from './lib/browser/trusted-types.ts';
import { loadFirstFonts } from './lib/i18n/fonts.ts';
import { loadTexts, setHeadersOfTexts } from './lib/i18n/load-texts.ts';
import {
  applyToDocument,
  storedLanguage,
  takeLanguageFromAddress,
} from './lib/i18n/stored-language.ts';
import { findRenderedState, type RenderedPage } from './lib/page/rendered-page.ts';

// This file is small and runs first, so that the data of the first page loads together with the code
// of the portal. Decision 0008.
installDefaultPolicy();
takeLanguageFromAddress();
const language = storedLanguage();
applyToDocument(language);
startTheme();
setHeadersOfTexts(() => callHeaders(storedLanguage(), unexpiredToken()));

function startPortal(rendered?: RenderedPage): void {
  const configured = loadConfiguration();
  // The server rendered what is the same for everybody.
  if (!rendered || readToken() !== null) void configured.then(prefetchFirstPageData);
  // A page that needs a text loads it again and handles the failure.
  for (const namespace of firstNamespaces) loadTexts(language, namespace).catch(() => undefined);

  // No top-level await: the portal imports modules of this chunk, and the two would wait for each
  // other.
  const portal = import('./portal.tsx');
  void portal.then(({ showPortal }) => showPortal(configured, rendered));
  void loadFirstPageCode();
}

const root = document.getElementById('root') as HTMLElement;
root.removeAttribute('data-rendered');
const state = findRenderedState(language);
void loadFirstFonts(language);
if (state) {
  // The page can be read without the portal, which starts when it is needed or nothing else is done.
  const replay = recordEarlyInput(root);
  void Promise.race([onFirstInteraction(), onIdle()]).then(() => startPortal({ ...state, replay }));
} else startPortal();
