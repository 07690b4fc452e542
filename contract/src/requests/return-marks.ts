import { z } from 'zod';
import { answers } from '../forms/forms.ts';

/** The most that one return may mark. */
export const mostMarks = 100;
/**
 * The most characters of a mark's message in one language, and of what a person writes to a mark.
 */
export const longestMarkText = 1000;

const text = z.string().trim().max(longestMarkText).optional();

/**
 * One thing that staff ask to be mended: `answers.<field>`, `answers.<group>.<index>.<field>` or
 * `attachments.<rule>`; with `attachmentId` it is that one
 * document. The words are a reason's (`reasonId` alone), or own ones in all three languages.
 */
export const returnMark = z.object({
  field: z.string().min(1).max(160),
  attachmentId: z.uuid().optional(),
  reasonId: z.int().optional(),
  messageAr: text,
  messageEn: text,
  messageUr: text,
});
export type ReturnMark = z.infer<typeof returnMark>;

/** A mark as the history shows it; `title` and `message` are in the caller's language. */
export const shownMark = z.object({
  field: z.string(),
  attachmentId: z.uuid().optional(),
  title: z.string(),
  message: z.string(),
});
export type ShownMark = z.infer<typeof shownMark>;

/** Why something marked stays as it is, in the words of whoever sent the request. */
export const markExplanation = z.object({
  field: z.string().min(1).max(160),
  attachmentId: z.uuid().optional(),
  text: z.string().trim().min(1).max(longestMarkText),
});
export type MarkExplanation = z.infer<typeof markExplanation>;

/**
 * What an update changed: the answers that differ, as they were and as they are, and by rule the
 * documents that went and came; and what became of each mark.
 */
export const mended = z.object({
  before: answers,
  after: answers,
  documents: z.array(
    z.object({ name: z.string(), removed: z.array(z.uuid()), added: z.array(z.uuid()) }),
  ),
  marks: z.array(shownMark.extend({ isChanged: z.boolean(), explanation: z.string() })),
});
export type Mended = z.infer<typeof mended>;

/** The name of a mark within its return. */
export function markKey({
  field,
  attachmentId,
}: {
  field: string;
  attachmentId?: string | undefined;
}): string {
  return attachmentId === undefined ? field : `${field}#${attachmentId}`;
}
