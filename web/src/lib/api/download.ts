import { downloadFile } from '@diwan/contract/requests/attachments';
import { saveContent } from '../browser/save-file.ts';
import { errorFromReply, ApiError } from './api-error.ts';
import { networkError } from './fetch-call.ts';
import { sendForFile } from './send.ts';

/** Fetches a signed address of blob storage as it is. Source: specification §7. */
async function fetchSigned(address: string): Promise<Blob> {
  try {
    const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (!response.ok) throw errorFromReply(response.status, undefined);
    return await response.blob();
  } catch (error) {
    throw error instanceof ApiError ? error : networkError(error);
  }
}

/** The content of a document, by its opaque reference or by a signed address of blob storage. */
export function download(filePath: string): Promise<Blob> {
  return /^https?:\/\//.test(filePath)
    ? fetchSigned(filePath)
    : sendForFile(downloadFile, { query: { filePath } });
}

/** Saves a document by the browser's own download. */
export async function saveFile(filePath: string, fileName: string): Promise<void> {
  saveContent(await download(filePath), fileName);
}
