import {
  noAnswer,
  type unknownOutcome,
  type RefusalName,
  type RefusalReply,
  type ValidationReply,
} from '@diwan/contract/wire/errors';
import { serverNow } from '../browser/server-time.ts';

export type ApiErrorName = RefusalName | typeof noAnswer | typeof unknownOutcome;

interface ApiErrorOptions {
  fieldErrors?: Record<string, string[]> | undefined;
  skipErrorHandling?: boolean | undefined;
}

export class ApiError extends Error {
  override name: ApiErrorName;
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  /** Messages of a failed validation by field, in the caller's language. */
  fieldErrors: Record<string, string[]>;
  /** Whether the caller shows the error: an option of the call (specification §7). */
  skipErrorHandling: boolean;
  /** The id by which support finds the error in the log of the server. */
  requestId?: string;
  /** The seconds after which the server accepts the call again. */
  retryAfter?: number;

  constructor(
    status: number,
    name: ApiErrorName,
    message: string,
    { fieldErrors = {}, skipErrorHandling = false }: ApiErrorOptions = {},
  ) {
    super(message);
    this.name = name;
    this.status = status;
    this.fieldErrors = fieldErrors;
    this.skipErrorHandling = skipErrorHandling;
  }
}

/** The server did not answer, or the answer is not from our server. */
export function connectionError(skipErrorHandling = false): ApiError {
  return new ApiError(0, noAnswer, '', { skipErrorHandling });
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

// The list of all names would be a part of the first page. Replies of other servers have texts here.
const nameOfRefusal = /^[A-Z][A-Za-z]+$/;

function isRefusalReply(body: unknown): body is RefusalReply {
  return (
    isObject(body) &&
    'error' in body &&
    typeof body.error === 'string' &&
    nameOfRefusal.test(body.error) &&
    'message' in body &&
    typeof body.message === 'string'
  );
}

/** Reads a number of seconds or a date. Source: RFC 9110. */
function readRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const seconds = Math.ceil(
    /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - serverNow()) / 1000,
  );
  return seconds > 0 && seconds <= 86_400 ? seconds : undefined;
}

/** The error of a reply. `body` is the parsed JSON; `retryAfter` is the header of that name. */
export function errorFromReply(
  status: number,
  body: unknown,
  skipErrorHandling = false,
  retryAfter: string | null = null,
): ApiError {
  const options = { skipErrorHandling };
  if (isValidationReply(body))
    return new ApiError(status, 'ValidationFailed', '', { ...options, fieldErrors: body.errors });
  // A proxy before a server that does not run answers 502 to 504 in its own form.
  const unknownError = () =>
    status >= 502 && status <= 504
      ? connectionError(skipErrorHandling)
      : new ApiError(status, nameByStatus[status] ?? 'InternalServerError', '', options);
  const error = isRefusalReply(body)
    ? new ApiError(status, body.error, body.message, options)
    : unknownError();
  if (isRefusalReply(body) && typeof body.requestId === 'string') error.requestId = body.requestId;
  error.retryAfter = readRetryAfter(retryAfter);
  return error;
}
