import { isHeic } from './chosen-file.ts';

// Enough to read the small print of a page of A4.
const longestSide = 3000;
const mostBytes = 2.5 * 1024 * 1024;
const quality = 0.85;

async function decode(file: File): Promise<ImageBitmap | undefined> {
  try {
    // The way the picture was held comes with it; drawn, it stands upright for everybody.
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return undefined;
  }
}

// Motion pictures and notes of cameras stand behind the end of the picture; the server takes
// nothing there.
async function hasTail(file: File): Promise<boolean> {
  if (file.type !== 'image/jpeg') return false;
  const [first, second] = new Uint8Array(await file.slice(-2).arrayBuffer());
  return first !== 0xff || second !== 0xd9;
}

// Where and when it was taken, and with what; and how it was held, which not every program heeds.
async function hasNotes(file: File): Promise<boolean> {
  return (
    file.type === 'image/jpeg' &&
    new TextDecoder('latin1').decode(await file.slice(0, 65_536).arrayBuffer()).includes('Exif\0\0')
  );
}

const jpegName = (name: string) => `${name.replace(/\.[^.]{1,5}$/, '') || 'photo'}.jpg`;

function draw(picture: ImageBitmap): HTMLCanvasElement | undefined {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * A picture as it is sent: large ones, those with notes of the camera (place, time) and those of a
 * format that only this browser reads are drawn anew as JPEG, upright and without any notes.
 * Anything else, and what cannot be read here, comes back as it was.
 */
export async function preparePicture(file: File, accepted: readonly string[]): Promise<File> {
  if (
    !accepted.includes('image/jpeg') ||
    !(isHeic(file) || file.type === 'image/jpeg' || file.type === 'image/png')
  )
    return file;
  const isPlain = !isHeic(file) && !(await hasTail(file)) && !(await hasNotes(file));
  const picture = isPlain && file.size <= mostBytes / 4 ? undefined : await decode(file);
  if (!picture) return file;
  try {
    const isSmall =
      file.size <= mostBytes && Math.max(picture.width, picture.height) <= longestSide;
    if (isPlain && isSmall) return file;
    const canvas = draw(picture);
    const drawn =
      canvas &&
      (await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality)));
    if (!drawn || (isPlain && drawn.size >= file.size)) return file;
    return new File([drawn], jpegName(file.name), {
      type: 'image/jpeg',
      lastModified: file.lastModified,
    });
  } finally {
    picture.close();
  }
}
