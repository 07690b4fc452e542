import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { recordIdInAddress } from '../wire/ids.ts';

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

/**
 * A version of a page in the caller's language. The texts of sections are read by `readLegalText`.
 * `id` names this version for ever; `changedAt` is when the portal published it (UTC). `versions`:
 * all versions of the page, the newest first.
 */
export const legalPage = z.object({
  page: z.enum(legalPageNames),
  id: z.int(),
  changedAt: z.string(),
  sections: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })),
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
