type Json = Record<string, unknown>;

/** The shared parts of forms by their names: a value of a form, or a list of such values. */
export type Parts = ReadonlyMap<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withPrefix = (prefix: string, name: string) =>
  `${prefix}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** The names of the fields in a list of fields. */
const namesIn = (fields: readonly unknown[]): string[] =>
  fields.flatMap((field) =>
    isObject(field) && typeof field.name === 'string' && field.kind !== undefined
      ? [field.name, ...(Array.isArray(field.fields) ? namesIn(field.fields) : [])]
      : [],
  );

// Conditions within the part follow the new names; what they name outside of it stays.
function rename(value: unknown, prefix: string, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => rename(each, prefix, names));
  if (!isObject(value)) return value;
  const isField = value.kind !== undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      (key === 'field' || (key === 'name' && isField)) &&
      typeof each === 'string' &&
      names.includes(each)
        ? withPrefix(prefix, each)
        : rename(each, prefix, names),
    ]),
  );
}

const bothOf = (one: unknown, other: unknown): unknown =>
  one === undefined ? other : { all: [one, other] };

// What a reference adds to each object of the part; conditions must both hold.
function addTo(value: unknown, { showWhen, ...own }: Json, name: string): unknown {
  if (!isObject(value)) {
    if (showWhen !== undefined || Object.keys(own).length > 0)
      throw new Error(`the part ${name} is a value, which a reference cannot change`);
    return value;
  }
  return {
    ...value,
    ...own,
    ...(showWhen === undefined ? {} : { showWhen: bothOf(value.showWhen, showWhen) }),
  };
}

/**
 * A document of the seed in which each reference is replaced by its part, so that the document is
 * complete by itself. A reference is an object with `$ref`, the name of a part. In a list, a part that
 * is a list takes its place. Other members of the reference are set on each object of the part;
 * `showWhen` is combined with its own. `prefix` is put before the names of the fields of the part, so
 * that it can be used twice. Throws for an unknown part and for parts that contain each other.
 */
export function resolveParts(
  document: unknown,
  parts: Parts,
  path: readonly string[] = [],
): unknown {
  const readPart = ({ $ref, prefix, ...own }: Json): unknown[] => {
    const name = String($ref);
    if (path.includes(name))
      throw new Error(`the parts refer to each other: ${[...path, name].join(' -> ')}`);
    if (!parts.has(name)) throw new Error(`there is no part ${name} in api/seed/catalogue/parts`);
    const found = resolveParts(parts.get(name), parts, [...path, name]);
    const list = Array.isArray(found) ? (found as unknown[]) : [found];
    const named = typeof prefix === 'string' ? rename(list, prefix, namesIn(list)) : list;
    const added = resolveParts(own, parts, path) as Json;
    return (named as unknown[]).map((each) => addTo(each, added, name));
  };
  if (Array.isArray(document))
    return document.flatMap((each: unknown) =>
      isObject(each) && '$ref' in each ? readPart(each) : [resolveParts(each, parts, path)],
    );
  if (!isObject(document)) return document;
  if (!('$ref' in document))
    return Object.fromEntries(
      Object.entries(document).map(([key, each]) => [key, resolveParts(each, parts, path)]),
    );
  const [only, ...more] = readPart(document);
  if (more.length > 0)
    throw new Error(`the part ${String(document.$ref)} is a list, which fits only in a list`);
  return only;
}
