import { useEffect, useRef, useState } from 'react';
import { completeAttachment, type ScanState } from '@diwan/contract/requests/attachments';
import { SendError } from '../../../lib/api/send-error.ts';
import { send } from '../../../lib/api/send.ts';
import type { UploadedDocument } from '../drafts/draft.ts';

const againMs = 5000;

async function ask(attachmentId: string): Promise<ScanState | undefined> {
  try {
    return (await send(completeAttachment, { params: { attachmentId }, skipErrorHandling: true }))
      .scanState;
  } catch (error) {
    if (error instanceof SendError && error.name === 'AttachmentInfected') return 'infected';
    // A colleague's document is not ours to ask about; without a connection it is asked when there
    // is one.
    return error instanceof SendError && error.status === 0 ? undefined : 'notScanned';
  }
}

/**
 * What is known of harmful content in documents: asked once of each, and again while a scan is
 * waited for.
 */
export function useScanStates(documents: readonly UploadedDocument[]) {
  const [states, setStates] = useState<Readonly<Record<string, ScanState>>>({});
  const asked = useRef(new Set<string>());
  const open = documents
    .map(({ attachmentId }) => attachmentId)
    .filter((id) => states[id] === undefined || states[id] === 'waiting')
    .join(' ');
  useEffect(() => {
    if (open === '') return;
    const askAll = () => {
      for (const id of open.split(' ').filter((each) => !asked.current.has(each))) {
        asked.current.add(id);
        void ask(id).then((state) => {
          asked.current.delete(id);
          if (state !== undefined) setStates((all) => ({ ...all, [id]: state }));
        });
      }
    };
    askAll();
    const timer = window.setInterval(askAll, againMs);
    return () => window.clearInterval(timer);
  }, [open]);
  return {
    scanOf: (id: string) => states[id],
    note: (id: string, state: ScanState) => setStates((all) => ({ ...all, [id]: state })),
  };
}
