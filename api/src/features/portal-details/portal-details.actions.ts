import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { setPortalDetails, type StoredPortalDetails } from '#platform/portal/portal-details.ts';
import type { PortalDetails, savePortalDetails } from '@diwan/contract/content/portal-details';
import { findTextIssue, normalizeEditedText } from '@diwan/contract/content/text-checks';
import type { BodyOf, EveryField } from '@diwan/contract/wire/call';
import { instantOf } from '@diwan/contract/wire/days';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import type { PortalDetailsRow } from './portal-details.store.ts';
import * as store from './portal-details.store.ts';

const shell = createTranslator('shell');
const noText: LocalizedText = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };

let known: { database: Database; version: number } | undefined;
let last: Promise<unknown> = Promise.resolve();

async function read(database: Database, file: Record<string, unknown>): Promise<void> {
  const row = await store.selectPortalDetails(database);
  const version = row?.version ?? 0;
  if (known?.database === database && known.version === version) return;
  known = { database, version };
  setPortalDetails(row?.content ?? {}, file);
}

/**
 * Reads the details and uses them in this process from now on. `file` is the content of `configuration.json`.
 */
export function refreshPortalDetails(
  database: Database,
  file: Record<string, unknown>,
): Promise<void> {
  // One after the other: of two reads at the same time the older could end last.
  const next = last.then(
    () => read(database, file),
    () => read(database, file),
  );
  last = next;
  return next;
}

const textsOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The details with what the file of the configuration says where nothing is saved. */
function describe(
  { content, version }: PortalDetailsRow,
  file: Record<string, unknown>,
): EveryField<PortalDetails> {
  const support = (file['support'] ?? {}) as Record<string, unknown>;
  return {
    name: content.name ?? localizedText(shell, 'wordmark'),
    shortName: content.shortName ?? noText,
    logo: content.logo,
    darkLogo: content.darkLogo,
    supportPhone: content.supportPhone ?? textsOf(support['phone']),
    supportEmail: content.supportEmail ?? textsOf(support['email']),
    supportHours: content.supportHours ?? noText,
    social: content.social ?? ((file['social'] ?? []) as PortalDetails['social']),
    cards: content.cards ?? ((file['cards'] ?? []) as PortalDetails['cards']),
    banner: content.banner ?? noText,
    bannerFrom: content.bannerFrom,
    bannerUntil: content.bannerUntil,
    version,
  };
}

/** The details as an administrator sees them. `file` is the content of `configuration.json`. */
export async function getDetails(
  database: Database,
  file: Record<string, unknown>,
): Promise<EveryField<PortalDetails>> {
  const row = await store.selectPortalDetails(database);
  return describe(row ?? { content: {}, version: 0 }, file);
}

const textFields = ['name', 'shortName', 'supportHours', 'banner'] as const;

/** A text in three languages: all of them or none, and plain. */
function findTextIssues(field: string, text: LocalizedText, isOptional: boolean) {
  const isBlank = languages.every((language) => text[language] === '');
  if (isBlank && isOptional) return [];
  return languages.flatMap((language): ValidationIssue[] => {
    const issue = findTextIssue(text[language], { form: '', shipped: '', all: [] });
    // A name that quoted a text could quote itself.
    const hasReference = text[language].includes('$t(');
    return issue || hasReference
      ? [
          {
            field: `${field}.${language}`,
            ...(issue ?? { code: 'textReference', params: { names: '$t' } }),
          },
        ]
      : [];
  });
}

type Saved = BodyOf<typeof savePortalDetails>;

function readContent({ version: _version, bannerFrom, bannerUntil, ...saved }: Saved, now: Date) {
  const normalized = Object.fromEntries(
    textFields.map((field) => [
      field,
      Object.fromEntries(
        languages.map((language) => [language, normalizeEditedText(saved[field][language])]),
      ),
    ]),
  ) as Record<(typeof textFields)[number], LocalizedText>;
  const from = bannerFrom === undefined ? undefined : instantOf(bannerFrom);
  const until = bannerUntil === undefined ? undefined : instantOf(bannerUntil);
  const issues = textFields.flatMap((field) =>
    findTextIssues(field, normalized[field], field !== 'name'),
  );
  if (until && until <= (from ?? now))
    issues.push({ field: 'bannerUntil', code: from ? 'endsBeforeBeginning' : 'endsInThePast' });
  if (saved.supportPhone !== '' && !/^\+?[\d\s()-]{3,}$/.test(saved.supportPhone))
    issues.push({ field: 'supportPhone', code: 'pattern' });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return {
    ...saved,
    ...normalized,
    ...(from ? { bannerFrom: from.toISOString() } : {}),
    ...(until ? { bannerUntil: until.toISOString() } : {}),
  } satisfies StoredPortalDetails;
}

/**
 * Saves the details. Other processes hear of it with the commit. Throws RecordHasChanged,
 * ValidationFailed.
 */
export async function saveDetails(
  { database, file }: { database: Database; file: Record<string, unknown> },
  author: ChangeAuthor,
  saved: Saved,
  now: Date,
): Promise<EveryField<PortalDetails>> {
  const content = readContent(saved, now);
  await inTransaction(database, async (transaction) => {
    const row = await store.lockPortalDetails(transaction);
    if (row.version !== saved.version) throw new Refusal('RecordHasChanged');
    await store.updatePortalDetails(transaction, content, now);
    const { version: _old, ...before } = describe(row, file);
    const { version: _new, ...after } = describe({ content, version: 0 }, file);
    await recordChange(transaction, author, {
      entity: 'portal',
      entityId: 'details',
      name: content.name,
      action: 'changed',
      before,
      after,
    });
  });
  await afterCall(() => refreshPortalDetails(database, file));
  return getDetails(database, file);
}
