import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { people, type Parts } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { getService } from '@diwan/contract/catalogue/services';
import type { Call } from '@diwan/contract/wire/call';
import { maximumId } from '@diwan/contract/wire/ids';
import { languages } from '@diwan/contract/wire/languages';
import { roleMatrix } from './role-matrix.ts';

type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};
type Leaf = { path: string[]; schema: JsonSchema };

/** Every value of a shape with its path; a list is represented by its first item. */
function leavesOf(schema: JsonSchema, path: string[] = []): Leaf[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(
    (each) => leavesOf(each, path),
  );
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    leavesOf(each, [...path, name]),
  );
  const items = schema.items ? leavesOf(schema.items, [...path, '0']) : [];
  return [{ path, schema }, ...inner, ...fields, ...items];
}

const parts = ['params', 'query', 'body'] as const;
const shapesOf = (call: Call, io: 'input' | 'output' = 'input') =>
  parts.flatMap((part) =>
    call[part]
      ? leavesOf(
          z.toJSONSchema(call[part] as z.ZodType, {
            io,
            target: 'draft-7',
            unrepresentable: 'any',
          }) as JsonSchema,
          [part],
        )
      : [],
  );

describe('every input has a limit', () => {
  // z.stringbool accepts a few words and appears in JSON Schema as any text.
  const words = new Set(['OnlyMine', 'HasRefundableFees', 'IsRefunded']);
  it.each(allCalls.map((call) => [call.name, call] as const))('%s', (_, call) => {
    const endless = shapesOf(call).filter(
      ({ path, schema }) =>
        (schema.type === 'string' &&
          !schema.enum &&
          schema.const === undefined &&
          schema.maxLength === undefined &&
          !schema.pattern &&
          !schema.format &&
          !words.has(path.at(-1) ?? '')) ||
        (schema.type === 'array' && schema.maxItems === undefined),
    );
    expect(endless.map(({ path }) => path.join('.'))).toEqual([]);
  });
});

const isNumber = ({ schema }: Leaf) =>
  (schema.type === 'number' || schema.type === 'integer') &&
  !schema.enum &&
  schema.const === undefined;
const isLimited = ({ schema: { minimum, exclusiveMinimum, maximum } }: Leaf) =>
  Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity) > Number.MIN_SAFE_INTEGER &&
  (maximum ?? Infinity) < Number.MAX_SAFE_INTEGER;

it('every number of an input has a smallest and a largest value', () => {
  const found = allCalls.flatMap((call) => {
    // A number of an address is limited after it is read.
    const limited = new Set(
      [...shapesOf(call), ...shapesOf(call, 'output')]
        .filter((leaf) => isNumber(leaf) && isLimited(leaf))
        .map(({ path }) => path.join('.')),
    );
    return shapesOf(call)
      .filter(isNumber)
      .map(({ path }) => path.join('.'))
      .map((path) => ({ place: `${call.name}.${path}`, isLimited: limited.has(path) }));
  });
  expect(found.length).toBeGreaterThan(300);
  expect(found.filter((each) => !each.isLimited).map(({ place }) => place)).toEqual([]);
});

describe('no number breaks the server', () => {
  let stage: RoleStage;
  beforeAll(async () => {
    stage = await openRoleStage();
  });
  afterAll(() => stage.app.close());

  function withNumber(
    made: Parts,
    [part = 'body', ...path]: readonly string[],
    value: number,
  ): Parts {
    const copy = structuredClone(made) as Record<string, unknown>;
    let place = (copy[part] ??= {}) as Record<string, unknown>;
    for (const [index, name] of path.slice(0, -1).entries())
      place = (place[name] ??= path[index + 1] === '0' ? [] : {}) as Record<string, unknown>;
    place[path.at(-1) ?? ''] = value;
    return copy as Parts;
  }

  const rows = Object.values(roleMatrix).flatMap((group) => Object.entries(group));
  const numbered = rows.flatMap(([row, statuses]) => {
    const call = allCalls.find(({ name }) => name === row);
    const paths = call
      ? shapesOf(call)
          .filter(({ schema }) => schema.type === 'number' || schema.type === 'integer')
          .map(({ path }) => path)
      : [];
    const admitted = people[statuses.split(' ').indexOf('200')] ?? 'admin';
    return call && paths.length > 0 ? [{ row, call, paths, admitted }] : [];
  });
  it.each(numbered)('$row', async ({ row, call, paths, admitted }) => {
    const made = (await stage.calls[row]?.make(admitted)) ?? {};
    for (const path of paths) {
      for (const value of [2 ** 31, Number.MAX_SAFE_INTEGER, -1, 0.5]) {
        const { status } = await stage.send(call, admitted, withNumber(made, path, value));
        expect(status, `${path.join('.')} = ${value}`).toBeLessThan(500);
        if (status < 400 && call.method !== 'GET') await stage.restore();
      }
    }
  });

  it.each(languages)('and one beyond the largest is named at its field in %s', async (language) => {
    const { status, body } = await stage.app.call(getService, {
      query: { serviceId: maximumId + 1 },
      language,
    });
    expect(status).toBe(400);
    const { errors } = body as unknown as { errors: Record<string, string[]> };
    const message = createTranslator('errors')('validation.tooLarge', language, {
      maximum: maximumId,
    });
    expect(errors).toEqual({ serviceId: [message] });
  });
});
