import { useEffect, useRef, useState } from 'react';
import { completePartnerDocument, createPartnerDocument, renewPartnerUpload, partnerDocumentBytes, partnerDocumentTypes, type PartnerDocumentName } from '@diwan/contract/partner-registration';
import { messageOf } from '../../lib/handle-error.ts';
import { sendDocument } from '../../lib/send-document.ts';
import { send } from '../../lib/send.ts';
import { SendError } from '../../lib/send-error.ts';
import type { FileItem } from '../../ui/file-row.tsx';

interface Sent extends FileItem {
  file: File;
  documentId?: string;
}

type Files = Partial<Record<PartnerDocumentName, Sent>>;

const byEnding: Record<string, string> = { pdf: 'application/pdf', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png' };

// Some systems name no type; the server judges by the content anyway.
const typeOf = (file: File): string => file.type || (byEnding[file.name.split('.').at(-1)?.toLowerCase() ?? ''] ?? '');

/** Refused here what the server would refuse after the transfer. */
function refusalOf(file: File): 'AttachmentEmpty' | 'AttachmentTooLarge' | 'AttachmentTypeNotAccepted' | undefined {
  if (file.size === 0) return 'AttachmentEmpty';
  if (file.size > partnerDocumentBytes) return 'AttachmentTooLarge';
  return partnerDocumentTypes.some((type) => type === typeOf(file)) ? undefined : 'AttachmentTypeNotAccepted';
}

/** Documents of a service provider on their way: one of each name, each sent as soon as it is chosen. `wordsOf` says a refusal by its name. */
export function useProviderDocuments(wordsOf: (refusal: string) => string) {
  const [files, setFiles] = useState<Files>({});
  const running = useRef(new Map<PartnerDocumentName, AbortController>());
  const put = (name: PartnerDocumentName, sent: Sent | undefined) => setFiles((all) => ({ ...all, [name]: sent }));
  const patch = (name: PartnerDocumentName, id: string, part: Partial<Sent>) => setFiles((all) => (all[name]?.id === id ? { ...all, [name]: { ...all[name], ...part } } : all));
  useEffect(() => {
    const controllers = running.current;
    return () => controllers.forEach((controller) => controller.abort());
  }, []);

  async function start(name: PartnerDocumentName, file: File): Promise<void> {
    const id = crypto.randomUUID();
    const refusal = refusalOf(file);
    put(name, { id, file, name: file.name, size: file.size, progress: 0, state: refusal ? 'failed' : 'queued', isFinal: refusal !== undefined, ...(refusal ? { error: wordsOf(refusal) } : {}) });
    if (refusal) return;
    const controller = new AbortController();
    running.current.set(name, controller);
    const { signal } = controller;
    try {
      const options = { signal, skipErrorHandling: true };
      const { id: documentId } = await sendDocument(file, {
        announce: async () => {
          const announced = await send(createPartnerDocument, { body: { name, fileName: file.name, mediaType: typeOf(file), size: file.size }, ...options });
          return { id: announced.documentId, upload: announced.upload };
        },
        renew: (known) => send(renewPartnerUpload, { params: { documentId: known }, ...options }),
        complete: (known) => send(completePartnerDocument, { params: { documentId: known }, ...options }),
      }, { onBegun: () => undefined, onStage: (state) => patch(name, id, { state }), onProgress: (progress) => patch(name, id, { progress }), signal });
      patch(name, id, { state: 'done', documentId });
    } catch (error) {
      if (!signal.aborted) patch(name, id, { state: 'failed', error: messageOf(error instanceof SendError ? error : undefined) });
    }
  }

  const remove = (name: PartnerDocumentName) => {
    running.current.get(name)?.abort();
    put(name, undefined);
  };
  return {
    fileOf: (name: PartnerDocumentName): FileItem[] => (files[name] ? [files[name]] : []),
    add: (name: PartnerDocumentName, added: readonly File[]) => { if (added[0]) void start(name, added[0]); },
    remove,
    retry: (name: PartnerDocumentName) => { const failed = files[name]; if (failed) void start(name, failed.file); },
    isSending: Object.values(files).some((file) => file !== undefined && file.state !== 'done' && file.state !== 'failed'),
    isThere: (name: PartnerDocumentName) => files[name]?.documentId !== undefined,
    documentIds: Object.values(files).flatMap((file) => file?.documentId ?? []),
  };
}

export type ProviderDocuments = ReturnType<typeof useProviderDocuments>;
