/** Why a file is not sent. */
export type FileRefusal = 'empty' | 'tooLarge' | 'wrongType' | 'otherType' | 'heic';

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

const knownTypes = Object.values(typesByExtension);
const typeByName = ({ name }: Pick<File, 'name'>): string | undefined =>
  typesByExtension[name.split('.').pop()?.toLowerCase() ?? ''];

/**
 * The media type of a file. Some phones name none; then the extension decides. The server inspects
 * the content.
 */
export function mediaTypeOf(file: Pick<File, 'name' | 'type'>): string {
  return file.type || (typeByName(file) ?? 'application/octet-stream');
}

/** Whether a picture is in the format of Apple's phones, which only some browsers can read. */
function isHeic(file: Pick<File, 'name' | 'type'>): boolean {
  if (knownTypes.includes(file.type)) return false;
  return /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

// The beginnings of files. Sources: ISO 32000-1, 7.5.2; W3C PNG, 5.2; ITU T.81, B.1; ISO 23008-12,
// 10.2, whose files begin with the length of their first box.
const beginnings: readonly [RegExp, string][] = [
  [/^%PDF-/, 'application/pdf'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^[^]{4}ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/, 'image/heic'],
];

/**
 * A file with the media type of its content, where the content tells it: names and the types that
 * browsers take from them may be wrong.
 */
async function identifyFile(file: File): Promise<File> {
  const bytes = await file
    .slice(0, 12)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const start = String.fromCharCode(...new Uint8Array(bytes));
  const type = beginnings.find(([beginning]) => beginning.test(start))?.[1];
  if (type === undefined || type === file.type) return file;
  return new File([file], file.name, { type, lastModified: file.lastModified });
}

/**
 * Gives a file the media type of its content, and rotates and shrinks a picture. The code for that
 * loads with the first picture; without a connection the picture is sent as it is.
 */
export async function prepareFile(chosen: File, { mediaTypes }: FileLimits): Promise<File> {
  const file = await identifyFile(chosen);
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
  const type = mediaTypeOf(file);
  if (!mediaTypes.includes(type))
    return knownTypes.includes(type) && typeByName(file) !== type ? 'otherType' : 'wrongType';
  if (file.size === 0) return 'empty';
  return file.size > maximumBytes ? 'tooLarge' : undefined;
}
