import { findBegun, forgetBegun, isSameFile, rememberBegun } from './begun-uploads.ts';
import { SendError } from '../api/send-error.ts';
import { sendDocument, type DocumentCalls, type SendingOptions } from './send-document.ts';

interface RememberedOptions extends Omit<SendingOptions, 'begunId'> {
  /** What it belongs to, such as a service's form of one person. */
  place: string;
  /** Which document it is. */
  name: string;
}

/** The server has looked at it and does not take it. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof SendError && error.status >= 400 && error.status < 500 && error.status !== 401
  );
}

/** The same file would be refused again. */
export function isFinalRefusal(error: unknown): boolean {
  return (
    error instanceof SendError && error.status === 400 && error.name !== 'AttachmentIncomplete'
  );
}

/**
 * Sends a file, and goes on where a reload or the end of the page broke off the very same one. It
 * is forgotten once it is there or refused.
 */
export async function sendRemembered<Received>(
  file: File,
  calls: DocumentCalls<Received>,
  { place, name, onBegun, ...options }: RememberedOptions,
): Promise<{ id: string; received: Received }> {
  let begunId = findBegun(place).find(
    (begun) => begun.name === name && isSameFile(begun, file),
  )?.id;
  try {
    const sent = await sendDocument(file, calls, {
      ...options,
      begunId,
      onBegun: (id) => {
        begunId = id;
        rememberBegun({
          id,
          place,
          name,
          fileName: file.name,
          size: file.size,
          lastModified: file.lastModified,
        });
        onBegun(id);
      },
    });
    forgetBegun(sent.id);
    return sent;
  } catch (error) {
    if (begunId !== undefined && isRefused(error)) forgetBegun(begunId);
    throw error;
  }
}
