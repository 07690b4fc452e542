import { z } from 'zod';
import { editedText, groupOrder, maximumGroupNameLength } from '../catalogue/groups.ts';
import { mediaTypes } from '../forms/forms.ts';
import { agencyContentReaders, contentReaders, defineCall, editors } from '../wire/call.ts';
import { recordId, recordVersion } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';

/** The longest description of a type of document in one language, and its largest file in bytes. */
export const maximumTypeDescriptionLength = 500;
export const maximumTypeBytes = 104_857_600;

const limits = {
  mediaTypes: z.array(z.enum(mediaTypes)).min(1).max(mediaTypes.length),
  maximumBytes: z.int().min(1).max(maximumTypeBytes),
  maximumCount: z.int().min(1).max(10),
};

/**
 * A document that many services ask for. A service that is built with it copies its texts, formats
 * and limits. A retired one is no longer offered there.
 */
export const attachmentType = z.object({
  id: z.int(),
  name: localizedText,
  description: localizedText.optional(),
  ...limits,
  isRetired: z.boolean(),
  version: z.int(),
});
export type AttachmentType = z.infer<typeof attachmentType>;

/** Without `id` a new type; with `id` all of its values. */
const attachmentTypeChange = z.object({
  id: recordId.optional(),
  version: recordVersion.optional(),
  name: editedText(maximumGroupNameLength),
  description: editedText(maximumTypeDescriptionLength).optional(),
  ...limits,
  isRetired: z.boolean().optional(),
});
export type AttachmentTypeChange = z.infer<typeof attachmentTypeChange>;

/** Our own calls: the specification names the page of attachments and shows no types. */
export const getAttachmentTypes = defineCall({
  name: 'getAttachmentTypes',
  method: 'GET',
  path: '/api/Attachment/GetAttachmentTypes',
  who: agencyContentReaders,
  byAgency: 'shared',
  summary: 'Every type of document in three languages, retired ones too',
  reply: z.array(attachmentType),
  refusals: [],
});

export const saveAttachmentType = defineCall({
  name: 'saveAttachmentType',
  method: 'POST',
  path: '/api/Attachment/SaveAttachmentType',
  who: editors,
  summary: 'Add, change, retire or restore a type of document; answers every one',
  body: attachmentTypeChange,
  reply: z.array(attachmentType),
  refusals: ['NotFound', 'RecordHasChanged'],
});

/** The chosen items of a set of usual ones: their places in it. */
export const usualKeys = z.array(z.int().min(0).max(999)).min(1).max(200);

/** Types that many portals use; `isThere`: the portal has it, perhaps retired. */
export const getUsualAttachmentTypes = defineCall({
  name: 'getUsualAttachmentTypes',
  method: 'GET',
  path: '/api/Attachment/GetUsualAttachmentTypes',
  who: contentReaders,
  summary: 'Types of documents that many portals use, to choose from',
  reply: z.array(
    z.object({
      key: z.int(),
      name: localizedText,
      description: localizedText.optional(),
      isThere: z.boolean(),
    }),
  ),
  refusals: [],
});

export const addUsualAttachmentTypes = defineCall({
  name: 'addUsualAttachmentTypes',
  method: 'POST',
  path: '/api/Attachment/AddUsualAttachmentTypes',
  who: editors,
  summary: 'Add chosen usual types of documents; those that are there stay; answers every one',
  body: z.strictObject({ keys: usualKeys }),
  reply: z.array(attachmentType),
  refusals: [],
});

export const orderAttachmentTypes = defineCall({
  name: 'orderAttachmentTypes',
  method: 'POST',
  path: '/api/Attachment/OrderAttachmentTypes',
  who: editors,
  summary: 'Put all types of documents in a new order; answers every one',
  body: groupOrder,
  reply: z.array(attachmentType),
  refusals: ['RecordHasChanged'],
});
