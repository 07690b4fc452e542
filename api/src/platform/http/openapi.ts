import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { allCalls } from '@diwan/contract/all-calls';
import { callAnswerHours, callKeyHeader, repeatsOf, type Call } from '@diwan/contract/wire/call';
import { refusalReply, refusals, validationReply } from '@diwan/contract/wire/errors';
import { createTranslator } from '../core/locale-texts.ts';

type Json = Record<string, unknown>;

// The product's version, as package.json has it and the footer shows it (specification §1).
const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

// Schemas that refer to themselves have a name. OpenAPI lists them in one place.
const namedSchemas = new Map<string, Json>();

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const text = JSON.stringify(z.toJSONSchema(type, { io })).replaceAll(
    '"#/$defs/',
    '"#/components/schemas/',
  );
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = JSON.parse(text) as Json & { $defs?: Record<string, Json> };
  for (const [name, { id: _id, ...definition }] of Object.entries($defs))
    namedSchemas.set(name, definition);
  return schema;
}

const keyParameter: Json = {
  name: callKeyHeader,
  in: 'header',
  required: false,
  description: `Made for one act. A repeat within ${callAnswerHours} hours gets the first answer.`,
  schema: { type: 'string', format: 'uuid' },
};

function parameters(call: Call): Json[] {
  const keys = repeatsOf(call) === 'byKey' ? [keyParameter] : [];
  const inputs = (['path', 'query'] as const).flatMap((place) => {
    const type = place === 'path' ? call.params : call.query;
    if (!type) return [];
    const { properties = {}, required = [] } = schemaOf(type, 'input') as {
      properties?: Json;
      required?: string[];
    };
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema,
    }));
  });
  return [...inputs, ...keys];
}

function success(call: Call): Json {
  if (call.reply === 'redirect') return { 302: { description: 'Goes to a page of the portal' } };
  const content =
    call.reply === 'file'
      ? { 'application/octet-stream': {} }
      : { 'application/json': { schema: schemaOf(call.reply, 'output') } };
  return { 200: { description: 'Done', content } };
}

function failures(call: Call): Json {
  const names = [
    ...call.refusals,
    ...(repeatsOf(call) === 'byKey' ? (['KeyOfAnotherCall'] as const) : []),
    'ValidationFailed' as const,
    'InternalServerError' as const,
    ...(call.who === 'anyone' ? [] : (['YouHaveToLoginFirst', 'YouAreUnauthorized'] as const)),
  ];
  const byStatus = groupByStatus(names);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const schema =
        status === 400
          ? {
              oneOf: [
                { $ref: '#/components/schemas/Refusal' },
                { $ref: '#/components/schemas/Validation' },
              ],
            }
          : { $ref: '#/components/schemas/Refusal' };
      return [
        status,
        { description: list.join(', '), content: { 'application/json': { schema } } },
      ];
    }),
  );
}

function groupByStatus(
  names: readonly (keyof typeof refusals)[],
): Map<number, (keyof typeof refusals)[]> {
  const map = new Map<number, (keyof typeof refusals)[]>();
  for (const name of names) map.set(refusals[name], [...(map.get(refusals[name]) ?? []), name]);
  return map;
}

function operation(call: Call): Json {
  const body =
    call.consumes === 'bytes'
      ? { 'application/octet-stream': {} }
      : call.body && { 'application/json': { schema: schemaOf(call.body, 'input') } };
  return {
    operationId: call.name,
    summary: call.summary,
    tags: [call.path.split('/')[call.path.startsWith('/api/') ? 2 : 1]],
    'x-roles': call.who,
    security: call.who === 'anyone' ? [] : [{ token: [] }],
    parameters: parameters(call),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: { ...success(call), ...failures(call) },
  };
}

const shell = createTranslator('shell');

/** The contract as OpenAPI 3.1, in the name of the portal. `url` is the address of the server. */
export function buildOpenApi(url: string): Json {
  const paths: Record<string, Json> = {};
  for (const call of allCalls)
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operation(call);
  return {
    openapi: '3.1.0',
    info: {
      title: shell('wordmark', 'en-US'),
      version,
      description: 'Government services: find, request, pay, follow.',
    },
    servers: [{ url }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        ...Object.fromEntries(namedSchemas),
        Refusal: schemaOf(refusalReply, 'output'),
        Validation: schemaOf(validationReply, 'output'),
      },
    },
  };
}
