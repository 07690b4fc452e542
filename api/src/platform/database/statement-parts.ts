import {
  CompiledQuery,
  isOperationNodeSource,
  sql,
  type Expression,
  type Insertable,
  type OperationNode,
  type OperationNodeSource,
  type QueryResult,
} from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Tables } from './schema.generated.ts';

/** A node of the cache of compiled statements, a tree: the path to it has the texts and values. */
class CacheNode {
  readonly #children = new Map<TemplateStringsArray | 'value', CacheNode>();
  /** The statement that ends here, with `$1` and so on; undefined until it is compiled. */
  compiled: string | undefined;

  child(key: TemplateStringsArray | 'value'): CacheNode {
    const found = this.#children.get(key);
    if (found) return found;
    const made = new CacheNode();
    this.#children.set(key, made);
    return made;
  }
}

// The statements of the product have fewer shapes, but callers can ask for lists of very many.
const maximumCompiled = 500;
let cache = new CacheNode();
let compiledCount = 0;

/**
 * The node of a statement, from the node of what is before it. Appends the values to `parameters`.
 * Returns undefined for a statement that contains a query of Kysely.
 */
function findNode(
  start: CacheNode,
  { texts, values }: StatementPart,
  parameters: unknown[],
): CacheNode | undefined {
  let node: CacheNode | undefined = start.child(texts);
  for (const value of values) {
    if (value instanceof StatementPart) node = findNode(node, value, parameters);
    else if (isOperationNodeSource(value)) return undefined;
    else {
      parameters.push(value);
      node = node.child('value');
    }
    if (!node) return undefined;
  }
  return node;
}

/**
 * A statement, or a part of one: a text with values, some of which may be parts themselves. Each
 * combination of texts is compiled once. To compile the statement of each new request, with fifty
 * values, took 8 % of the processor time of the server.
 */
export class StatementPart<Result = unknown> implements Expression<Result> {
  readonly expressionType: Result | undefined = undefined;
  readonly texts: TemplateStringsArray;
  readonly values: readonly unknown[];

  constructor(texts: TemplateStringsArray, values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  toOperationNode(): OperationNode {
    return sql(this.texts, ...this.values).toOperationNode();
  }

  execute<Row = Result>(database: Database | Transaction): Promise<QueryResult<Row>> {
    const parameters: unknown[] = [];
    const node = findNode(cache, this, parameters);
    const compile = (by: Database | Transaction) => sql<Row>`${this}`.compile(by);
    if (!node) return database.executeQuery(compile(database));
    if (node.compiled === undefined) {
      // A plugin may change a statement for one caller.
      node.compiled = compile(database.withoutPlugins()).sql;
      compiledCount += 1;
      if (compiledCount > maximumCompiled) forgetShapes();
    }
    const query = CompiledQuery.raw(node.compiled, parameters) as CompiledQuery<Row>;
    return database.executeQuery(query);
  }
}

/** Makes a part, as Kysely's `sql` makes a query. */
export const part = <Result = unknown>(
  texts: TemplateStringsArray,
  ...values: unknown[]
): StatementPart<Result> => new StatementPart<Result>(texts, values);

type Row<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]>]:
    | Insertable<Tables[Table]>[Column]
    | OperationNodeSource;
};

// The texts around the values, by what they are made of.
const textsByShape = new Map<string, TemplateStringsArray>();

function textsOf(shape: string, make: () => string[]): TemplateStringsArray {
  const found = textsByShape.get(shape);
  if (found) return found;
  const texts = make();
  const made = Object.assign(texts, { raw: texts });
  textsByShape.set(shape, made);
  return made;
}

function forgetShapes(): void {
  cache = new CacheNode();
  compiledCount = 0;
  textsByShape.clear();
}

/** SQL that is not a value, such as the name of a column. It must not come from a caller. */
export const rawPart = <Result = unknown>(text: string | number): StatementPart<Result> =>
  new StatementPart<Result>(
    textsOf(`raw ${text}`, () => [`${text}`]),
    [],
  );

/** Parts with a text between them, such as ` and `. */
export const joinParts = <Result = unknown>(
  parts: readonly OperationNodeSource[],
  separator: string,
): StatementPart<Result> =>
  new StatementPart<Result>(
    textsOf(`join ${parts.length} ${separator}`, () => [
      '',
      ...parts.slice(1).map(() => separator),
      ...(parts.length > 0 ? [''] : []),
    ]),
    parts,
  );

/** An insert of rows that have the same columns; `undefined` is stored as null. */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly [Row<Table>, ...Row<Table>[]],
): StatementPart {
  const columns = Object.keys(rows[0]).join(', ');
  const values = rows.length === 1 ? Object.values(rows[0]) : rows.flatMap(Object.values);
  const texts = textsOf(`${rows.length} ${table} ${columns}`, () => [
    ...values.map((_, index) => {
      if (index === 0) return `insert into ${table} (${columns}) values (`;
      return index % (values.length / rows.length) === 0 ? '), (' : ', ';
    }),
    ')',
  ]);
  return new StatementPart(texts, values);
}

/** An update of the row with an id. */
export function updateRow<Table extends keyof Tables>(
  table: Table,
  id: number,
  changes: Partial<Row<Table>>,
): StatementPart {
  const columns = Object.keys(changes);
  const texts = textsOf(`update ${table} ${columns.join()}`, () => [
    ...columns.map((name, index) => `${index === 0 ? `update ${table} set` : ','} ${name} = `),
    ' where id = ',
    '',
  ]);
  return new StatementPart(texts, [...Object.values(changes), id]);
}

/**
 * Several writes as one statement. Each may select the rows that those before it return, by their
 * names, and none sees what the others write. Triggers run after all of them.
 */
export function combineWrites(
  writes: Readonly<Record<string, OperationNodeSource | undefined>>,
): StatementPart {
  const parts = Object.entries(writes).filter(([, write]) => write !== undefined);
  const names = parts.map(([name]) => name);
  const texts = textsOf(`with ${names.join()}`, () => [
    ...names.map((name, index) => `${index === 0 ? 'with' : '),'} ${name} as (`),
    ')',
  ]);
  return new StatementPart(
    texts,
    parts.map(([, write]) => write),
  );
}
