import { vi } from 'vitest';
import {
  completeAttachment,
  createAttachment,
  deleteAttachment,
} from '@diwan/contract/requests/attachments';
import type { ScanState } from '@diwan/contract/wire/uploads';
import { answerCall, refuse, type RefusedReply } from './answer-calls.ts';

/** What the storage received: one entry for each transfer, also for those that failed. */
interface FakeStorage {
  puts: string[];
  /** The announced files, with their names and sizes. */
  announced: { name: string; fileName: string; size: number; requestId?: number }[];
  deleted: string[];
  /** The next file that arrives is refused. */
  refuseNext: (error: string, message: string, status?: number) => void;
  /** Transfers wait until the returned function is called. */
  hold: () => () => void;
  setScanState: (state: ScanState) => void;
}

const idOf = (index: number) => `5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c2e1${index}`;

/** Answers the calls of uploads, and the transfer of the bytes, until the end of the test. */
export function answerUploads(): FakeStorage {
  const announced: FakeStorage['announced'] = [];
  const deleted: string[] = [];
  const arrived = new Set<string>();
  let refusal: RefusedReply | undefined;
  let held: Promise<void> = Promise.resolve();
  let scanState: ScanState = 'clean';
  answerCall(createAttachment, ({ body }) => {
    announced.push(body as FakeStorage['announced'][number]);
    const url = `/storage/file-${announced.length}?sig=1`;
    return {
      attachmentId: idOf(announced.length),
      uploadUrl: url,
      upload: { url, blockBytes: 4_000_000, expiresAt: '2030-01-01T00:00:00.000Z' },
    };
  });
  answerCall(completeAttachment, ({ params: [attachmentId = ''] }) => {
    // A file that has arrived is asked for again while its scan is waiting.
    if (refusal && !arrived.has(attachmentId)) {
      const error = refusal;
      refusal = undefined;
      throw error;
    }
    arrived.add(attachmentId);
    const file = announced.find((_, index) => idOf(index + 1) === attachmentId);
    return {
      attachmentId,
      fileName: file?.fileName ?? '',
      mediaType: 'application/pdf',
      size: file?.size ?? 0,
      scanState,
      filePath: `reference-of-${attachmentId}`,
    };
  });
  answerCall(deleteAttachment, ({ params: [attachmentId = ''] }) => {
    deleted.push(attachmentId);
    return { attachmentId };
  });
  const puts = takeTransfers(() => held);
  return {
    puts,
    announced,
    deleted,
    refuseNext: (error, message, status = 400) => {
      refusal = refuse(status, error, message);
    },
    hold: () => {
      let release: () => void = () => undefined;
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      return release;
    },
    setScanState: (state) => {
      scanState = state;
    },
  };
}

/** Takes the bytes of uploads until the end of the test. Gives the addresses they were sent to. */
export function takeTransfers(held: () => Promise<void> = () => Promise.resolve()): string[] {
  const puts: string[] = [];
  vi.stubGlobal('XMLHttpRequest', fakeTransfer(puts, held));
  return puts;
}

/**
 * The part of XMLHttpRequest that sends bytes: half of them immediately, the rest when `held` ends.
 */
const fakeTransfer = (puts: string[], held: () => Promise<void>) =>
  class {
    upload: { onprogress?: (event: object) => void } = {};
    status = 201;
    responseText = '{}';
    onload?: () => void;
    onabort?: () => void;
    onloadend?: () => void;
    private url = '';
    private isAborted = false;
    open(_method: string, url: string) {
      this.url = url;
    }
    setRequestHeader() {
      return undefined;
    }
    getResponseHeader() {
      return null;
    }
    abort() {
      this.isAborted = true;
      this.onabort?.();
      this.onloadend?.();
    }
    send() {
      puts.push(this.url);
      queueMicrotask(() =>
        this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 }),
      );
      void held().then(() => {
        if (this.isAborted) return;
        this.onload?.();
        this.onloadend?.();
      });
    }
  };

/** A file of a size in bytes that a test selects. */
export const fileOf = (name: string, type = 'application/pdf', size = 2000): File =>
  new File([new Uint8Array(size)], name, { type });
