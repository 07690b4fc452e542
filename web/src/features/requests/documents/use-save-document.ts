import { useState } from 'react';
import type { Attachment } from '@diwan/contract/requests/attachments';
import { saveFile } from '../../../lib/api/download.ts';

interface SaveOptions {
  /** Reads the record again: the next attempt gets a new reference. */
  reload: () => Promise<unknown>;
  onSaved?: ((attachment: Attachment) => void) | undefined;
}

/** Hands a document to the browser's own download, and knows whether that failed. */
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
