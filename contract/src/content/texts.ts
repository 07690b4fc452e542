import { z } from 'zod';
import { contentReaders, defineCall, editors } from '../wire/call.ts';
import { versionOrNew } from '../wire/ids.ts';
import { languages } from '../wire/languages.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { maximumTextLength, pluralForms } from './text-checks.ts';

const noun = z.string().max(60);
const key = z.string().max(200);
const form = z.enum(['', ...pluralForms]);
const language = z.enum(languages);

/**
 * One form of a text in one language. `text` is what people read; `shipped` what the product ships.
 * `shippedThen`: what the product shipped when it was overridden, where it ships another text
 * since an upgrade.
 */
export const textForm = z.object({
  form,
  shipped: z.string(),
  text: z.string(),
  isOverridden: z.boolean(),
  shippedThen: z.string().optional(),
});
export type EditedForm = z.infer<typeof textForm>;

/**
 * A text of the product: the file `<noun>.json` and the key in it, without plural ending. `version`
 * is 0 until the text is overridden for the first time. Times are UTC.
 */
export const textEntry = z.object({
  noun,
  key,
  texts: z.object({
    'ar-EG': z.array(textForm),
    'en-US': z.array(textForm),
    'ur-PK': z.array(textForm),
  }),
  version: versionOrNew,
  changedAt: z.string().optional(),
});
export type TextEntry = z.infer<typeof textEntry>;

/** What the list of texts can be limited to. */
export const textSelections = ['overridden', 'shippedChanged', 'missing', 'warned'] as const;
export type TextSelection = (typeof textSelections)[number];

/** Our own calls: the specification has no page for texts. See docs/unknowns.md. */
export const getTexts = defineCall({
  name: 'getTexts',
  method: 'GET',
  path: '/api/Text/GetTexts',
  who: contentReaders,
  summary: 'Texts of the product in three languages, with what is overridden here',
  query: z.object({
    Noun: noun.optional(),
    /** A word of a text in any language, or a part of a key. */
    Keyword: z.string().max(200).optional(),
    Only: z.enum(textSelections).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(textEntry).extend({
    nouns: z.array(z.string()),
    /** The number of entries of all nouns for each selection. */
    counts: z.object({
      overridden: z.int(),
      shippedChanged: z.int(),
      missing: z.int(),
      warned: z.int(),
    }),
  }),
  refusals: [],
});

export const getText = defineCall({
  name: 'getText',
  method: 'GET',
  path: '/api/Text/GetText',
  who: contentReaders,
  summary: 'One text in three languages',
  query: z.object({ Noun: noun, Key: key }),
  reply: textEntry,
  refusals: ['TextNotFound'],
});

export const saveText = defineCall({
  name: 'saveText',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Text/SaveText',
  who: editors,
  summary: 'Override a text; a form that equals the shipped text is no longer overridden',
  body: z.object({
    noun,
    key,
    version: versionOrNew,
    texts: z
      .array(z.object({ language, form, text: z.string().max(maximumTextLength + 1) }))
      .min(1)
      .max(18),
  }),
  /** `textsVersion`: of all overrides, for the addresses of texts. */
  reply: z.object({ entry: textEntry, textsVersion: z.string() }),
  refusals: ['TextNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

export const exportTexts = defineCall({
  name: 'exportTexts',
  method: 'GET',
  path: '/api/Text/ExportTexts',
  who: contentReaders,
  summary: 'The files of overridden texts as they are in the repository, in a ZIP archive',
  reply: 'file',
  isExport: true,
  refusals: ['NothingToExport'],
});

/**
 * A form of a text that would change. `problem` says in the caller's language why `after` cannot be
 * saved; `version` is that of the text.
 */
export const textPlace = z.object({
  noun,
  key,
  version: versionOrNew,
  language,
  form,
  before: z.string(),
  after: z.string(),
  problem: z.string().optional(),
});
export type TextPlace = z.infer<typeof textPlace>;

/** The most places of one preview, and of one save. */
export const maximumTextPlaces = 500;

export const previewTextReplacement = defineCall({
  name: 'previewTextReplacement',
  method: 'GET',
  path: '/api/Text/PreviewTextReplacement',
  who: editors,
  summary: 'Every place where a wording stands, before and after it is replaced; changes nothing',
  query: z.object({
    /** Exactly as it is written. */
    Find: z.string().min(1).max(200),
    Replace: z.string().max(200).default(''),
    /** Missing: all languages. */
    Language: language.optional(),
  }),
  /** `totalCount` may be more than the places that are listed. */
  reply: z.object({ places: z.array(textPlace), totalCount: z.int() }),
  refusals: [],
});

/** The largest archive of texts, in bytes. */
export const maximumTextArchive = 700_000;

export const previewTextImport = defineCall({
  name: 'previewTextImport',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Text/PreviewTextImport',
  who: editors,
  summary: 'What an archive, as the export writes it, would change, and what of it is wrong',
  body: z.strictObject({
    /** The ZIP archive in base64. */
    content: z
      .base64()
      .min(4)
      .max(Math.ceil(maximumTextArchive / 3) * 4),
  }),
  /** `problems`: what is wrong by file and key, in the caller's language. */
  reply: z.object({
    places: z.array(textPlace),
    totalCount: z.int(),
    problems: z.array(z.object({ file: z.string(), key: z.string(), problem: z.string() })),
  }),
  refusals: ['TextFileUnreadable'],
});

export const saveTexts = defineCall({
  name: 'saveTexts',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Text/SaveTexts',
  who: editors,
  summary: 'Override forms of several texts, all of them or none',
  body: z.strictObject({
    places: z
      .array(
        z.strictObject({
          noun,
          key,
          version: versionOrNew,
          language,
          form,
          text: z.string().max(maximumTextLength + 1),
        }),
      )
      .min(1)
      .max(maximumTextPlaces),
  }),
  reply: z.object({ saved: z.int(), textsVersion: z.string() }),
  refusals: ['TextNotFound', 'RecordHasChanged', 'ValidationFailed'],
});
