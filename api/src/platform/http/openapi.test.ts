import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('prints every call as OpenAPI 3.1 that an outside validator accepts', async () => {
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

it('is refused by that validator when it is broken', async () => {
  const document = (await app.server.inject('/openapi.json')).json<Record<string, unknown>>();
  expect(
    (await new Validator().validate({ ...document, paths: { '/x': { get: { responses: 7 } } } }))
      .valid,
  ).toBe(false);
});
