import { useEffect, useRef, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { goToLogin, messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { useFileTexts } from '#lib/uploads/file-texts.ts';
import { isFinalRefusal } from '#lib/uploads/resume.ts';
import { findFileRefusal, mediaTypeOf, prepareFile } from '#lib/uploads/select-file.ts';
import { uploadDocument, type DocumentCalls } from '#lib/uploads/upload-document.ts';
import type { FileItem } from '#ui/files/file-row.tsx';
import {
  complaintDocumentLimits,
  completeComplaintDocument,
  createComplaintDocument,
  renewComplaintUpload,
} from '@diwan/contract/content/complaint-documents';

interface Sent extends FileItem {
  file: File;
  documentId?: string;
}

function documentCalls(file: File, signal: AbortSignal): DocumentCalls<unknown> {
  const options = { signal, skipErrorHandling: true };
  return {
    announce: async () => {
      const { documentId, upload } = await send(createComplaintDocument, {
        body: { fileName: file.name, mediaType: mediaTypeOf(file), size: file.size },
        ...options,
      });
      return { id: documentId, upload };
    },
    renew: (documentId) => send(renewComplaintUpload, { params: { documentId }, ...options }),
    complete: (documentId) =>
      send(completeComplaintDocument, { params: { documentId }, ...options }),
  };
}

/** Files for a complaint or an answer, sent as soon as they are selected. */
export function useComplaintFiles() {
  const fileTexts = useFileTexts();
  const [files, setFiles] = useState<readonly Sent[]>([]);
  const running = useRef(new Map<string, AbortController>());
  const patch = (id: string, part: Partial<Sent>) =>
    setFiles((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
  useEffect(() => {
    const controllers = running.current;
    return () => controllers.forEach((controller) => controller.abort());
  }, []);

  async function start(id: string, chosen: File): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.current.set(id, controller);
    try {
      const file = await prepareFile(chosen, complaintDocumentLimits);
      const refusal = findFileRefusal(file, complaintDocumentLimits);
      if (refusal)
        return patch(id, {
          state: 'failed',
          isFinal: true,
          error: fileTexts.refusal(refusal, file, complaintDocumentLimits),
        });
      patch(id, { name: file.name, size: file.size });
      const { id: documentId } = await uploadDocument(file, documentCalls(file, signal), {
        signal,
        onStarted: () => undefined,
        onStage: (state) => patch(id, { state }),
        onProgress: (progress) => patch(id, { progress }),
      });
      patch(id, { state: 'done', documentId });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) goToLogin();
      if (!signal.aborted)
        patch(id, {
          state: 'failed',
          isFinal: isFinalRefusal(error),
          error: messageOf(error instanceof ApiError ? error : undefined),
        });
    }
  }

  const remove = (id: string) => {
    running.current.get(id)?.abort();
    setFiles((all) => all.filter((each) => each.id !== id));
  };
  return {
    documentIds: files.flatMap(({ documentId }) => documentId ?? []),
    /** A file that is on its way, or that failed, is not sent with the complaint. */
    isReady: files.every(({ state }) => state === 'done'),
    field: {
      accept: complaintDocumentLimits.mediaTypes,
      maximumCount: complaintDocumentLimits.maximumCount,
      description: fileTexts.limits(complaintDocumentLimits),
      files,
      onAdd: (added: readonly File[]) => {
        for (const file of added) {
          const id = crypto.randomUUID();
          const { name, size } = file;
          setFiles((all) => [...all, { id, file, name, size, progress: 0, state: 'queued' }]);
          void start(id, file);
        }
      },
      onCancel: remove,
      onRemove: remove,
      onRetry: (id: string) => {
        const failed = files.find((each) => each.id === id);
        if (!failed) return;
        patch(id, { state: 'queued', progress: 0 });
        void start(id, failed.file);
      },
    },
  };
}
