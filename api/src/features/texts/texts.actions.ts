import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import {
  overridesVersion,
  setTextOverrides,
  findCorrectedTexts,
  textNouns,
} from '#platform/core/locale-texts.ts';
import { makeZip } from '#platform/core/make-zip.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  findTextIssue,
  isLegalText,
  normalizeEditedText,
  type TextForm,
} from '@diwan/contract/content/text-checks';
import type { getTexts, saveText, TextEntry, TextSelection } from '@diwan/contract/content/texts';
import type { BodyOf, QueryOf, ReplyOf } from '@diwan/contract/wire/call';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language } from '@diwan/contract/wire/languages';
import {
  describeEntry,
  findEntry,
  listEntry,
  matchKeyword,
  shippedEntries,
  toOverrides,
  type ShippedEntry,
} from './text-entries.ts';
import type { StoredOverrides } from './texts.store.ts';
import * as store from './texts.store.ts';

// The sum of all versions, which grows with each change: of two reads at the same time the older
// may end last.
const newest = new WeakMap<Database, number>();

/** Reads the overrides and uses them in this process from now on. */
export async function refreshTexts(database: Database): Promise<void> {
  const rows = await store.selectOverrides(database);
  const changes = rows.reduce((sum, { version }) => sum + version, 0);
  if (changes === newest.get(database) || changes < (newest.get(database) ?? 0)) return;
  newest.set(database, changes);
  setTextOverrides(toOverrides(rows));
}

/** One page of texts, in the order of the files. */
export async function listTexts(
  database: Database,
  { Noun, Keyword, Only, PageNumber, Take }: QueryOf<typeof getTexts>,
): Promise<ReplyOf<typeof getTexts>> {
  const rows = new Map(
    (await store.selectOverrides(database)).map((row) => [`${row.noun}:${row.key}`, row]),
  );
  const counts: Record<TextSelection, number> = {
    overridden: 0,
    shippedChanged: 0,
    missing: 0,
    warned: 0,
  };
  const matches = Keyword?.trim() ? matchKeyword(Keyword) : () => true;
  const found: TextEntry[] = [];
  for (const [id, shipped] of shippedEntries()) {
    const listed = listEntry(shipped, rows.get(id));
    for (const selection of listed.selections) counts[selection] += 1;
    if (
      (Noun === undefined || shipped.noun === Noun) &&
      (Only === undefined || listed.selections.includes(Only)) &&
      matches(listed)
    )
      found.push(listed.entry);
  }
  return {
    items: found.slice((PageNumber - 1) * Take, PageNumber * Take),
    pageNumber: PageNumber,
    totalCount: found.length,
    nouns: [...textNouns],
    counts,
  };
}

function requireEntry(noun: string, key: string): ShippedEntry {
  const entry = findEntry(noun, key);
  if (!entry) throw new Refusal('TextNotFound');
  return entry;
}

/** One text. Throws TextNotFound. */
export async function getTextEntry(
  database: Database,
  noun: string,
  key: string,
): Promise<TextEntry> {
  const entry = requireEntry(noun, key);
  const rows = await store.selectOverrides(database);
  return describeEntry(
    entry,
    rows.find((row) => row.noun === noun && row.key === key),
  );
}

type EditedText = BodyOf<typeof saveText>['texts'][number];

// The field of an issue is that of the page: `texts.ar-EG.one`, or `texts.ar-EG` without a count.
const fieldOf = (language: Language, form: TextForm) =>
  ['texts', language, ...(form === '' ? [] : [form])].join('.');

/** The new overrides of an entry: those that were there, with the edited forms. */
function applyEdits(
  entry: ShippedEntry,
  known: StoredOverrides,
  edits: readonly EditedText[],
): StoredOverrides {
  const issues: ValidationIssue[] = [];
  const next: StoredOverrides = structuredClone(known);
  const all = languages.flatMap((language) => entry.texts[language].map(({ shipped }) => shipped));
  const isLegal = isLegalText(entry.noun, entry.key);
  for (const { language, form, text: typed } of edits) {
    const field = fieldOf(language, form);
    const shipped = entry.texts[language].find((each) => each.form === form)?.shipped;
    if (shipped === undefined) {
      issues.push({ field, code: 'unknownField' });
      continue;
    }
    const text = normalizeEditedText(typed);
    const forms = { ...next[language] };
    if (text === normalizeEditedText(shipped)) delete forms[form];
    else {
      const issue = findTextIssue(text, { form, shipped, all, isLegal });
      if (issue) issues.push({ field, ...issue });
      // To send the same text again confirms it after an upgrade.
      forms[form] = { text, shipped };
    }
    if (Object.keys(forms).length > 0) next[language] = forms;
    else delete next[language];
  }
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return next;
}

// The fields of the log of changes: the text that people read, by language and form.
const changeFields = (entry: TextEntry) =>
  Object.fromEntries(
    languages.flatMap((language) =>
      entry.texts[language].map(({ form, text }) => [fieldOf(language, form), text]),
    ),
  );

/** Overrides forms of a text. Throws as `saveTextEntry`. */
export async function storeEntry(
  transaction: Transaction,
  author: ChangeAuthor,
  { noun, key, version, texts }: BodyOf<typeof saveText>,
  at: Date,
): Promise<void> {
  const entry = requireEntry(noun, key);
  const row = await store.lockOverride(transaction, noun, key);
  if (row.version !== version) throw new Refusal('RecordHasChanged');
  const next = applyEdits(entry, row.texts, texts);
  await store.updateOverride(transaction, row, next, at);
  await recordChange(transaction, author, {
    entity: 'text',
    entityId: `${noun}:${key}`,
    name: `${noun}:${key}`,
    action: Object.keys(next).length === 0 ? 'restored' : 'changed',
    before: changeFields(describeEntry(entry, row)),
    after: changeFields(describeEntry(entry, { ...row, texts: next })),
  });
}

/**
 * Overrides forms of a text. Other processes hear of it with the commit. Throws TextNotFound,
 * RecordHasChanged, ValidationFailed.
 */
export async function saveTextEntry(
  database: Database,
  author: ChangeAuthor,
  edited: BodyOf<typeof saveText>,
  at: Date,
): Promise<ReplyOf<typeof saveText>> {
  await inTransaction(database, (transaction) => storeEntry(transaction, author, edited, at));
  await refreshTexts(database);
  const { noun, key } = edited;
  return { entry: await getTextEntry(database, noun, key), textsVersion: overridesVersion() };
}

/**
 * A ZIP archive of the files of texts that have overrides, as they are in the repository. Throws
 * NothingToExport.
 */
export async function exportOverriddenFiles(database: Database): Promise<Buffer> {
  await refreshTexts(database);
  const files = languages.flatMap((language) =>
    textNouns.flatMap((noun) => {
      const texts = findCorrectedTexts(language, noun);
      return texts
        ? [
            {
              path: `web/public/locales/${language}/${noun}.json`,
              content: Buffer.from(`${JSON.stringify(texts, null, 2)}\n`),
            },
          ]
        : [];
    }),
  );
  if (files.length === 0) throw new Refusal('NothingToExport');
  return makeZip(files);
}
