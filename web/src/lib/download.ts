import { downloadFile } from '@diwan/contract/attachments';
import { sendForFile } from './send.ts';

/** The content of a document by its opaque reference. */
export function download(filePath: string): Promise<Blob> {
  return sendForFile(downloadFile, { query: { filePath } });
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
