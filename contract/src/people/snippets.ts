import { z } from 'zod';
import { defineCall, staffAndProviders } from '../wire/call.ts';
import { recordVersion } from '../wire/ids.ts';

/** The largest number of texts that one person keeps. */
export const maximumSnippets = 100;
export const maximumSnippetNameLength = 60;

const text = z.string().trim().max(2000);
/** A text by language, with the names of the messages of actions. Empty: not written. */
const texts = { messageAr: text, messageEn: text, messageUr: text };

/**
 * A saved text that staff insert into messages to applicants. A shared one is offered to the whole
 * office: the portal's staff, or the supervisors of one service provider. `owner` is the name of the
 * author of a shared text of somebody else.
 */
export const snippet = z.object({
  snippetId: z.uuid(),
  name: z.string(),
  ...texts,
  isShared: z.boolean(),
  /** The caller may change and delete it. */
  canChange: z.boolean(),
  owner: z.string().optional(),
  version: z.int(),
});
export type Snippet = z.infer<typeof snippet>;

/**
 * Every call that changes texts answers with all texts that are offered to the caller, by name. Our
 * own calls: docs/unknowns.md.
 */
const allSnippets = z.array(snippet);

export const getSnippets = defineCall({
  name: 'getSnippets',
  method: 'GET',
  path: '/api/Request/GetSnippets',
  who: staffAndProviders,
  summary: 'The saved texts of the caller, and those that colleagues share',
  reply: allSnippets,
  refusals: [],
});
/** Without `snippetId` a new text of the caller. */
export const saveSnippet = defineCall({
  name: 'saveSnippet',
  method: 'POST',
  path: '/api/Request/SaveSnippet',
  who: staffAndProviders,
  summary: 'Save a text for messages to applicants, or change one',
  body: z.object({
    snippetId: z.uuid().optional(),
    version: recordVersion.optional(),
    name: z.string().trim().min(1).max(maximumSnippetNameLength),
    ...texts,
    isShared: z.boolean().default(false),
  }),
  reply: allSnippets,
  refusals: [
    'SnippetNotFound',
    'RecordHasChanged',
    'SnippetNameTaken',
    'TooManySnippets',
    'ValidationFailed',
  ],
});
export const deleteSnippet = defineCall({
  name: 'deleteSnippet',
  method: 'POST',
  path: '/api/Request/DeleteSnippet',
  who: staffAndProviders,
  summary: 'Delete a saved text',
  body: z.object({ snippetId: z.uuid() }),
  reply: allSnippets,
  refusals: ['SnippetNotFound'],
});
