import { z } from 'zod';

/**
 * The result of the scan for harmful content: no scanner is configured, the file waits for the
 * scan, nothing was found, or something was found and the content is deleted.
 */
export const scanStates = ['notScanned', 'waiting', 'clean', 'infected'] as const;
export type ScanState = (typeof scanStates)[number];

/**
 * Properties of an accepted PDF that staff should know: a password, JavaScript or an XFA form, actions
 * that start programs or send or read data, embedded files.
 */
export const findingNames = ['encrypted', 'script', 'launch', 'embedded'] as const;

/**
 * Where a browser sends the content: blocks of at most `blockBytes` bytes by Azure's block protocol
 * (Put Block, Put Block List, Get Block List) to `url` until `expiresAt` (ISO 8601 in UTC), without
 * a token. `url` is a path of this server or an address of the storage. After the last block the
 * browser completes the upload by a call.
 */
export const uploadAddress = z.object({
  url: z.string(),
  blockBytes: z.int(),
  expiresAt: z.string(),
});
export type UploadAddress = z.infer<typeof uploadAddress>;

/** A file whose content arrived and was inspected; `findings` only where there are any. */
export const receivedAttachment = z.object({
  attachmentId: z.uuid(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
  scanState: z.enum(scanStates),
  findings: z.array(z.enum(findingNames)).optional(),
});

/** The refusals of every call that receives the content of a file. */
export const contentRefusals = [
  'AttachmentNotFound',
  'AttachmentTooLarge',
  'AttachmentTypeNotAccepted',
  'AttachmentOtherType',
  'AttachmentHeic',
  'AttachmentEmpty',
  'AttachmentIncomplete',
  'AttachmentDamaged',
  'AttachmentPictureTooLarge',
  'AttachmentEncrypted',
  'AttachmentActive',
  'AttachmentHoldsFiles',
  'AttachmentInfected',
  'TooManyRequests',
] as const;
