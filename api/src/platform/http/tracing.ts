import { AsyncLocalStorage } from 'node:async_hooks';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { observeStatements, type EndedStatement } from '../database/database.ts';
import { statementName } from '../database/statement-names.ts';
import { onOutsideCall } from '../integrations/http-client.ts';
import type { AppContext } from './context.ts';

/** How long a stop of the process waits for the collector. */
const exportTimeoutMs = 3000;
const longestStatement = 4000;

// The times of spans are those of the clock, with fractions of a millisecond.
const toClock = (at: number): number => performance.timeOrigin + at;

/** The caller's span by the header `traceparent`. Source: W3C Trace Context. */
function contextOf(header: unknown): Context {
  const [, traceId, spanId] =
    /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(typeof header === 'string' ? header : '') ??
    [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1, isRemote: true });
}

/** The operation and the first table of a statement, such as `select requests`. */
function summarizeStatement(text: string): string {
  const [operation = ''] = /[a-z]+/i.exec(text) ?? [];
  // Tables of parts in brackets are not those of the statement.
  let outer = text;
  for (let inner = ''; inner !== outer; outer = inner.replace(/\([^()]*\)/g, ' ')) inner = outer;
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i.exec(outer) ?? [];
  return [operation.toLowerCase(), ...(table ? [table] : [])].join(' ');
}

/**
 * Sends the spans of calls, of their statements and of the calls that they make to a collector by
 * OTLP. Attributes are names, templates, numbers and ids: a statement has no values, an address no
 * query. Loaded only where OTEL_EXPORTER_OTLP_ENDPOINT is set: decision 0165.
 */
export function traceCalls({
  server,
  config,
  database,
}: Pick<AppContext, 'server' | 'config' | 'database'>): void {
  const endpoint = (config.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').replace(/\/$/, '');
  const report = (message: string) => server.log.warn(`traces: ${message.slice(0, 300)}`);
  const silent = () => undefined;
  diag.setLogger(
    { error: report, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.instance.id': `${config.HOST}:${config.PORT}`,
    }),
    // Callers do not decide what is kept: anybody can send the header.
    sampler: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          timeoutMillis: exportTimeoutMs,
        }),
        exportTimeoutMillis: exportTimeoutMs,
        scheduledDelayMillis: 2000,
        maxQueueSize: 20_000,
      }),
    ],
  });
  const tracer = provider.getTracer('diwan');
  const storage = new AsyncLocalStorage<Context>();
  const spans = new WeakMap<object, Span>();

  server.addHook('onRequest', (request, reply, done) => {
    const parent = contextOf(request.headers.traceparent);
    const route = request.routeOptions.url ?? 'none';
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        startTime: toClock(performance.now() - reply.elapsedTime),
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          // The id of the log and of the page that says that something failed.
          'diwan.request_id': request.id,
        },
      },
      parent,
    );
    spans.set(request, span);
    storage.run(trace.setSpan(parent, span), done);
  });
  // The events of a body come from outside of the first context.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (!span || storage.getStore()) done();
    else storage.run(trace.setSpan(ROOT_CONTEXT, span), done);
  });
  server.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });

  /** A span that has ended, below that of the call; work of no call has none. */
  function addSpan(
    name: string,
    { startedAt, endedAt }: { startedAt: number; endedAt: number },
    { attributes, hasFailed }: { attributes: Attributes; hasFailed: boolean },
  ): void {
    const parent = storage.getStore();
    if (!parent) return;
    const startTime = toClock(startedAt);
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, parent);
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(toClock(endedAt));
  }
  observeStatements(database, (statement: EndedStatement) => {
    const text = statement.text.replace(/\s+/g, ' ').trim();
    const summary = summarizeStatement(text);
    addSpan(summary, statement, {
      hasFailed: statement.hasFailed,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.summary': summary,
        'db.query.text': text.slice(0, longestStatement),
        'diwan.statement': statementName(statement.text),
      },
    });
  });
  const endOutside = onOutsideCall((call) =>
    addSpan(`${call.method} ${call.origin}`, call, {
      hasFailed: call.status === undefined || call.status >= 400,
      attributes: {
        'http.request.method': call.method,
        'server.address': call.origin,
        ...(call.status === undefined ? {} : { 'http.response.status_code': call.status }),
      },
    }),
  );
  server.addHook('onClose', async () => {
    endOutside();
    await provider.shutdown().catch((error: Error) => report(error.message));
  });
}
