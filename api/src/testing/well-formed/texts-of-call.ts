import type { Parts } from './call.ts';

type Value = Parts | Parts[keyof Parts] | unknown;
type Path = readonly (string | number)[];

/** The texts and files of a call with their places. */
export function textsOf(value: Value, path: Path = []): { path: Path; text: string | Buffer }[] {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, [...path, name]));
}

/** The same with another text or file at a place. */
export function withText(value: Value, [name, ...path]: Path, text: string | Buffer): Value {
  if (name === undefined) return text;
  if (Array.isArray(value))
    return value.map((each, index) => (index === Number(name) ? withText(each, path, text) : each));
  const fields = value as Record<string, unknown>;
  return { ...fields, [name]: withText(fields[name], path, text) };
}
