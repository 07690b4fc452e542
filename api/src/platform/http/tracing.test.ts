import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { onlyWhenAsked, openTestApp } from '#testing/test-app.ts';
import { sendComplaint } from '@diwan/contract/content/complaints';
import { createPayment } from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number; message?: string };
}

/** A collector of OTLP over HTTP in JSON. */
let collector: Server;
let received = '';
const spans: Span[] = [];
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received += body;
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    spans.push(
      ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
    );
    expect(request.url).toBe('/v1/traces');
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => collector.close(resolve)));

const endpoint = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const valueOf = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((each) => each.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

it('exports a call of a browser with its statements and outside calls, and nothing of people', async () => {
  const app = await openTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() }, onlyWhenAsked);
  const token = await app.signIn('individual');
  const { requestId } = await insertDemoRequest(app, 'individual');
  await app.call(createPayment, { token, params: { requestId } });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traced = await app.server.inject({
    url: `${getRequestById.path}?RequestId=${requestId}&ln=1`,
    headers: {
      authorization: `Bearer ${token}`,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
  });
  expect(traced.statusCode).toBe(200);
  const complaint = {
    subject: 'other' as const,
    requestNumber: '',
    text: 'plantedwords of a person',
    fullName: 'Plantedname Person',
    email: 'planted@mail.example',
    documentIds: [],
  };
  expect((await app.call(sendComplaint, { body: complaint })).status).toBe(200);
  // An error of the database, whose message holds what was sent.
  await app.database.schema.alterTable('complaints').renameTo('hidden').execute();
  const failed = await app.call(sendComplaint, { body: complaint });
  await app.database.schema.alterTable('hidden').renameTo('complaints').execute();
  expect(failed.status).toBe(500);
  await app.server.inject('/api/plantedaddress?code=plantedcode');
  const {
    full_name: fullName,
    email,
    phone_number: phone,
  } = await app.database
    .selectFrom('users')
    .select(['full_name', 'email', 'phone_number'])
    .where('username', '=', 'individual')
    .executeTakeFirstOrThrow();
  // What was not sent yet is sent when the process stops.
  await app.close();

  const call = spans.find((span) => span.traceId === traceId && span.name.startsWith('GET '));
  expect(call).toMatchObject({
    name: 'GET /api/Request/GetRequestById',
    parentSpanId: 'b7ad6b7169203331',
  });
  expect(valueOf(call, 'http.response.status_code')).toBe(200);
  const below = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
  expect(below.length).toBeGreaterThan(1);
  for (const span of below) {
    expect(span.traceId).toBe(traceId);
    expect(valueOf(span, 'db.system.name')).toBe('postgresql');
    expect(valueOf(span, 'diwan.statement')).toMatch(/^[\w-]{27}$/);
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(call?.startTimeUnixNano ?? 0),
    );
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(call?.endTimeUnixNano ?? 0));
  }
  expect(below.map(({ name }) => name)).toContain('select requests');

  // A body is read in another context, and its statements are below the call all the same.
  const payment = spans.find(({ name }) => name.startsWith('POST /api/Payment/CreatePayment'));
  const outside = spans.filter(({ parentSpanId }) => parentSpanId === payment?.spanId);
  expect(outside.map(({ name }) => name)).toContain(`POST ${app.paymentsUrl}`);
  expect(outside.some(({ name }) => name.startsWith('insert payments'))).toBe(true);

  // The person reads the id out, and the operator finds the call and what failed in it.
  const { requestId: id } = failed.refused as { requestId?: string };
  const broken = spans.find((span) => valueOf(span, 'diwan.request_id') === id);
  expect(broken).toMatchObject({ name: 'POST /api/Complaint/SendComplaint', status: { code: 2 } });
  expect(
    spans.some(({ parentSpanId, status }) => parentSpanId === broken?.spanId && status.code === 2),
  ).toBe(true);
  expect(spans.every(({ status }) => !status.message)).toBe(true);

  const known = [
    fullName,
    email,
    phone,
    token,
    traced.json<{ requestNumber: string }>().requestNumber,
  ];
  for (const value of ['planted', 'Planted', ...known]) expect(received).not.toContain(value);
});

it('keeps the share of the setting, whatever callers ask for, and works without a collector', async () => {
  spans.length = 0;
  const settings = { OTEL_TRACES_SAMPLER_ARG: '0' };
  const app = await openTestApp(
    { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() },
    onlyWhenAsked,
  );
  await app.server.inject({
    url: '/health/ready',
    headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  });
  await app.close();
  expect(spans).toEqual([]);

  const alone = await openTestApp(
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    onlyWhenAsked,
  );
  expect((await alone.server.inject('/health/ready')).statusCode).toBe(200);
  await alone.close();
}, 30_000);
