import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalReply, ValidationIssue, ValidationReply } from '@diwan/contract/errors';
import { Refusal, ValidationRefusal } from './refusals.ts';
import { languageOf } from './serve.ts';
import { refusalText, validationText } from './texts.ts';

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal, requestId?: string): FastifyReply {
  const body: RefusalReply = { error: refusal.refusal, message: refusalText(refusal.refusal, languageOf(request), refusal.params), ...(requestId ? { requestId } : {}) };
  return reply.status(refusal.status).send(body);
}

function refuseFields(request: FastifyRequest, reply: FastifyReply, issues: readonly ValidationIssue[]): FastifyReply {
  const errors: ValidationReply['errors'] = {};
  for (const issue of issues) (errors[issue.field] ??= []).push(validationText(issue, languageOf(request)));
  return reply.status(400).send({ errors } satisfies ValidationReply);
}

/** The one place that writes error replies, in the forms of specification §8. A 500 tells nothing but a request id. */
export function writeErrorReplies(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError | Error, request, reply) => {
    if (error instanceof Refusal) return refuse(request, reply, error);
    if (error instanceof ValidationRefusal) return refuseFields(request, reply, error.issues);
    const status = 'statusCode' in error ? error.statusCode : undefined;
    if (status === 429) return refuse(request, reply, new Refusal('TooManyRequests'));
    if (status === 413) return refuseFields(request, reply, [{ field: 'body', code: 'tooLong', params: { maximum: request.routeOptions.bodyLimit ?? 0 } }]);
    if (status !== undefined && status >= 400 && status < 500) return refuseFields(request, reply, [{ field: 'body', code: 'wrongType' }]);
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    return refuse(request, reply, new Refusal('InternalServerError'), request.id);
  });
}
