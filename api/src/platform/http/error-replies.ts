import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalReply, ValidationIssue, ValidationReply } from '@diwan/contract/wire/errors';
import { defaultLanguage } from '@diwan/contract/wire/languages';
import { refusalText, validationText } from '../core/locale-texts.ts';
import { Refusal, ValidationRefusal } from '../core/refusals.ts';
import { languageOf } from './serve.ts';

// No form has more fields. A client that causes more issues does not read them.
const maximumIssues = 100;

// Headers that a handler may have set for its content before it failed.
const contentHeaders = [
  'content-disposition',
  'content-range',
  'content-length',
  'accept-ranges',
  'etag',
  'last-modified',
];

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  requestId?: string,
): FastifyReply {
  const language = languageOf(request);
  const text = refusalText(refusal.refusal, language, refusal.params);
  const { detail } = refusal.params;
  const body: RefusalReply = {
    error: refusal.refusal,
    message:
      typeof detail === 'object'
        ? `${text.replace(/[.۔]?$/, language === 'ur-PK' ? '۔' : '.')} ${detail[language]}`
        : text,
    ...(requestId ? { requestId } : {}),
  };
  if (refusal.params.retryAfter !== undefined)
    reply.header('retry-after', String(refusal.params.retryAfter));
  return reply.status(refusal.status).send(body);
}

function refuseFields(
  request: FastifyRequest,
  reply: FastifyReply,
  issues: readonly ValidationIssue[],
): FastifyReply {
  const errors = new Map<string, string[]>();
  for (const { field, ...issue } of issues.slice(0, maximumIssues))
    errors.set(field, [
      ...(errors.get(field) ?? []),
      validationText({ field, ...issue }, languageOf(request)),
    ]);
  return reply.status(400).send({ errors: Object.fromEntries(errors) } satisfies ValidationReply);
}

// The refusal or the issues of an error that the client caused; `undefined` for one of the server.
function findClientError(
  error: FastifyError | Error,
  bodyLimit: number,
): Refusal | ValidationRefusal | undefined {
  if (error instanceof Refusal || error instanceof ValidationRefusal) return error;
  const status = ('statusCode' in error ? error.statusCode : undefined) ?? 500;
  if (status === 413)
    return new ValidationRefusal([
      { field: 'body', code: 'tooLong', params: { maximum: bodyLimit } },
    ]);
  if (status >= 400 && status < 500)
    return new ValidationRefusal([{ field: 'body', code: 'wrongType' }]);
  return undefined;
}

/**
 * Installs the error handler, the only place that writes error replies, in the forms of specification
 * §8. A 500 contains nothing but a request id.
 */
export function installErrorReplies(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError | Error, request, reply) => {
    for (const name of contentHeaders) reply.removeHeader(name);
    void reply.type('application/json; charset=utf-8');
    const clientError = findClientError(error, request.routeOptions.bodyLimit ?? 0);
    if (clientError instanceof Refusal) return refuse(request, reply, clientError);
    if (clientError) return refuseFields(request, reply, clientError.issues);
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    return refuse(request, reply, new Refusal('InternalServerError'), request.id);
  });
}

/**
 * Replies to an address that cannot be parsed, such as `/%zz`. A browser is redirected to the page
 * that says so.
 */
export function replyToBadUrl(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'GET' && (request.headers.accept ?? '').includes('text/html'))
    reply.redirect('/not-found');
  else refuse(request, reply, new Refusal('NotFound'));
}

const closeTimeoutMs = 2000;

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Replies to a request that is not HTTP, or whose header is too large or never ends. The language of
 * the caller is unknown.
 */
export function replyToMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statuses[error.code ?? ''] ?? 400;
  const body = JSON.stringify({
    errors: { body: [validationText({ field: 'body', code: 'wrongType' }, defaultLanguage)] },
  } satisfies ValidationReply);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // A client that does not close its side would keep the connection open.
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
}
