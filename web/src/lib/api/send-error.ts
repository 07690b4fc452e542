import {
  noAnswer,
  refusals,
  type RefusalName,
  type RefusalReply,
  type ValidationReply,
} from '@diwan/contract/wire/errors';

export type SendErrorName = RefusalName | typeof noAnswer;

export class SendError extends Error {
  override name: SendErrorName;
  /** 0 when there was no answer. */
  status: number;
  /** Messages in the caller's language by field, for a failed validation. */
  fieldErrors: Record<string, string[]>;
  /**
   * The option of the call that stands for the skip header of specification §7; it never leaves the
   * browser.
   */
  skipErrorHandling: boolean;
  /** By what support finds a failure of the server in its log. */
  requestId?: string;
  /** In how many seconds the server will listen again. */
  retryAfter?: number;

  constructor(
    status: number,
    name: SendErrorName,
    message: string,
    fieldErrors: Record<string, string[]> = {},
    skipErrorHandling = false,
  ) {
    super(message);
    this.name = name;
    this.status = status;
    this.fieldErrors = fieldErrors;
    this.skipErrorHandling = skipErrorHandling;
  }
}

/** No answer, or none of ours. */
export function noConnection(skipErrorHandling = false): SendError {
  return new SendError(0, noAnswer, '', {}, skipErrorHandling);
}

const nameByStatus: Record<number, RefusalName> = {
  400: 'ValidationFailed',
  401: 'YouHaveToLoginFirst',
  403: 'YouAreUnauthorized',
  404: 'NotFound',
  429: 'TooManyRequests',
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isValidationReply(body: unknown): body is ValidationReply {
  return (
    isObject(body) &&
    'errors' in body &&
    isObject(body.errors) &&
    Object.values(body.errors).every(
      (messages) =>
        Array.isArray(messages) && messages.every((message) => typeof message === 'string'),
    )
  );
}

function isRefusalReply(body: unknown): body is RefusalReply {
  return (
    isObject(body) &&
    'error' in body &&
    typeof body.error === 'string' &&
    Object.hasOwn(refusals, body.error) &&
    'message' in body &&
    typeof body.message === 'string'
  );
}

/** Seconds, or the moment itself. Source: RFC 9110. */
function readRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const seconds = Math.ceil(
    /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000,
  );
  return seconds > 0 && seconds <= 86_400 ? seconds : undefined;
}

/**
 * `body` is what the server sent, already parsed where it was JSON; `retryAfter` the header of that
 * name.
 */
export function errorFromReply(
  status: number,
  body: unknown,
  skipErrorHandling = false,
  retryAfter: string | null = null,
): SendError {
  if (isValidationReply(body))
    return new SendError(status, 'ValidationFailed', '', body.errors, skipErrorHandling);
  // A proxy in front of a dead server answers 502 to 504 without our form.
  const unread = () =>
    status >= 502 && status <= 504
      ? noConnection(skipErrorHandling)
      : new SendError(
          status,
          nameByStatus[status] ?? 'InternalServerError',
          '',
          {},
          skipErrorHandling,
        );
  const error = isRefusalReply(body)
    ? new SendError(status, body.error, body.message, {}, skipErrorHandling)
    : unread();
  if (isRefusalReply(body) && typeof body.requestId === 'string') error.requestId = body.requestId;
  error.retryAfter = readRetryAfter(retryAfter);
  return error;
}
