import { useEffect, useRef, useState } from 'react';
import {
  completePartnerDocument,
  createPartnerDocument,
  renewPartnerUpload,
  partnerDocumentBytes,
  partnerDocumentTypes,
  type PartnerDocumentName,
} from '@diwan/contract/people/partner-registration';
import { findBegun, forgetBegun, type BegunUpload } from '../../lib/uploads/begun-uploads.ts';
import { findFileRefusal, mediaTypeOf, prepareFile } from '../../lib/uploads/chosen-file.ts';
import { useFileWords } from '../../lib/uploads/file-words.ts';
import { goToLogin, messageOf } from '../../lib/api/handle-error.ts';
import type { DocumentCalls } from '../../lib/uploads/send-document.ts';
import { SendError } from '../../lib/api/send-error.ts';
import { isFinalRefusal, sendRemembered } from '../../lib/uploads/send-remembered.ts';
import { send } from '../../lib/api/send.ts';
import { useSession } from '../../lib/api/session.ts';
import type { FileItem } from '../../ui/files/file-row.tsx';

interface Sent extends FileItem {
  file: File;
  documentId?: string;
}

type Files = Partial<Record<PartnerDocumentName, Sent>>;

const limits = { mediaTypes: partnerDocumentTypes, maximumBytes: partnerDocumentBytes };

function documentCalls(
  name: PartnerDocumentName,
  file: File,
  signal: AbortSignal,
): DocumentCalls<unknown> {
  const options = { signal, skipErrorHandling: true };
  return {
    announce: async () => {
      const { documentId, upload } = await send(createPartnerDocument, {
        body: { name, fileName: file.name, mediaType: mediaTypeOf(file), size: file.size },
        ...options,
      });
      return { id: documentId, upload };
    },
    renew: (documentId) => send(renewPartnerUpload, { params: { documentId }, ...options }),
    complete: (documentId) => send(completePartnerDocument, { params: { documentId }, ...options }),
  };
}

const unfinishedItem = ({ id, fileName, size }: BegunUpload): FileItem => ({
  id,
  name: fileName,
  size,
  state: 'unfinished',
  progress: 0,
});

/**
 * Documents of a service provider on their way: one of each name, each sent as soon as it is
 * chosen.
 */
export function useProviderDocuments() {
  const place = `${useSession()?.ssid ?? ''}:provider`;
  const words = useFileWords();
  const [files, setFiles] = useState<Files>({});
  const [unfinished, setUnfinished] = useState<readonly BegunUpload[]>(() => findBegun(place));
  const running = useRef(new Map<PartnerDocumentName, AbortController>());
  const put = (name: PartnerDocumentName, sent: Sent | undefined) =>
    setFiles((all) => ({ ...all, [name]: sent }));
  const patch = (name: PartnerDocumentName, id: string, part: Partial<Sent>) =>
    setFiles((all) => (all[name]?.id === id ? { ...all, [name]: { ...all[name], ...part } } : all));
  useEffect(() => {
    const controllers = running.current;
    // What was begun stays begun: the same file goes on when the person is back.
    return () => controllers.forEach((controller) => controller.abort());
  }, []);

  async function start(name: PartnerDocumentName, chosen: File): Promise<void> {
    const id = crypto.randomUUID();
    const controller = new AbortController();
    const { signal } = controller;
    running.current.get(name)?.abort();
    running.current.set(name, controller);
    put(name, {
      id,
      file: chosen,
      name: chosen.name,
      size: chosen.size,
      progress: 0,
      state: 'queued',
    });
    setUnfinished((all) => all.filter((each) => each.name !== name));
    try {
      const file = await prepareFile(chosen, limits);
      const refusal = findFileRefusal(file, limits);
      if (refusal)
        return patch(name, id, {
          state: 'failed',
          isFinal: true,
          error: words.refusal(refusal, file.size, limits),
        });
      patch(name, id, { name: file.name, size: file.size });
      const { id: documentId } = await sendRemembered(file, documentCalls(name, file, signal), {
        place,
        name,
        signal,
        onBegun: () => undefined,
        onStage: (state) => patch(name, id, { state }),
        onProgress: (progress) => patch(name, id, { progress }),
      });
      patch(name, id, { state: 'done', documentId });
    } catch (error) {
      if (error instanceof SendError && error.status === 401) goToLogin();
      if (!signal.aborted)
        patch(name, id, {
          state: 'failed',
          isFinal: isFinalRefusal(error),
          error: messageOf(error instanceof SendError ? error : undefined),
        });
    }
  }

  const remove = (name: PartnerDocumentName) => {
    running.current.get(name)?.abort();
    put(name, undefined);
    for (const begun of findBegun(place)) if (begun.name === name) forgetBegun(begun.id);
    setUnfinished((all) => all.filter((each) => each.name !== name));
  };
  return {
    fileOf: (name: PartnerDocumentName): FileItem[] =>
      files[name]
        ? [files[name]]
        : unfinished
            .filter((each) => each.name === name)
            .slice(-1)
            .map(unfinishedItem),
    // A file that was refused or broke off leaves its place free for another one.
    roomFor: (name: PartnerDocumentName) =>
      1 +
      (files[name]
        ? Number(files[name].state === 'failed')
        : Number(unfinished.some((each) => each.name === name))),
    add: (name: PartnerDocumentName, added: readonly File[]) => {
      if (added[0]) void start(name, added[0]);
    },
    remove,
    retry: (name: PartnerDocumentName) => {
      const failed = files[name];
      if (failed) void start(name, failed.file);
    },
    isSending: Object.values(files).some(
      (file) => file !== undefined && file.state !== 'done' && file.state !== 'failed',
    ),
    isThere: (name: PartnerDocumentName) => files[name]?.documentId !== undefined,
    documentIds: Object.values(files).flatMap((file) => file?.documentId ?? []),
  };
}
