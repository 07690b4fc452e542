/**
 * How a browser holds a thing: a cookie, local storage, the session storage of a tab, or a service worker.
 * The portal uses no other way.
 */
export type StoragePlace = 'cookie' | 'local' | 'session' | 'worker';

/**
 * One name in the browser. A `*` at its end stands for what tells people and records apart. `lasts`:
 * seconds; `kept` until it is deleted in the browser; `saved` until the server has it, 90 days at most;
 * `browser` until the browser is closed. What is in session storage lasts as long as its tab. `isNeeded`:
 * the portal or a thing that the person asked for does not work without it; the others remember choices.
 * `rare`: why the journeys do not see it.
 */
interface StoredEntry {
  name: string;
  place: StoragePlace;
  lasts: number | 'kept' | 'saved' | 'browser' | 'tab';
  by: 'server' | 'page';
  isNeeded: boolean;
  rare?: string;
}

const year = 31_536_000;
const cookie = { place: 'cookie', by: 'page' } as const;
const local = { place: 'local', by: 'page', lasts: 'kept' } as const;
const tab = { place: 'session', by: 'page', lasts: 'tab' } as const;

/**
 * Everything that the portal stores in a browser, by the key of its purpose in `legal.json`
 * (`facts.stored`). The page about storage is made from it, the code that stores takes its names from
 * it, and the journeys compare it with what their browsers hold (`e2e/stored-names.ts`).
 */
export const browserStorage = {
  signedIn: { ...cookie, name: 'signed-in', lasts: 'browser', isNeeded: true },
  device: { ...cookie, name: 'diwan-device', by: 'server', lasts: 7_776_000, isNeeded: true },
  identity: { ...cookie, name: 'diwan-identity', by: 'server', lasts: 600, isNeeded: true },
  languageCookie: { ...cookie, name: 'language', lasts: year, isNeeded: true },
  fonts: { ...cookie, name: 'fonts', lasts: year, isNeeded: false },
  theme: {
    ...cookie,
    name: 'theme',
    lasts: year,
    isNeeded: false,
    rare: 'Not every run of the journeys chooses colours.',
  },
  dismissed: {
    ...cookie,
    name: 'dismissed',
    lasts: year,
    isNeeded: false,
    rare: 'Not every run of the journeys closes an announcement.',
  },

  language: { ...local, name: 'language', isNeeded: true },
  drafts: { ...local, name: 'draft:*', lasts: 'saved', isNeeded: true },
  uploads: { ...local, name: 'begun-uploads', lasts: 'saved', isNeeded: true },
  pushOwner: { ...local, name: 'push-owner', isNeeded: true },
  pushOffer: {
    ...local,
    name: 'push-offer-dismissed',
    isNeeded: false,
    rare: 'Not every run of the journeys closes the offer of messages.',
  },
  searches: { ...local, name: 'searchHistory', isNeeded: false },
  palette: {
    ...local,
    name: 'palette-recent:*',
    isNeeded: false,
    rare: 'Not every run of the journeys uses the quick search.',
  },
  video: { ...local, name: 'backgroundVideo', isNeeded: false },
  listSeen: { ...local, name: 'requests-seen-at.*', isNeeded: false },
  requestsSeen: { ...local, name: 'requests-looked.*', isNeeded: false },
  density: {
    ...local,
    name: 'requests-density',
    isNeeded: false,
    rare: 'Not every run of the journeys changes the height of rows.',
  },
  split: {
    ...local,
    name: 'requests-split',
    isNeeded: false,
    rare: 'Not every run of the journeys moves the edge of the list.',
  },
  shortcuts: {
    ...local,
    name: 'shortcuts-off',
    isNeeded: false,
    rare: 'Not every run of the journeys turns shortcuts off.',
  },
  stay: {
    ...local,
    name: 'stay-on-request',
    isNeeded: false,
    rare: 'Not every run of the journeys stays on a request.',
  },

  token: { ...tab, name: 'token', isNeeded: true },
  ownToken: {
    ...tab,
    name: 'ownToken',
    isNeeded: true,
    rare: 'Only long journeys act for somebody else.',
  },
  identityFlag: { ...tab, name: 'isUAEPass', isNeeded: true },
  identityEnabled: { ...tab, name: 'uaePassEnabled', isNeeded: true },
  identitySkipped: { ...tab, name: 'identitySkipped', isNeeded: true },
  clock: { ...tab, name: 'clockOffset', isNeeded: true },
  returnAddress: { ...tab, name: 'returnUrl', isNeeded: true },
  chosenService: {
    ...tab,
    name: 'selectedServiceId',
    isNeeded: true,
    rare: 'Not every run of the journeys chooses a service before signing in.',
  },
  accountType: { ...tab, name: 'accountType', isNeeded: true },
  eligibility: {
    ...tab,
    name: 'eligibility:*',
    isNeeded: true,
    rare: 'Not every run of the journeys answers a question of eligibility.',
  },
  sending: { ...tab, name: 'sending:*', isNeeded: true },
  lastRequest: { ...tab, name: 'lastRequestNumber', isNeeded: true },
  sharedComputer: {
    ...tab,
    name: 'shared-computer',
    isNeeded: true,
    rare: 'Not every run of the journeys is on a shared computer.',
  },
  sharedComputerLeft: {
    ...tab,
    name: 'shared-computer-left-at',
    isNeeded: true,
    rare: 'Not every run of the journeys leaves a shared computer.',
  },
  editors: {
    ...tab,
    name: 'editor.*',
    isNeeded: true,
    rare: 'Not every run of the journeys edits a record.',
  },
  actionDrafts: { ...tab, name: 'action-drafts.*', isNeeded: true },
  list: { ...tab, name: 'requests-list', isNeeded: true },
  reloaded: { ...tab, name: 'reloadedFor', isNeeded: true },
  scroll: { ...tab, name: 'scroll-positions', isNeeded: false },
  intro: { ...tab, name: 'homeVisited', isNeeded: false },

  pushWorker: {
    name: 'push-worker.js',
    place: 'worker',
    by: 'page',
    lasts: 'kept',
    isNeeded: true,
  },
} as const satisfies Record<string, StoredEntry>;

type Entry = (typeof browserStorage)[keyof typeof browserStorage];
type Written<Name> = Name extends `${infer Start}*` ? `${Start}${string}` : Name;

/** The names that may be stored in a place. */
export type StoredName<Place extends StoragePlace> = Written<
  Extract<Entry, { place: Place }>['name']
>;

/** The entries of a place with their keys, in the order of the page. */
export const storedIn = (place: StoragePlace): (StoredEntry & { key: string })[] =>
  Object.entries<StoredEntry>(browserStorage)
    .filter(([, entry]) => entry.place === place)
    .map(([key, entry]) => ({ key, ...entry }));

/**
 * The entry of a name that a browser holds. On https the server adds `__Host-` to its cookies. A shared
 * computer keeps in the tab what others keep for the browser (decision 0135).
 */
export function findStoredEntry(place: StoragePlace, name: string): StoredEntry | undefined {
  const plain = place === 'cookie' ? name.replace(/^__Host-/, '') : name;
  const places: StoragePlace[] = place === 'session' ? ['session', 'local'] : [place];
  return places
    .flatMap(storedIn)
    .find((entry) =>
      entry.name.endsWith('*') ? plain.startsWith(entry.name.slice(0, -1)) : plain === entry.name,
    );
}
