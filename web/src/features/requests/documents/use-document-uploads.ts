import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { goToLogin } from '#lib/api/handle-error.ts';
import { send, sendForFile } from '#lib/api/send.ts';
import { useSession } from '#lib/api/session.ts';
import { useLeaveWarning } from '#lib/browser/interaction.ts';
import { inspectPicture, type InspectedPicture } from '#lib/uploads/inspect-picture.ts';
import {
  findUnfinishedUploads,
  removeUnfinishedUpload,
  isSameFile,
  type UnfinishedUpload,
  isRefused,
  uploadWithResume,
} from '#lib/uploads/resume.ts';
import {
  findFileRefusal,
  prepareFile,
  type FileRefusal,
  mediaTypeOf,
} from '#lib/uploads/select-file.ts';
import type { UploadStage, DocumentCalls } from '#lib/uploads/upload-document.ts';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import {
  completeAttachment,
  createAttachment,
  deleteAttachment,
  downloadFile,
  renewUpload,
} from '@diwan/contract/requests/attachments';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { ScanState } from '@diwan/contract/wire/uploads';
import { toUploadedDocument, type UploadedDocument } from './uploaded-documents.ts';

/** A file that is being uploaded, or whose upload failed. */
export interface PendingDocument {
  id: string;
  name: string;
  file: File;
  progress: number;
  /** `preparing`: an image is being reduced in size before the upload. */
  stage: UploadStage | 'preparing';
  refusal?: FileRefusal | undefined;
  error?: unknown;
}

export interface DocumentUploadsState {
  documents: readonly UploadedDocument[];
  pending: readonly PendingDocument[];
  /** Interrupted uploads of an earlier visit. Selecting the same file again resumes them. */
  unfinished: readonly UnfinishedUpload[];
  isBusy: boolean;
  /** The result of the virus scan of a document; undefined while loading. */
  scanOf: (attachmentId: string) => ScanState | undefined;
  /** The small picture of a document that was chosen on this page, or for which `loadPictures` was called. */
  pictureOf: (attachmentId: string) => InspectedPicture | undefined;
  /** Loads the small pictures of images that were uploaded on an earlier visit. */
  loadPictures: (attachmentIds: readonly string[]) => void;
  add: (rule: AttachmentRule, files: readonly File[]) => void;
  /** Cancels or removes, by the id of a pending file, an unfinished upload or a document. */
  remove: (id: string) => void;
  retry: (id: string) => void;
}

interface UploadOptions {
  serviceId: number;
  requestId?: number;
  rules: readonly AttachmentRule[];
  value: readonly UploadedDocument[];
  /** Gets an update function, because several uploads may end at the same time. */
  onChange: (update: (before: readonly UploadedDocument[]) => UploadedDocument[]) => void;
}

const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

// The code that draws PDFs loads with the first one, except where the user saves data.
async function inspectDocument(file: File): Promise<InspectedPicture | undefined> {
  if (mediaTypeOf(file) !== 'application/pdf') return inspectPicture(file);
  return savesData() ? undefined : (await import('./pdf-preview.ts')).inspectPdf(file);
}

const hasFailed = (each: PendingDocument): boolean =>
  each.refusal !== undefined || each.error !== undefined;

/** The files that are on their way or have failed. */
function usePendingDocuments() {
  const [pending, setPending] = useState<readonly PendingDocument[]>([]);
  return {
    pending,
    /** New files for a rule replace those that have failed. */
    append: (name: string, files: readonly File[]) => {
      const added = files.map((file): PendingDocument => ({
        id: crypto.randomUUID(),
        name,
        file,
        progress: 0,
        stage: 'preparing',
      }));
      setPending((all) => [
        ...all.filter((each) => each.name !== name || !hasFailed(each)),
        ...added,
      ]);
      return added;
    },
    patch: (id: string, part: Partial<PendingDocument>) =>
      setPending((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each))),
    drop: (id: string) => setPending((all) => all.filter((each) => each.id !== id)),
  };
}

/** The interrupted uploads of earlier visits to this form. */
function useUnfinishedUploads(uploadScope: string) {
  const [unfinished, setUnfinished] = useState<readonly UnfinishedUpload[]>(() =>
    findUnfinishedUploads(uploadScope),
  );
  return {
    unfinished,
    forget: (id: string) => {
      removeUnfinishedUpload(id);
      setUnfinished((all) => all.filter((each) => each.id !== id));
    },
    /** The upload of this file continues. */
    resume: (name: string, file: File) =>
      setUnfinished((all) => all.filter((each) => each.name !== name || !isSameFile(each, file))),
  };
}

/** Uploads documents of a request, with progress, resumption and virus scan. */
export function useDocumentUploads({
  serviceId,
  requestId,
  rules,
  value,
  onChange,
}: UploadOptions): DocumentUploadsState {
  const uploadScope = `${useSession()?.ssid ?? ''}:${serviceId}:${requestId ?? ''}`;
  const { pending, append, patch, drop } = usePendingDocuments();
  const { unfinished, forget, resume } = useUnfinishedUploads(uploadScope);
  const controllers = useRef(new Map<string, AbortController>());
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const { scanOf, setScanState } = useScanStates(value);
  const { pictures, keepPicture, loadPictures } = usePictures();

  async function start(id: string, rule: AttachmentRule, chosen: File): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const { name } = rule;
    controllers.current.set(id, controller);
    let attachmentId: string | undefined;
    try {
      const file = await prepareFile(chosen, rule);
      const refusal = findFileRefusal(file, rule);
      if (refusal) return patch(id, { refusal, file });
      patch(id, { file });
      resume(name, file);
      const { received } = await uploadWithResume(
        file,
        attachmentCalls({ serviceId, requestId, name, file }, signal),
        {
          place: uploadScope,
          name,
          signal,
          onStarted: (id) => (attachmentId = id),
          onStage: (stage) => patch(id, { stage }),
          onProgress: (progress) => patch(id, { progress }),
        },
      );
      forget(received.attachmentId);
      setScanState(received.attachmentId, received.scanState);
      drop(id);
      void keepPicture(received.attachmentId, () => inspectDocument(file));
      latest.current((before) => [...before, toUploadedDocument({ ...received, name })]);
    } catch (error) {
      // Without a session the login page opens. Leaving this page aborts the other uploads.
      if (hasNoSession(error)) goToLogin();
      const isCancelled = signal.reason === 'cancelled';
      // An upload that was interrupted for another reason can be resumed later.
      if (attachmentId !== undefined && (isCancelled || isRefused(error))) {
        forget(attachmentId);
        discardAttachment(attachmentId);
      }
      if (isCancelled) drop(id);
      else if (!signal.aborted) patch(id, { error });
    } finally {
      controllers.current.delete(id);
    }
  }

  const isBusy = pending.some((each) => !hasFailed(each));
  useLeaveWarning(isBusy);
  useEffect(() => {
    const running = controllers.current;
    // Aborted uploads can be resumed with the same file on the next visit.
    return () => running.forEach((controller) => controller.abort('left'));
  }, []);

  return {
    documents: value,
    pending,
    unfinished,
    isBusy,
    scanOf,
    pictureOf: (attachmentId) => pictures[attachmentId],
    loadPictures,
    add: (rule, files) => {
      for (const { id, file } of append(rule.name, files)) void start(id, rule, file);
    },
    remove: (id) => {
      controllers.current.get(id)?.abort('cancelled');
      drop(id);
      const isUnfinished = unfinished.some((each) => each.id === id);
      if (isUnfinished) forget(id);
      else if (value.some((each) => each.attachmentId === id))
        latest.current((before) => before.filter((each) => each.attachmentId !== id));
      else return;
      discardAttachment(id);
    },
    retry: (id) => {
      const failed = pending.find((each) => each.id === id);
      const rule = rules.find((each) => each.name === failed?.name);
      if (!failed || !rule) return;
      patch(id, { error: undefined, refusal: undefined, progress: 0, stage: 'preparing' });
      void start(id, rule, failed.file);
    },
  };
}

interface AnnouncedFile {
  serviceId: number;
  requestId: number | undefined;
  name: string;
  file: File;
}

/** The calls that upload a document of a request. */
function attachmentCalls(
  { serviceId, requestId, name, file }: AnnouncedFile,
  signal: AbortSignal,
): DocumentCalls<ReplyOf<typeof completeAttachment>> {
  const options = { signal, skipErrorHandling: true };
  return {
    announce: async () => {
      const { attachmentId, upload } = await send(createAttachment, {
        body: {
          serviceId,
          requestId,
          name,
          fileName: file.name,
          mediaType: mediaTypeOf(file),
          size: file.size,
        },
        ...options,
      });
      return { id: attachmentId, upload };
    },
    renew: (attachmentId) => send(renewUpload, { params: { attachmentId }, ...options }),
    complete: (attachmentId) => send(completeAttachment, { params: { attachmentId }, ...options }),
  };
}

function hasNoSession(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Deletes an attachment without waiting. The server deletes unused files later in any case. */
function discardAttachment(attachmentId: string): void {
  void send(deleteAttachment, { params: { attachmentId }, skipErrorHandling: true }).catch(
    (error: unknown) => {
      if (hasNoSession(error)) goToLogin();
    },
  );
}

// The reference of a document is short-lived, so that each picture asks for its own.
async function fetchPicture(attachmentId: string): Promise<InspectedPicture | undefined> {
  const options = { skipErrorHandling: true };
  const { filePath, mediaType } = await send(completeAttachment, {
    params: { attachmentId },
    ...options,
  });
  const content = await sendForFile(downloadFile, { query: { filePath }, ...options });
  return inspectPicture(new Blob([content], { type: mediaType }));
}

/** The small pictures of documents: of files chosen on this page, and of pictures sent before. */
function usePictures() {
  const [pictures, setPictures] = useState<Readonly<Record<string, InspectedPicture>>>({});
  const begun = useRef(new Set<string>());
  const loading = useRef<Promise<void>>(Promise.resolve());
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  const keepPicture = useCallback(
    async (attachmentId: string, inspect: () => Promise<InspectedPicture | undefined>) => {
      begun.current.add(attachmentId);
      try {
        const picture = await inspect();
        if (picture) setPictures((all) => ({ ...all, [attachmentId]: picture }));
      } catch {
        // The next time the document is shown tries again.
        begun.current.delete(attachmentId);
      }
    },
    [],
  );
  const loadPictures = useCallback(
    (attachmentIds: readonly string[]) => {
      if (savesData()) return;
      // One after the other: the picture of a document is larger than everything else on the page.
      for (const attachmentId of attachmentIds.filter((id) => !begun.current.has(id))) {
        begun.current.add(attachmentId);
        loading.current = loading.current.then(() =>
          isGone.current ? undefined : keepPicture(attachmentId, () => fetchPicture(attachmentId)),
        );
      }
    },
    [keepPicture],
  );
  return { pictures, keepPicture, loadPictures };
}

/** Loads the small pictures of documents while they are shown. */
export function useLoadedPictures(
  loadPictures: DocumentUploadsState['loadPictures'] | undefined,
  documents: readonly UploadedDocument[],
): void {
  const ids = documents
    .filter(({ mediaType }) => mediaType.startsWith('image/'))
    .map(({ attachmentId }) => attachmentId)
    .join(' ');
  useEffect(() => {
    if (ids !== '') loadPictures?.(ids.split(' '));
  }, [loadPictures, ids]);
}

const pollMs = 5000;

async function fetchScanState(attachmentId: string): Promise<ScanState | undefined> {
  try {
    return (await send(completeAttachment, { params: { attachmentId }, skipErrorHandling: true }))
      .scanState;
  } catch (error) {
    if (error instanceof ApiError && error.name === 'AttachmentInfected') return 'infected';
    // Another user's document may not be queried. Without a connection the next poll tries again.
    return error instanceof ApiError && error.status === 0 ? undefined : 'notScanned';
  }
}

/** The results of the virus scans. Each is loaded once, and polled while the scan is waiting. */
function useScanStates(documents: readonly UploadedDocument[]) {
  const [states, setStates] = useState<Readonly<Record<string, ScanState>>>({});
  const running = useRef(new Set<string>());
  const unknown = documents
    .map(({ attachmentId }) => attachmentId)
    .filter((id) => states[id] === undefined || states[id] === 'waiting')
    .join(' ');
  useEffect(() => {
    if (unknown === '') return;
    const fetchAll = () => {
      for (const id of unknown.split(' ').filter((each) => !running.current.has(each))) {
        running.current.add(id);
        void fetchScanState(id).then((state) => {
          running.current.delete(id);
          if (state !== undefined) setStates((all) => ({ ...all, [id]: state }));
        });
      }
    };
    fetchAll();
    const timer = window.setInterval(fetchAll, pollMs);
    return () => window.clearInterval(timer);
  }, [unknown]);
  return {
    scanOf: (id: string) => states[id],
    setScanState: (id: string, state: ScanState) => setStates((all) => ({ ...all, [id]: state })),
  };
}
