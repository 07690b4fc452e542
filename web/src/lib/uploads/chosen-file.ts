/** Why a file is not even sent. */
export type FileRefusal = 'empty' | 'tooLarge' | 'wrongType' | 'heic';

/** What a document may be: media types, and bytes at most. */
export interface FileLimits {
  mediaTypes: readonly string[];
  maximumBytes: number;
}

const typesByEnding: Record<string, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
};

/**
 * Some phones name no type; then the ending of the name tells it. The server judges by content
 * anyway.
 */
export function mediaTypeOf(file: Pick<File, 'name' | 'type'>): string {
  return (
    file.type ||
    (typesByEnding[file.name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream')
  );
}

/** Whether a phone gave a picture in its maker's own format, which only some browsers can read. */
export function isHeic(file: Pick<File, 'name' | 'type'>): boolean {
  return /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

/**
 * A picture as it is sent: upright, of a readable size. Its code comes with the first picture;
 * without a connection the picture goes as it is.
 */
export async function prepareFile(file: File, { mediaTypes }: FileLimits): Promise<File> {
  if (!isHeic(file) && !/^image\/(jpeg|png)/.test(file.type)) return file;
  const preparing = await import('./prepare-picture.ts').catch(() => undefined);
  return (await preparing?.preparePicture(file, mediaTypes)) ?? file;
}

/** What the server would refuse after the transfer. */
export function findFileRefusal(
  file: Pick<File, 'name' | 'type' | 'size'>,
  { mediaTypes, maximumBytes }: FileLimits,
): FileRefusal | undefined {
  if (isHeic(file)) return 'heic';
  if (!mediaTypes.includes(mediaTypeOf(file))) return 'wrongType';
  if (file.size === 0) return 'empty';
  return file.size > maximumBytes ? 'tooLarge' : undefined;
}
