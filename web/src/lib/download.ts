import { downloadFile } from '@diwan/contract/attachments';
import { sendForFile } from './send.ts';
import { errorFromReply, SendError } from './send-error.ts';
import { faultOnTheWay } from './transmit.ts';

/** A signed address of blob storage, left untouched. Source: specification §7. */
async function fetchElsewhere(address: string): Promise<Blob> {
  try {
    const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (!response.ok) throw errorFromReply(response.status, undefined);
    return await response.blob();
  } catch (error) {
    throw error instanceof SendError ? error : faultOnTheWay(error);
  }
}

/** The content of a document by its opaque reference, or by its signed address elsewhere. */
export function download(filePath: string): Promise<Blob> {
  return /^https?:\/\//.test(filePath) ? fetchElsewhere(filePath) : sendForFile(downloadFile, { query: { filePath } });
}

/** Hands a document to the browser's own download. */
export async function saveFile(filePath: string, fileName: string): Promise<void> {
  const address = URL.createObjectURL(await download(filePath));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the address after this turn.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
