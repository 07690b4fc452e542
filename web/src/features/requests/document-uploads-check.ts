import type { AttachmentRule } from '@diwan/contract/forms';
import type { UploadedDocument } from './draft.ts';

/** Why a file is not even sent. */
export type FileRefusal = 'empty' | 'tooLarge' | 'wrongType' | 'heic';

const typesByEnding: Record<string, string> = { pdf: 'application/pdf', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png' };

/** Some phones name no type; then the ending of the name tells it. The server judges by content anyway. */
export function mediaTypeOf(file: Pick<File, 'name' | 'type'>): string {
  return file.type || (typesByEnding[file.name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream');
}

const isPicture = (file: Pick<File, 'name' | 'type'>) => /^image\/(jpeg|png|hei[cf])/.test(file.type) || /\.hei[cf]$/i.test(file.name);

/** A picture as it is sent: upright, of a readable size. Its code comes with the first picture; without a connection the picture goes as it is. */
export async function prepareFile(file: File, rule: AttachmentRule): Promise<File> {
  if (!isPicture(file)) return file;
  const preparing = await import('../../lib/prepare-picture.ts').catch(() => undefined);
  return (await preparing?.preparePicture(file, rule.mediaTypes)) ?? file;
}

export function findFileRefusal(file: Pick<File, 'name' | 'type' | 'size'>, rule: AttachmentRule): FileRefusal | undefined {
  if (/^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name)) return 'heic';
  if (!rule.mediaTypes.some((type) => type === mediaTypeOf(file))) return 'wrongType';
  if (file.size === 0) return 'empty';
  return file.size > rule.maximumBytes ? 'tooLarge' : undefined;
}

/** The names of the required documents that are not there yet. */
export function missingDocuments(rules: readonly AttachmentRule[], documents: readonly UploadedDocument[]): string[] {
  return rules.filter((rule) => rule.required && !documents.some((each) => each.name === rule.name)).map((rule) => rule.name);
}
