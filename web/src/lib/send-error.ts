import { refusals, type RefusalName, type RefusalReply, type ValidationReply } from '@diwan/contract/errors';

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

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isValidationReply(body: unknown): body is ValidationReply {
  return isObject(body) && 'errors' in body && isObject(body.errors) && Object.values(body.errors).every((messages) => Array.isArray(messages) && messages.every((message) => typeof message === 'string'));
}

function isRefusalReply(body: unknown): body is RefusalReply {
  return isObject(body) && 'error' in body && typeof body.error === 'string' && Object.hasOwn(refusals, body.error) && 'message' in body && typeof body.message === 'string';
}

/** `body` is what the server sent, already parsed where it was JSON. */
export function errorFromReply(status: number, body: unknown, skipErrorHandling = false): SendError {
  if (isValidationReply(body)) return new SendError(status, 'ValidationFailed', '', body.errors, skipErrorHandling);
  if (isRefusalReply(body)) return new SendError(status, body.error, body.message, {}, skipErrorHandling);
  return new SendError(status, nameByStatus[status] ?? 'InternalServerError', '', {}, skipErrorHandling);
}
