/** Why a file is not sent. */
export type FileRefusal = 'empty' | 'tooLarge' | 'wrongType' | 'heic';

/** The media types and the size in bytes that a document may have. */
export interface FileLimits {
  mediaTypes: readonly string[];
  maximumBytes: number;
}

const typesByExtension: Record<string, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
};

/**
 * The media type of a file. Some phones name none; then the extension decides. The server inspects
 * the content.
 */
export function mediaTypeOf(file: Pick<File, 'name' | 'type'>): string {
  return (
    file.type ||
    (typesByExtension[file.name.split('.').pop()?.toLowerCase() ?? ''] ??
      'application/octet-stream')
  );
}

/** Whether a picture is in the format of Apple's phones, which only some browsers can read. */
function isHeic(file: Pick<File, 'name' | 'type'>): boolean {
  return /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

/**
 * Rotates and shrinks a picture before it is sent. The code loads with the first picture; without a
 * connection the picture is sent as it is.
 */
export async function prepareFile(file: File, { mediaTypes }: FileLimits): Promise<File> {
  if (!isHeic(file) && !/^image\/(jpeg|png)$/.test(file.type)) return file;
  const module = await import('./prepare-image.ts').catch(() => undefined);
  return (await module?.prepareImage(file, mediaTypes, isHeic(file))) ?? file;
}

/** Finds what the server would refuse after the transfer. */
export function findFileRefusal(
  file: Pick<File, 'name' | 'type' | 'size'>,
  { mediaTypes, maximumBytes }: FileLimits,
): FileRefusal | undefined {
  if (isHeic(file)) return 'heic';
  if (!mediaTypes.includes(mediaTypeOf(file))) return 'wrongType';
  if (file.size === 0) return 'empty';
  return file.size > maximumBytes ? 'tooLarge' : undefined;
}
