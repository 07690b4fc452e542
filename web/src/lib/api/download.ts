import { downloadFile } from '@diwan/contract/requests/attachments';
import { saveContent } from '../browser/save-content.ts';
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
  return /^https?:\/\//.test(filePath)
    ? fetchElsewhere(filePath)
    : sendForFile(downloadFile, { query: { filePath } });
}

/** Hands a document to the browser's own download. */
export async function saveFile(filePath: string, fileName: string): Promise<void> {
  saveContent(await download(filePath), fileName);
}
