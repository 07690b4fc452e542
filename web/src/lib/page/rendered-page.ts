import { languages, type Language } from '@diwan/contract/wire/languages';
import type { Replay } from '../browser/early-input.ts';
import { loadItem } from '../browser/storage.ts';

/** The key of a query and its reply. */
export type QueryState = readonly [key: readonly unknown[], reply: unknown];

/** What the server writes into a page that it has rendered: decision 0048. */
interface RenderedState {
  language: Language;
  queries: readonly QueryState[];
}

/** A page that the server has rendered, and how to repeat what the user has done on it since. */
export interface RenderedPage extends RenderedState {
  replay: Replay;
}

/** What a page shows differently for this browser, and the server does not know. */
const isPersonal = () =>
  loadItem('session', 'token') !== null ||
  // The filters of a list, which come before those of the address.
  Boolean((window.history.state as { usr?: unknown } | null)?.usr) ||
  Object.keys(window.sessionStorage).some((key) => key.startsWith('eligibility:'));

/** A text of the page's language stands for those of others, until a switch of language loads them. */
const inAllLanguages = (language: Language) => (_: string, value: unknown) => {
  const text = (value as Partial<Record<Language, string>> | null)?.[language];
  return text === undefined ? value : Object.fromEntries(languages.map((each) => [each, text]));
};

/** The state of the page that the server rendered; undefined where this browser shows another one. */
export function findRenderedState(language: Language): RenderedState | undefined {
  try {
    const text = document.getElementById('rendered-state')?.textContent;
    const state = text ? (JSON.parse(text, inAllLanguages(language)) as RenderedState) : undefined;
    return state?.language === language && !isPersonal() ? state : undefined;
  } catch {
    return undefined;
  }
}
