import { useState } from 'react';
import { saveFile } from '#lib/api/download.ts';
import type { Attachment } from '@diwan/contract/requests/attachments';

interface SaveOptions {
  /** Loads the record again, so that the next attempt has a new reference. */
  reload: () => Promise<unknown>;
  onSaved?: ((attachment: Attachment) => void) | undefined;
}

/** Downloads a document with the browser, and says whether that failed. */
export function useSaveDocument(attachment: Attachment, { reload, onSaved }: SaveOptions) {
  const [hasFailed, setHasFailed] = useState(false);
  const save = async () => {
    try {
      await saveFile(attachment.filePath, attachment.fileName);
      setHasFailed(false);
      onSaved?.(attachment);
    } catch {
      setHasFailed(true);
      await reload();
    }
  };
  return { hasFailed, save };
}
