import { z } from 'zod';
import { contentReaders, defineCall, editors } from '../wire/call.ts';
import { recordIdInAddress, versionOrNew } from '../wire/ids.ts';
import { maximumTextLength } from './text-checks.ts';

/** The pages of legal text, by their names in the table of pages. */
export const legalPageNames = [
  'terms',
  'privacy',
  'storage',
  'providerTerms',
  'dataSharing',
  'accessibility',
] as const;
export type LegalPageName = (typeof legalPageNames)[number];

/** Whether a page of the table of pages is one of legal text. */
export const isLegalPage = (name: string): name is LegalPageName =>
  (legalPageNames as readonly string[]).includes(name);

const section = z.object({ id: z.string(), title: z.string(), text: z.string() });
export type LegalSectionText = z.infer<typeof section>;

/**
 * A version of a page in the caller's language. The texts of sections are read by `readLegalText`.
 * `id` names this version for ever; `changedAt` is when the portal published it (UTC). `versions`:
 * all versions of the page, the newest first.
 */
export const legalPage = z.object({
  page: z.enum(legalPageNames),
  id: z.int(),
  changedAt: z.string(),
  sections: z.array(section),
  versions: z.array(z.object({ id: z.int(), changedAt: z.string() })),
});
export type LegalPage = z.infer<typeof legalPage>;

/** Our own calls: the specification has the pages and not their texts. See docs/unknowns.md. */
export const getLegalPage = defineCall({
  name: 'getLegalPage',
  method: 'GET',
  path: '/api/LegalPage/GetLegalPage',
  who: 'anyone',
  summary: 'A page of legal text as it is now, with the facts of this deployment filled in',
  query: z.object({ Page: z.enum(legalPageNames) }),
  reply: legalPage,
  refusals: [],
});

export const getLegalPageVersion = defineCall({
  name: 'getLegalPageVersion',
  method: 'GET',
  path: '/api/LegalPage/GetLegalPageVersion',
  who: 'anyone',
  summary: 'A version of a page of legal text, as it was published',
  query: z.object({ Id: recordIdInAddress }),
  reply: legalPage,
  refusals: ['LegalPageNotFound'],
});

/**
 * The sections of a page in the order that people read, and those that an administrator removed.
 * `version` is 0 until the shipped order is changed.
 */
export const legalOrder = z.object({
  page: z.enum(legalPageNames),
  version: versionOrNew,
  shown: z.array(z.object({ key: z.string(), title: z.string() })),
  removed: z.array(z.object({ key: z.string(), title: z.string() })),
});
export type LegalOrder = z.infer<typeof legalOrder>;

export const getLegalOrder = defineCall({
  name: 'getLegalOrder',
  method: 'GET',
  path: '/api/LegalPage/GetLegalOrder',
  who: contentReaders,
  summary: 'The sections of a page of legal text, with those that were removed',
  query: z.object({ Page: z.enum(legalPageNames) }),
  reply: legalOrder,
  refusals: [],
});

export const saveLegalOrder = defineCall({
  name: 'saveLegalOrder',
  method: 'POST',
  path: '/api/LegalPage/SaveLegalOrder',
  who: editors,
  summary: 'Publish a page of legal text with these sections in this order; the others are removed',
  body: z.strictObject({
    page: z.enum(legalPageNames),
    version: versionOrNew,
    shown: z.array(z.string().max(60)).min(1).max(100),
  }),
  reply: legalOrder,
  refusals: ['RecordHasChanged', 'ValidationFailed'],
});

const previewed = z.string().max(maximumTextLength + 1);

export const previewLegalText = defineCall({
  name: 'previewLegalText',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/LegalPage/PreviewLegalText',
  who: editors,
  summary:
    'The sections that a text of a legal page makes, with the facts filled in; changes nothing',
  body: z.strictObject({
    key: z.string().max(200),
    texts: z.strictObject({ 'ar-EG': previewed, 'en-US': previewed, 'ur-PK': previewed }),
  }),
  reply: z.object({
    sections: z.object({
      'ar-EG': z.array(section),
      'en-US': z.array(section),
      'ur-PK': z.array(section),
    }),
  }),
  refusals: ['TextNotFound'],
});
