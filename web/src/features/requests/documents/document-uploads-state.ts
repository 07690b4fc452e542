import { useEffect, useRef, useState } from 'react';
import type { ScanState } from '@diwan/contract/requests/attachments';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import {
  findBegun,
  forgetBegun,
  isSameFile,
  type BegunUpload,
} from '../../../lib/uploads/begun-uploads.ts';
import {
  findFileRefusal,
  prepareFile,
  type FileRefusal,
} from '../../../lib/uploads/chosen-file.ts';
import { goToLogin } from '../../../lib/api/handle-error.ts';
import type { SendingStage } from '../../../lib/uploads/send-document.ts';
import { isRefused, sendRemembered } from '../../../lib/uploads/send-remembered.ts';
import { useSession } from '../../../lib/api/session.ts';
import { attachmentCalls, hasNoSession, throwAway } from './document-uploads-calls.ts';
import { useScanStates } from './document-uploads-scan.ts';
import type { UploadedDocument } from '../drafts/draft.ts';

/** A file on its way, or one that did not arrive. */
export interface PendingDocument {
  id: string;
  name: string;
  file: File;
  progress: number;
  /** `preparing`: a picture is made smaller before it is sent. */
  stage: SendingStage | 'preparing';
  refusal?: FileRefusal | undefined;
  error?: unknown;
}

export interface DocumentUploads {
  documents: readonly UploadedDocument[];
  pending: readonly PendingDocument[];
  /** Begun before the page was loaded: choosing the same file again goes on with it. */
  unfinished: readonly BegunUpload[];
  isBusy: boolean;
  /** What is known of harmful content in a document; `undefined` before it was asked. */
  scanOf: (attachmentId: string) => ScanState | undefined;
  add: (rule: AttachmentRule, files: readonly File[]) => void;
  /** Stops or throws away, by the id of a pending file, of an unfinished one or of a document. */
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

const hasFailed = (each: PendingDocument): boolean =>
  each.refusal !== undefined || each.error !== undefined;

export function useDocumentUploads({
  serviceId,
  requestId,
  rules,
  value,
  onChange,
}: UploadOptions): DocumentUploads {
  const place = `${useSession()?.ssid ?? ''}:${serviceId}:${requestId ?? ''}`;
  const [pending, setPending] = useState<readonly PendingDocument[]>([]);
  const [unfinished, setUnfinished] = useState<readonly BegunUpload[]>(() => findBegun(place));
  const controllers = useRef(new Map<string, AbortController>());
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const { scanOf, note } = useScanStates(value);
  const patch = (id: string, part: Partial<PendingDocument>) =>
    setPending((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
  const drop = (id: string) => setPending((all) => all.filter((each) => each.id !== id));
  const forget = (id: string) => {
    forgetBegun(id);
    setUnfinished((all) => all.filter((each) => each.id !== id));
  };

  async function start(id: string, rule: AttachmentRule, chosen: File): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    controllers.current.set(id, controller);
    let attachmentId: string | undefined;
    try {
      const file = await prepareFile(chosen, rule);
      const refusal = findFileRefusal(file, rule);
      if (refusal) return patch(id, { refusal, file });
      patch(id, { file });
      setUnfinished((all) =>
        all.filter((each) => each.name !== rule.name || !isSameFile(each, file)),
      );
      const { received } = await sendRemembered(
        file,
        attachmentCalls({ serviceId, requestId, name: rule.name, file }, signal),
        {
          place,
          name: rule.name,
          signal,
          onBegun: (begun) => (attachmentId = begun),
          onStage: (stage) => patch(id, { stage }),
          onProgress: (progress) => patch(id, { progress }),
        },
      );
      forget(received.attachmentId);
      note(received.attachmentId, received.scanState);
      drop(id);
      const arrived = {
        attachmentId: received.attachmentId,
        name: rule.name,
        fileName: received.fileName,
        size: received.size,
        mediaType: received.mediaType,
      };
      latest.current((before) => [...before, arrived]);
    } catch (error) {
      // Without a session the page around this one is gone already, and has stopped the transfer.
      if (hasNoSession(error)) goToLogin();
      const isCancelled = signal.reason === 'cancelled';
      // What broke off goes on where it was, now or after the next visit.
      if (attachmentId !== undefined && (isCancelled || isRefused(error))) {
        forget(attachmentId);
        throwAway(attachmentId);
      }
      if (isCancelled) drop(id);
      else if (!signal.aborted) patch(id, { error });
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
    // What was begun stays begun: the same file goes on when the person is back.
    return () => running.forEach((controller) => controller.abort('left'));
  }, []);

  return {
    documents: value,
    pending,
    unfinished,
    isBusy,
    scanOf,
    add: (rule, files) => {
      const added = files.map((file): PendingDocument => ({
        id: crypto.randomUUID(),
        name: rule.name,
        file,
        progress: 0,
        stage: 'preparing',
      }));
      setPending((all) => [
        ...all.filter((each) => each.name !== rule.name || !hasFailed(each)),
        ...added,
      ]);
      for (const { id, file } of added) void start(id, rule, file);
    },
    remove: (id) => {
      controllers.current.get(id)?.abort('cancelled');
      drop(id);
      const isUnfinished = unfinished.some((each) => each.id === id);
      if (isUnfinished) forget(id);
      else if (value.some((each) => each.attachmentId === id))
        latest.current((before) => before.filter((each) => each.attachmentId !== id));
      else return;
      throwAway(id);
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
