import { refusalReply, validationReply, type RefusalName } from '@diwan/contract/errors';

/** `ServerNotConnected` is the browser's own name for no answer at all. */
export type SendErrorName = RefusalName | 'ServerNotConnected';

export class SendError extends Error {
  override name: SendErrorName;
  /** 0 when there was no answer. */
  status: number;
  /** Messages in the caller's language by field, for a failed validation. */
  fieldErrors: Record<string, string[]>;
  skipErrorHandling: boolean;

  constructor(status: number, name: SendErrorName, message: string, fieldErrors: Record<string, string[]> = {}, skipErrorHandling = false) {
    super(message);
    this.name = name;
    this.status = status;
    this.fieldErrors = fieldErrors;
    this.skipErrorHandling = skipErrorHandling;
  }
}

const nameByStatus: Record<number, RefusalName> = { 400: 'ValidationFailed', 401: 'YouHaveToLoginFirst', 403: 'YouAreUnauthorized', 404: 'NotFound', 429: 'TooManyRequests' };

/** `body` is what the server sent, already parsed where it was JSON. */
export function errorFromReply(status: number, body: unknown, skipErrorHandling = false): SendError {
  const validation = validationReply.safeParse(body);
  if (validation.success) return new SendError(status, 'ValidationFailed', '', validation.data.errors, skipErrorHandling);
  const refusal = refusalReply.safeParse(body);
  if (refusal.success) return new SendError(status, refusal.data.error, refusal.data.message, {}, skipErrorHandling);
  return new SendError(status, nameByStatus[status] ?? 'InternalServerError', '', {}, skipErrorHandling);
}
