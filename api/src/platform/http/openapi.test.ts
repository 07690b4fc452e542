import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it, vi } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { allCalls } from '@diwan/contract/all-calls';

const app = useTestApp();

it('describes every call as OpenAPI 3.1 that a validator accepts', async () => {
  const document = (await app.server.inject('/openapi.json')).json<{
    openapi: string;
    paths: Record<string, object>;
  }>();
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  for (const call of allCalls)
    expect(document.paths[call.path]).toHaveProperty(call.method.toLowerCase());
});

it('the validator refuses a broken document', async () => {
  const document = (await app.server.inject('/openapi.json')).json<Record<string, unknown>>();
  expect(
    (await new Validator().validate({ ...document, paths: { '/x': { get: { responses: 7 } } } }))
      .valid,
  ).toBe(false);
});

it('is built once, and a caller that has it gets 304', async () => {
  await app.server.inject('/openapi.json');
  // Building the document iterates the calls.
  const built = vi.spyOn(allCalls, Symbol.iterator);
  const { headers, statusCode } = await app.server.inject('/openapi.json');
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const again = await app.server.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(built).not.toHaveBeenCalled();
  built.mockRestore();
});
