import {
  completeAttachment,
  createAttachment,
  deleteAttachment,
  renewUpload,
} from '@diwan/contract/requests/attachments';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { mediaTypeOf } from '../../../lib/uploads/chosen-file.ts';
import { goToLogin } from '../../../lib/api/handle-error.ts';
import type { DocumentCalls } from '../../../lib/uploads/send-document.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import { send } from '../../../lib/api/send.ts';

interface Announced {
  serviceId: number;
  requestId: number | undefined;
  name: string;
  file: File;
}

/** The calls by which a document of a request goes to the server. */
export function attachmentCalls(
  { serviceId, requestId, name, file }: Announced,
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

export function hasNoSession(error: unknown): boolean {
  return error instanceof SendError && error.status === 401;
}

/** Nobody waits for it: a file that belongs to no request is cleared away by the server in time. */
export function throwAway(attachmentId: string): void {
  void send(deleteAttachment, { params: { attachmentId }, skipErrorHandling: true }).catch(
    (error: unknown) => {
      if (hasNoSession(error)) goToLogin();
    },
  );
}
