import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalReply, ValidationIssue, ValidationReply } from '@diwan/contract/wire/errors';
import { defaultLanguage } from '@diwan/contract/wire/languages';
import { Refusal, ValidationRefusal } from '../core/refusals.ts';
import { languageOf } from './serve.ts';
import { refusalText, validationText } from '../core/texts.ts';

// Whoever sends more faults than a form has fields is not reading them.
const mostIssues = 100;

// What a reply that failed had begun to say of its content is not true of the error.
const ofContent = [
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
  const words = refusalText(refusal.refusal, language, refusal.params);
  const { detail } = refusal.params;
  const body: RefusalReply = {
    error: refusal.refusal,
    message:
      typeof detail === 'object'
        ? `${words.replace(/[.۔]?$/, language === 'ur-PK' ? '۔' : '.')} ${detail[language]}`
        : words,
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
  for (const { field, ...issue } of issues.slice(0, mostIssues))
    errors.set(field, [
      ...(errors.get(field) ?? []),
      validationText({ field, ...issue }, languageOf(request)),
    ]);
  return reply.status(400).send({ errors: Object.fromEntries(errors) } satisfies ValidationReply);
}

/**
 * The one place that writes error replies, in the forms of specification §8. A 500 tells nothing
 * but a request id.
 */
export function writeErrorReplies(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError | Error, request, reply) => {
    for (const name of ofContent) reply.removeHeader(name);
    void reply.type('application/json; charset=utf-8');
    if (error instanceof Refusal) return refuse(request, reply, error);
    if (error instanceof ValidationRefusal) return refuseFields(request, reply, error.issues);
    const status = 'statusCode' in error ? error.statusCode : undefined;
    if (status === 429) return refuse(request, reply, new Refusal('TooManyRequests'));
    if (status === 413)
      return refuseFields(request, reply, [
        {
          field: 'body',
          code: 'tooLong',
          params: { maximum: request.routeOptions.bodyLimit ?? 0 },
        },
      ]);
    if (status !== undefined && status >= 400 && status < 500)
      return refuseFields(request, reply, [{ field: 'body', code: 'wrongType' }]);
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    return refuse(request, reply, new Refusal('InternalServerError'), request.id);
  });
}

/**
 * The answer to an address that cannot be read, such as `/%zz`: no page is there. A person is shown
 * the page that says so.
 */
export function refuseAddress(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'GET' && (request.headers.accept ?? '').includes('text/html'))
    reply.redirect('/not-found');
  else refuse(request, reply, new Refusal('NotFound'));
}

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * The answer to what is not HTTP, too large a header, or one that never ends; its language cannot
 * be known.
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statuses[error.code ?? ''] ?? 400;
  const body = JSON.stringify({
    errors: { body: [validationText({ field: 'body', code: 'wrongType' }, defaultLanguage)] },
  } satisfies ValidationReply);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
