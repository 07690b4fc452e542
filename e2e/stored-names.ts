import type { Browser, BrowserContext } from '@playwright/test';
import {
  browserStorage,
  findStoredEntry,
  type StoragePlace,
} from '@diwan/contract/portal/browser-storage';

/** What a page stored, also if it removed it again: `<place> <name>`. */
const written = new Set<string>();

// What journeys store themselves, to prepare a page.
const isPlanted = (name: string) => name.startsWith('planted');

/** Notes each name that the pages of this browser write into their storage. */
export async function watchStorage(context: BrowserContext): Promise<void> {
  await context.exposeBinding('noteStored', (_source, place: string, name: string) => {
    written.add(`${place} ${name}`);
  });
  await context.addInitScript(() => {
    const { setItem } = Storage.prototype;
    const note = (
      window as unknown as { noteStored: (place: string, name: string) => Promise<void> }
    ).noteStored;
    Storage.prototype.setItem = function set(name: string, value: string) {
      setItem.call(this, name, value);
      // A page that is left does not wait for the answer.
      note(this === window.sessionStorage ? 'session' : 'local', name).catch(() => undefined);
    };
  });
}

/** What the pages of a browser hold now. */
async function readHeld(context: BrowserContext): Promise<string[]> {
  const ofPages = await Promise.all(
    context.pages().map((page) =>
      page
        .evaluate(async () => [
          ...Object.keys(window.localStorage).map((name) => `local ${name}`),
          ...Object.keys(window.sessionStorage).map((name) => `session ${name}`),
          ...(await window.indexedDB.databases()).map(({ name }) => `database ${name}`),
          ...(window.isSecureContext ? await window.caches.keys() : []).map(
            (name) => `cache ${name}`,
          ),
          ...(window.isSecureContext ? await navigator.serviceWorker.getRegistrations() : []).map(
            ({ active }) => `worker ${active?.scriptURL.split('/').at(-1)}`,
          ),
        ])
        // A page without an address, without storage, or that is just left holds nothing to read.
        .catch(() => []),
    ),
  );
  return ofPages.flat();
}

/** Cookies that stay longer than their entry says, or are of a browser that should forget them. */
async function readCookies(context: BrowserContext): Promise<{ held: string[]; wrong: string[] }> {
  const cookies = await context.cookies();
  const wrong = cookies.filter(({ name, expires }) => {
    const lasts = findStoredEntry('cookie', name)?.lasts;
    return typeof lasts === 'number'
      ? expires - Date.now() / 1000 > lasts
      : lasts === 'browser' && expires !== -1;
  });
  return {
    held: cookies.map(({ name }) => `cookie ${name}`),
    wrong: wrong.map(({ name, expires }) => `cookie ${name} lasts until ${expires}`),
  };
}

interface StoredNames {
  /** The keys of `browserStorage` whose names were seen. */
  seen: string[];
  /** What the page about storage does not say. */
  unlisted: string[];
}

/** Compares what the pages of a journey stored with the list of the page about storage. */
export async function compareStored(browser: Browser): Promise<StoredNames> {
  const all = new Set(written);
  written.clear();
  const unlisted: string[] = [];
  for (const context of browser.contexts()) {
    const { held, wrong } = await readCookies(context);
    for (const name of [...held, ...(await readHeld(context))]) all.add(name);
    unlisted.push(...wrong);
  }
  const seen = new Set<string>();
  for (const each of all) {
    const [place = '', ...parts] = each.split(' ');
    const name = parts.join(' ');
    if (isPlanted(name)) continue;
    const entry = findStoredEntry(place as StoragePlace, name);
    if (entry) seen.add(`${entry.place} ${entry.name}`);
    else unlisted.push(each);
  }
  return { seen: [...seen], unlisted };
}

/** The names that the journeys must see, because they are not rare. */
export const expectedNames: readonly string[] = Object.values(browserStorage)
  .filter((entry) => !('rare' in entry))
  .map(({ place, name }) => `${place} ${name}`);
