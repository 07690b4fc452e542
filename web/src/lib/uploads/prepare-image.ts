// In pixels; enough to read the small print of an A4 page.
const maximumSide = 3000;
const maximumBytes = 2.5 * 1024 * 1024;
const quality = 0.85;

async function decode(file: File): Promise<ImageBitmap | undefined> {
  try {
    // Applies the rotation in the metadata, so that every program shows the picture upright.
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return undefined;
  }
}

// Some cameras append a video or metadata after the end of the picture, which the server refuses.
async function hasTrailingData(file: File): Promise<boolean> {
  if (file.type !== 'image/jpeg') return false;
  const [first, second] = new Uint8Array(await file.slice(-2).arrayBuffer());
  return first !== 0xff || second !== 0xd9;
}

// EXIF holds place, time and camera, and the rotation, which some programs ignore.
async function hasMetadata(file: File): Promise<boolean> {
  return (
    file.type === 'image/jpeg' &&
    new TextDecoder('latin1').decode(await file.slice(0, 65_536).arrayBuffer()).includes('Exif\0\0')
  );
}

const jpegName = (name: string) => `${name.replace(/\.[^.]{1,5}$/, '') || 'photo'}.jpg`;

function draw(picture: ImageBitmap): HTMLCanvasElement | undefined {
  const scale = Math.min(1, maximumSide / Math.max(picture.width, picture.height));
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

async function encode(picture: ImageBitmap): Promise<Blob | null> {
  const canvas = draw(picture);
  if (!canvas) return null;
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

/**
 * Redraws a picture as JPEG, upright and without metadata, when it is large, has metadata, or has a
 * format that only this browser reads. Returns any other file, and one that it cannot read, as it
 * is.
 */
export async function prepareImage(
  file: File,
  accepted: readonly string[],
  isHeic: boolean,
): Promise<File> {
  if (!accepted.includes('image/jpeg')) return file;
  const isPlain = !isHeic && !(await hasTrailingData(file)) && !(await hasMetadata(file));
  if (isPlain && file.size <= maximumBytes / 4) return file;
  const picture = await decode(file);
  if (!picture) return file;
  try {
    const side = Math.max(picture.width, picture.height);
    if (isPlain && file.size <= maximumBytes && side <= maximumSide) return file;
    const encoded = await encode(picture);
    if (!encoded || (isPlain && encoded.size >= file.size)) return file;
    return new File([encoded], jpegName(file.name), {
      type: 'image/jpeg',
      lastModified: file.lastModified,
    });
  } finally {
    picture.close();
  }
}
