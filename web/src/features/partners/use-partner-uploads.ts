import { useEffect, useRef, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { goToLogin, messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { useSession } from '#lib/api/session.ts';
import { useFileTexts } from '#lib/uploads/file-texts.ts';
import {
  findUnfinishedUploads,
  removeUnfinishedUpload,
  type UnfinishedUpload,
  isFinalRefusal,
  uploadWithResume,
} from '#lib/uploads/resume.ts';
import { findFileRefusal, mediaTypeOf, prepareFile } from '#lib/uploads/select-file.ts';
import type { DocumentCalls } from '#lib/uploads/upload-document.ts';
import type { FileItem } from '#ui/files/file-row.tsx';
import {
  completePartnerDocument,
  createPartnerDocument,
  renewPartnerUpload,
  partnerDocumentBytes,
  partnerDocumentTypes,
  type PartnerDocumentName,
} from '@diwan/contract/people/partner-registration';

interface Sent extends FileItem {
  file: File;
  documentId?: string;
}

type Files = Partial<Record<PartnerDocumentName, Sent>>;

const uploadLimits = { mediaTypes: partnerDocumentTypes, maximumBytes: partnerDocumentBytes };

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

const unfinishedItem = ({ id, fileName, size }: UnfinishedUpload): FileItem => ({
  id,
  name: fileName,
  size,
  state: 'unfinished',
  progress: 0,
});

/**
 * Uploads of the documents of a service provider: one file for each name, sent as soon as it is
 * selected.
 */
export function usePartnerUploads() {
  const place = `${useSession()?.ssid ?? ''}:provider`;
  const fileTexts = useFileTexts();
  const [files, setFiles] = useState<Files>({});
  const [unfinished, setUnfinished] = useState<readonly UnfinishedUpload[]>(() =>
    findUnfinishedUploads(place),
  );
  const running = useRef(new Map<PartnerDocumentName, AbortController>());
  const put = (name: PartnerDocumentName, sent: Sent | undefined) =>
    setFiles((all) => ({ ...all, [name]: sent }));
  const patch = (name: PartnerDocumentName, id: string, part: Partial<Sent>) =>
    setFiles((all) => (all[name]?.id === id ? { ...all, [name]: { ...all[name], ...part } } : all));
  useEffect(() => {
    const controllers = running.current;
    // Unfinished uploads can be resumed with the same file.
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
      const file = await prepareFile(chosen, uploadLimits);
      const refusal = findFileRefusal(file, uploadLimits);
      if (refusal)
        return patch(name, id, {
          state: 'failed',
          isFinal: true,
          error: fileTexts.refusal(refusal, file, uploadLimits),
        });
      patch(name, id, { name: file.name, size: file.size });
      const { id: documentId } = await uploadWithResume(file, documentCalls(name, file, signal), {
        place,
        name,
        signal,
        onStarted: () => undefined,
        onStage: (state) => patch(name, id, { state }),
        onProgress: (progress) => patch(name, id, { progress }),
      });
      patch(name, id, { state: 'done', documentId });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) goToLogin();
      if (!signal.aborted)
        patch(name, id, {
          state: 'failed',
          isFinal: isFinalRefusal(error),
          error: messageOf(error instanceof ApiError ? error : undefined),
        });
    }
  }

  const remove = (name: PartnerDocumentName) => {
    running.current.get(name)?.abort();
    put(name, undefined);
    for (const upload of findUnfinishedUploads(place))
      if (upload.name === name) removeUnfinishedUpload(upload.id);
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
    // A failed or unfinished file can be replaced by another one.
    maximumCountOf: (name: PartnerDocumentName) =>
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
