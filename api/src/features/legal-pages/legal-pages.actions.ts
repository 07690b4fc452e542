import { createHash } from 'node:crypto';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import {
  createTranslator,
  fillText,
  overridesVersion,
  type TextValues,
} from '#platform/core/locale-texts.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { portalDetailsVersion } from '#platform/portal/portal-details.ts';
import {
  isLegalPage,
  legalPageNames,
  type LegalOrder,
  type LegalPage,
  type LegalPageName,
  type previewLegalText,
  type saveLegalOrder,
} from '@diwan/contract/content/legal-pages';
import { splitLegalText } from '@diwan/contract/content/legal-text';
import type { BodyOf, EveryField, ReplyOf } from '@diwan/contract/wire/call';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { legalFactsIn, type FactsContext } from './legal-facts.ts';
import type {
  LegalSection,
  LegalSections,
  LegalVersion,
  StoredOrder,
} from './legal-pages.store.ts';
import * as store from './legal-pages.store.ts';

const texts = createTranslator('legal');

/** The pages of legal text that this process shows. */
export interface LegalPages {
  /** A page in a language, as it is now. */
  get(page: LegalPageName, language: Language): EveryField<LegalPage>;
  /** The version of a page that is in force now. */
  inForce(page: LegalPageName): { id: number; publishedAt: Date };
  /** Changes with each version. */
  version(): number;
  /** Publishes what has changed: a text, a setting, a detail of the portal. */
  refresh(): Promise<void>;
  /** The same, when a text or a detail has changed since the last time. */
  refreshIfChanged(): Promise<void>;
}

// The shipped sections of each page, in their order. Their texts are in `legal.json`.
const sectionsOf: Record<LegalPageName, readonly string[]> = {
  terms: [
    'use',
    'operator',
    'account',
    'minors',
    'requests',
    'fees',
    'refunds',
    'withdrawal',
    'appeal',
    'signature',
    'notices',
    'misuse',
    'availability',
    'liability',
    'content',
    'complaints',
    'law',
    'changes',
  ],
  privacy: [
    'controller',
    'law',
    'collected',
    'special',
    'purpose',
    'sharing',
    'processors',
    'transfers',
    'device',
    'keeping',
    'security',
    'breach',
    'automated',
    'rights',
    'officer',
    'complaints',
    'changes',
  ],
  storage: ['use', 'cookies', 'device', 'tab', 'messages', 'others', 'delete', 'changes'],
  providerTerms: [
    'scope',
    'registration',
    'verification',
    'activation',
    'work',
    'people',
    'money',
    'ending',
    'law',
  ],
  dataSharing: ['scope', 'parties', 'data', 'consent', 'limits', 'protection', 'rights', 'law'],
  accessibility: [
    'status',
    'standard',
    'features',
    'tested',
    'browsers',
    'limits',
    'feedback',
    'enforcement',
    'prepared',
  ],
};

// What the texts do not contain.
const missingFact = '\0';

/** The sections that a text with its facts makes, without the lines that name a missing one. */
function sectionsOfText(key: string, title: string, filled: string): LegalSection[] {
  const text = filled
    .split('\n')
    .filter((line) => !line.includes(missingFact))
    .join('\n');
  return splitLegalText(text)
    .map((part, index) => ({
      id: index === 0 ? key : `${key}-${index + 1}`,
      title: part.title ?? title,
      text: part.text,
    }))
    .filter((section) => section.text !== '');
}

/** The sections of a page by their keys: those that are shown in their order, and the removed ones. */
function arrange(page: LegalPageName, stored: StoredOrder | undefined) {
  const shipped = sectionsOf[page];
  if (!stored) return { shown: shipped, removed: [] };
  const isShipped = (key: string) => shipped.includes(key);
  const shown = stored.shown.filter(isShipped);
  const removed = stored.removed.filter(isShipped);
  // What a newer release adds stands at the end.
  const added = shipped.filter((key) => !shown.includes(key) && !removed.includes(key));
  return { shown: [...shown, ...added], removed };
}

interface Composition {
  facts: Record<Language, TextValues>;
  orders: readonly StoredOrder[];
}

const orderOf = (page: LegalPageName, orders: readonly StoredOrder[]) =>
  arrange(
    page,
    orders.find((each) => each.page === page),
  );

function sectionsIn(page: LegalPageName, language: Language, { facts, orders }: Composition) {
  return orderOf(page, orders).shown.flatMap((key) =>
    sectionsOfText(
      key,
      texts(`${page}.${key}.title`, language),
      texts(`${page}.${key}.text`, language, facts[language]),
    ),
  );
}

interface PublishedPage {
  sections: LegalSections;
  hash: string;
}

function compose(page: LegalPageName, from: Composition): PublishedPage {
  const sections: LegalSections = {
    'ar-EG': sectionsIn(page, 'ar-EG', from),
    'en-US': sectionsIn(page, 'en-US', from),
    'ur-PK': sectionsIn(page, 'ur-PK', from),
  };
  const content = JSON.stringify(languages.map((language) => sections[language]));
  return { sections, hash: createHash('sha256').update(content).digest('hex') };
}

type Composed = Record<LegalPageName, PublishedPage>;

function readFacts(context: FactsContext): Record<Language, TextValues> {
  const factsIn = (language: Language): TextValues =>
    Object.fromEntries(
      Object.entries(legalFactsIn(context, language)).map(([name, value]) => [
        name,
        value ?? missingFact,
      ]),
    );
  return {
    'ar-EG': factsIn('ar-EG'),
    'en-US': factsIn('en-US'),
    'ur-PK': factsIn('ur-PK'),
  };
}

function composeAll(context: FactsContext, orders: readonly StoredOrder[]): Composed {
  const from = { facts: readFacts(context), orders };
  return Object.fromEntries(legalPageNames.map((page) => [page, compose(page, from)])) as Composed;
}

/** Publishes the pages that differ from their newest version, and returns all versions. */
async function publish(database: Database, composed: Composed): Promise<LegalVersion[]> {
  const isNew = (page: LegalPageName, versions: readonly LegalVersion[]) =>
    versions.find((version) => version.page === page)?.hash !== composed[page].hash;
  const known = await store.selectVersions(database);
  if (!legalPageNames.some((page) => isNew(page, known))) return known;
  return inTransaction(database, async (transaction) => {
    // Other processes that publish wait until the transaction ends.
    await acquireNamedLock(transaction, 'legal pages');
    const versions = await store.selectVersions(transaction);
    for (const page of legalPageNames)
      if (isNew(page, versions))
        await store.insertVersion(transaction, { page, ...composed[page], at: new Date() });
    return store.selectVersions(transaction);
  });
}

const describe = (
  { id, page, published_at: publishedAt }: LegalVersion,
  sections: readonly LegalSection[],
  versions: readonly LegalVersion[],
): EveryField<LegalPage> => ({
  page,
  id,
  changedAt: publishedAt.toISOString(),
  sections: [...sections],
  versions: versions
    .filter((version) => version.page === page)
    .map((version) => ({ id: version.id, changedAt: version.published_at.toISOString() })),
});

/**
 * The pages of legal text. The text in force is that of `legal.json` with its corrections and the
 * facts of this process; whenever it differs from before, it becomes a version with its time.
 */
export function openLegalPages(database: Database, context: FactsContext): LegalPages {
  let composed: Composed | undefined;
  let versions: LegalVersion[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const madeOf = () =>
    `${overridesVersion()} ${portalDetailsVersion()} ${context.configuration.version()}`;
  let lastMadeOf: string | undefined;

  async function refreshNow(): Promise<void> {
    lastMadeOf = madeOf();
    const newer = composeAll(context, await store.selectOrders(database));
    // A process of an older release, which still runs beside newer ones, publishes nothing again.
    const isChanged =
      !composed || legalPageNames.some((page) => newer[page].hash !== composed?.[page].hash);
    if (!isChanged) {
      versions = await store.selectVersions(database);
      return;
    }
    versions = await publish(database, newer);
    composed = newer;
  }

  function refresh(): Promise<void> {
    const next = last.then(refreshNow, refreshNow);
    last = next;
    return next;
  }

  const current = (page: LegalPageName) => {
    // The newest with this process's text: another release may have published a newer one.
    const version = versions.find(
      (each) => each.page === page && each.hash === composed?.[page].hash,
    );
    if (!composed || !version) throw new Error(`${page} is not published yet`);
    return { version, ...composed[page] };
  };

  return {
    get(page, language) {
      const { version, sections } = current(page);
      return describe(version, sections[language], versions);
    },
    inForce(page) {
      const { id, published_at: publishedAt } = current(page).version;
      return { id, publishedAt };
    },
    version: () => versions[0]?.id ?? 0,
    refresh,
    refreshIfChanged: () => (madeOf() === lastMadeOf ? Promise.resolve() : refresh()),
  };
}

/** A version of a page as it was published. Throws LegalPageNotFound. */
export async function getLegalVersion(
  database: Database,
  id: number,
  language: Language,
): Promise<EveryField<LegalPage>> {
  const version = await store.findVersion(database, id);
  if (!version) throw new Refusal('LegalPageNotFound');
  return describe(version, version.sections[language], await store.selectVersions(database));
}

function describeOrder(
  page: LegalPageName,
  stored: StoredOrder | undefined,
  language: Language,
): LegalOrder {
  const { shown, removed } = arrange(page, stored);
  const describeKey = (key: string) => ({ key, title: texts(`${page}.${key}.title`, language) });
  return {
    page,
    version: stored?.version ?? 0,
    shown: shown.map(describeKey),
    removed: removed.map(describeKey),
  };
}

async function findOrder(database: Database | Transaction, page: LegalPageName) {
  return (await store.selectOrders(database)).find((each) => each.page === page);
}

export async function getOrder(
  database: Database,
  page: LegalPageName,
  language: Language,
): Promise<LegalOrder> {
  return describeOrder(page, await findOrder(database, page), language);
}

/**
 * Publishes a page with these sections in this order. Throws RecordHasChanged, and a ValidationRefusal
 * for sections that do not exist or are named twice.
 */
export async function saveOrder(
  { database, legal }: { database: Database; legal: Pick<LegalPages, 'refresh'> },
  author: ChangeAuthor,
  { page, version, shown }: BodyOf<typeof saveLegalOrder>,
  language: Language,
): Promise<LegalOrder> {
  const shipped = sectionsOf[page];
  if (new Set(shown).size < shown.length || shown.some((key) => !shipped.includes(key)))
    throw new ValidationRefusal([{ field: 'shown', code: 'unknownField' }]);
  const next = { page, shown, removed: shipped.filter((key) => !shown.includes(key)), version };
  await inTransaction(database, async (transaction) => {
    const before = arrange(page, await findOrder(transaction, page));
    if (!(await store.updateOrder(transaction, next, new Date())))
      throw new Refusal('RecordHasChanged');
    await recordChange(transaction, author, {
      entity: 'text',
      entityId: `legal.${page}`,
      name: `legal.${page}`,
      action: 'reordered',
      before: { order: before.shown.join(', ') },
      after: { order: shown.join(', ') },
    });
  });
  await afterCall(() => legal.refresh());
  return getOrder(database, page, language);
}

/** What a text of a section would make. Throws TextNotFound for another key. */
export function previewText(
  context: FactsContext,
  { key, texts: typed }: BodyOf<typeof previewLegalText>,
): ReplyOf<typeof previewLegalText> {
  const [page = '', name = '', property] = key.split('.');
  const isSection = property === 'text' && isLegalPage(page) && sectionsOf[page].includes(name);
  if (!isSection) throw new Refusal('TextNotFound');
  const facts = readFacts(context);
  const sectionsFor = (language: Language) =>
    sectionsOfText(
      name,
      texts(`${page}.${name}.title`, language),
      fillText(typed[language], language, facts[language]),
    );
  return {
    sections: {
      'ar-EG': sectionsFor('ar-EG'),
      'en-US': sectionsFor('en-US'),
      'ur-PK': sectionsFor('ur-PK'),
    },
  };
}
