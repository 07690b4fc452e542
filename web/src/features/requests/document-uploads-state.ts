import { useEffect, useRef, useState } from 'react';
import { createAttachment, deleteAttachment } from '@diwan/contract/attachments';
import type { AttachmentRule } from '@diwan/contract/forms';
import { goToLogin } from '../../lib/handle-error.ts';
import { send } from '../../lib/send.ts';
import { SendError } from '../../lib/send-error.ts';
import { upload } from '../../lib/upload.ts';
import { findFileRefusal, mediaTypeOf, type FileRefusal } from './document-uploads-check.ts';
import type { UploadedDocument } from './draft.ts';

/** A file on its way, or one that did not arrive. */
export interface PendingDocument {
  id: string;
  name: string;
  file: File;
  progress: number;
  refusal?: FileRefusal;
  error?: unknown;
}

export interface DocumentUploads {
  documents: readonly UploadedDocument[];
  pending: readonly PendingDocument[];
  isBusy: boolean;
  add: (rule: AttachmentRule, files: readonly File[]) => void;
  /** Stops or throws away, by the id of a pending file or of a document. */
  remove: (id: string) => void;
  retry: (id: string) => void;
}

interface UploadOptions {
  serviceId: number;
  requestId?: number;
  rules: readonly AttachmentRule[];
  value: readonly UploadedDocument[];
  /** Files arrive at the same moment, so each says how the list changes, never what it is. */
  onChange: (update: (before: readonly UploadedDocument[]) => UploadedDocument[]) => void;
}

const hasFailed = (each: PendingDocument): boolean => each.refusal !== undefined || each.error !== undefined;

export function useDocumentUploads({ serviceId, requestId, rules, value, onChange }: UploadOptions): DocumentUploads {
  const [pending, setPending] = useState<readonly PendingDocument[]>([]);
  const controllers = useRef(new Map<string, AbortController>());
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const patch = (id: string, part: Partial<PendingDocument>) => setPending((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
  const drop = (id: string) => setPending((all) => all.filter((each) => each.id !== id));

  async function start(id: string, name: string, file: File): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    controllers.current.set(id, controller);
    let attachmentId: string | undefined;
    try {
      const announced = await send(createAttachment, { body: { serviceId, requestId, name, fileName: file.name, mediaType: mediaTypeOf(file), size: file.size }, signal, skipErrorHandling: true });
      attachmentId = announced.attachmentId;
      await upload(file, announced.uploadUrl, (progress) => patch(id, { progress }), signal);
      drop(id);
      const arrived = { attachmentId: announced.attachmentId, name, fileName: file.name, size: file.size, mediaType: mediaTypeOf(file) };
      latest.current((before) => [...before, arrived]);
    } catch (error) {
      if (attachmentId !== undefined) throwAway(attachmentId);
      // Without a session the page around this one is gone already, and has stopped the transfer.
      if (hasNoSession(error)) goToLogin();
      if (signal.aborted) return drop(id);
      patch(id, { error });
    } finally {
      controllers.current.delete(id);
    }
  }

  const isBusy = pending.some((each) => !hasFailed(each));
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBusy]);
  useEffect(() => {
    const running = controllers.current;
    return () => running.forEach((controller) => controller.abort());
  }, []);

  return {
    documents: value, pending, isBusy,
    add: (rule, files) => {
      const added = files.map((file) => ({ id: crypto.randomUUID(), name: rule.name, file, progress: 0, refusal: findFileRefusal(file, rule) }));
      setPending((all) => [...all.filter((each) => each.name !== rule.name || !hasFailed(each)), ...added]);
      for (const { id, file, refusal } of added) if (refusal === undefined) void start(id, rule.name, file);
    },
    remove: (id) => {
      controllers.current.get(id)?.abort();
      drop(id);
      if (!value.some((each) => each.attachmentId === id)) return;
      latest.current((before) => before.filter((each) => each.attachmentId !== id));
      throwAway(id);
    },
    retry: (id) => {
      const failed = pending.find((each) => each.id === id);
      const rule = rules.find((each) => each.name === failed?.name);
      if (!failed || !rule || findFileRefusal(failed.file, rule)) return;
      patch(id, { error: undefined, progress: 0 });
      void start(id, failed.name, failed.file);
    },
  };
}

/** Nobody waits for it: a file that belongs to no request is cleared away by the server in time. */
function throwAway(attachmentId: string): void {
  void send(deleteAttachment, { params: { attachmentId }, skipErrorHandling: true }).catch((error: unknown) => { if (hasNoSession(error)) goToLogin(); });
}

function hasNoSession(error: unknown): boolean {
  return error instanceof SendError && error.status === 401;
}
