import { unzipSync } from 'fflate';
import type { ChangeAuthor } from '#platform/auth/changes.ts';
import {
  createTranslator,
  overridesVersion,
  textNouns,
  validationText,
} from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  findTextIssue,
  isLegalText,
  keyOfForm,
  normalizeEditedText,
  type TextForm,
} from '@diwan/contract/content/text-checks';
import {
  maximumTextPlaces,
  type previewTextImport,
  type previewTextReplacement,
  type saveTexts,
  type TextEntry,
  type TextPlace,
} from '@diwan/contract/content/texts';
import type { BodyOf, QueryOf, ReplyOf } from '@diwan/contract/wire/call';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { describeEntry, flattenTexts, shippedEntries } from './text-entries.ts';
import { refreshTexts, storeEntry } from './texts.actions.ts';
import { selectOverrides } from './texts.store.ts';

const t = createTranslator('texts');

/** A form of a text as people read it now. */
interface CurrentForm {
  entry: TextEntry;
  language: Language;
  form: TextForm;
  text: string;
  shipped: string;
}

async function readForms(database: Database): Promise<CurrentForm[]> {
  const rows = new Map(
    (await selectOverrides(database)).map((row) => [`${row.noun}:${row.key}`, row]),
  );
  return [...shippedEntries()].flatMap(([id, shippedEntry]) => {
    const entry = describeEntry(shippedEntry, rows.get(id));
    return languages.flatMap((language) =>
      entry.texts[language].map(({ form, text, shipped }) => ({
        entry,
        language,
        form,
        text,
        shipped,
      })),
    );
  });
}

/** Why a text cannot replace a form, in the reader's language. */
function findProblem(after: string, { entry, form, shipped }: CurrentForm, reader: Language) {
  if (after === normalizeEditedText(shipped)) return undefined;
  const all = languages.flatMap((each) => entry.texts[each].map((one) => one.shipped));
  const issue = findTextIssue(after, {
    form,
    shipped,
    all,
    isLegal: isLegalText(entry.noun, entry.key),
  });
  return issue && validationText({ field: '', ...issue }, reader);
}

function toPlace(current: CurrentForm, changed: string, reader: Language): TextPlace {
  const { entry, language, form, text } = current;
  const after = normalizeEditedText(changed);
  const problem = findProblem(after, current, reader);
  return {
    noun: entry.noun,
    key: entry.key,
    version: entry.version,
    language,
    form,
    before: text,
    after,
    ...(problem ? { problem } : {}),
  };
}

/** Every place where a wording stands, before and after it is replaced. */
export async function previewReplacement(
  database: Database,
  { Find, Replace, Language: only }: QueryOf<typeof previewTextReplacement>,
  reader: Language,
): Promise<ReplyOf<typeof previewTextReplacement>> {
  const found = (await readForms(database)).filter(
    ({ language, text }) => (only === undefined || language === only) && text.includes(Find),
  );
  return {
    totalCount: found.length,
    places: found.slice(0, maximumTextPlaces).map((current) =>
      toPlace(
        current,
        current.text.replaceAll(Find, () => Replace),
        reader,
      ),
    ),
  };
}

// A file of texts has at most 100 kB; an archive that grows to more is refused before it is read.
const maximumFileBytes = 1_000_000;
const maximumFiles = 300;

/** The files of an archive by path. Throws TextFileUnreadable. */
function readArchive(content: string): [path: string, text: string][] {
  let count = 0;
  try {
    const files = unzipSync(Buffer.from(content, 'base64'), {
      filter: ({ originalSize }) => {
        count += 1;
        if (count > maximumFiles || originalSize > maximumFileBytes)
          throw new Error('The archive is too large');
        return true;
      },
    });
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return Object.entries(files)
      .filter(([path]) => !path.endsWith('/'))
      .map(([path, bytes]) => [path, decoder.decode(bytes)]);
  } catch {
    throw new Refusal('TextFileUnreadable');
  }
}

const filePath = /(?:^|\/)([a-z]{2}-[A-Z]{2})\/([\w-]+)\.json$/;

/** The texts of a file by key; undefined for a file that holds something else. */
function readFileTexts(text: string): [key: string, text: string][] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return flattenTexts(parsed as Parameters<typeof flattenTexts>[0]);
  } catch {
    return undefined;
  }
}

/**
 * What an archive, as the export writes it, would change, and what of it is wrong by file and key.
 * Throws TextFileUnreadable.
 */
export async function previewImport(
  database: Database,
  { content }: BodyOf<typeof previewTextImport>,
  reader: Language,
): Promise<ReplyOf<typeof previewTextImport>> {
  const files = readArchive(content);
  const current = new Map(
    (await readForms(database)).map((each) => [
      `${each.language}/${each.entry.noun}:${keyOfForm(each.entry.key, each.form)}`,
      each,
    ]),
  );
  const places: TextPlace[] = [];
  const problems: ReplyOf<typeof previewTextImport>['problems'] = [];
  for (const [file, text] of files) {
    const [, language = '', noun = ''] = filePath.exec(file) ?? [];
    const isKnown = languages.some((each) => each === language) && textNouns.includes(noun);
    const texts = isKnown ? readFileTexts(text) : undefined;
    if (!texts) {
      problems.push({
        file,
        key: '',
        problem: t(isKnown ? 'import.notTexts' : 'import.unknownFile', reader),
      });
      continue;
    }
    for (const [key, value] of texts) {
      const known = current.get(`${language}/${noun}:${key}`);
      if (!known) {
        // The names of the portal have their own page.
        if (!(noun === 'shell' && ['wordmark', 'shortName'].includes(key)))
          problems.push({ file, key, problem: t('import.unknownKey', reader) });
        continue;
      }
      const place = toPlace(known, value, reader);
      if (place.after === normalizeEditedText(known.text)) continue;
      if (place.problem) problems.push({ file, key, problem: place.problem });
      else places.push(place);
    }
  }
  return { places: places.slice(0, maximumTextPlaces), totalCount: places.length, problems };
}

/**
 * Overrides forms of several texts in one transaction. Throws TextNotFound, RecordHasChanged,
 * ValidationFailed.
 */
export async function savePlaces(
  database: Database,
  author: ChangeAuthor,
  { places }: BodyOf<typeof saveTexts>,
  at: Date,
): Promise<ReplyOf<typeof saveTexts>> {
  const byEntry = new Map<string, typeof places>();
  for (const place of places) {
    const id = `${place.noun}:${place.key}`;
    byEntry.set(id, [...(byEntry.get(id) ?? []), place]);
  }
  await inTransaction(database, async (transaction) => {
    // In one order, so that two people do not wait for each other.
    for (const id of [...byEntry.keys()].toSorted()) {
      const edits = byEntry.get(id) ?? [];
      const [first] = edits;
      if (!first) continue;
      const { noun, key, version } = first;
      if (edits.some((edit) => edit.version !== version)) throw new Refusal('RecordHasChanged');
      await storeEntry(transaction, author, { noun, key, version, texts: edits }, at);
    }
  });
  await refreshTexts(database);
  return { saved: places.length, textsVersion: overridesVersion() };
}
