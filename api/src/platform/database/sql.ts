import {
  CompiledQuery,
  isOperationNodeSource,
  sql as kyselySql,
  type AliasableExpression,
  type AliasedExpression,
  type Expression,
  type Insertable,
  type Kysely,
  type OperationNode,
  type OperationNodeSource,
  type QueryResult,
  type Selectable,
} from 'kysely';
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

// The product has fewer shapes of statements, but callers can ask for lists of very many.
const maximumShapes = 1000;
let cache = new CacheNode();
let compiledCount = 0;
// The texts around the values, by what they are made of.
const textsByShape = new Map<string, TemplateStringsArray>();

function forgetShapes(): void {
  cache = new CacheNode();
  compiledCount = 0;
  textsByShape.clear();
}

function textsOf(shape: string, make: () => string[]): TemplateStringsArray {
  const found = textsByShape.get(shape);
  if (found) return found;
  if (textsByShape.size >= maximumShapes) forgetShapes();
  const texts = make();
  const made = Object.assign(texts, { raw: texts });
  textsByShape.set(shape, made);
  return made;
}

/**
 * The node of a statement, from the node of what is before it. Appends the values to `parameters`.
 * Returns undefined for a statement that contains a query of Kysely.
 */
function findNode(
  start: CacheNode,
  { texts, values }: Sql,
  parameters: unknown[],
): CacheNode | undefined {
  let node: CacheNode | undefined = start.child(texts);
  for (const value of values) {
    if (value instanceof Sql) node = findNode(node, value, parameters);
    else if (isOperationNodeSource(value)) return undefined;
    else {
      parameters.push(value);
      node = node.child('value');
    }
    if (!node) return undefined;
  }
  return node;
}

// The text of a statement. `parameters.count` counts the values that come before a part of it.
function compile({ texts, values }: Sql, parameters = { count: 0 }): string {
  return texts.reduce((text, next, index) => {
    const value = values[index - 1];
    const inner = value instanceof Sql ? compile(value, parameters) : `$${(parameters.count += 1)}`;
    return text + inner + next;
  });
}

/**
 * A statement, or a part of one: a text with values, some of which may be parts themselves or
 * queries of Kysely. `Result` is the type of an expression, or of a row of a statement. Each
 * combination of texts is compiled once: to compile the statement of each new request, with fifty
 * values, took 8 % of the processor time of the server.
 */
export class Sql<Result = unknown> implements AliasableExpression<Result> {
  readonly expressionType: Result | undefined = undefined;
  readonly texts: TemplateStringsArray;
  readonly values: readonly unknown[];

  constructor(texts: TemplateStringsArray, values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  toOperationNode(): OperationNode {
    return kyselySql(this.texts, ...this.values).toOperationNode();
  }

  /** The expression with a name, for a query of Kysely. */
  as<Name extends string>(name: Name): AliasedExpression<Result, Name> {
    return kyselySql<Result>`${this}`.as(name);
  }

  /** Sends the statement; `undefined` among the values is null. */
  execute(
    database: Pick<Kysely<Tables>, 'executeQuery' | 'getExecutor'>,
  ): Promise<QueryResult<Result>> {
    const parameters: unknown[] = [];
    const node = findNode(cache, this, parameters);
    if (!node) return database.executeQuery(kyselySql<Result>`${this}`.compile(database));
    if (node.compiled === undefined) {
      if (compiledCount >= maximumShapes) forgetShapes();
      node.compiled = compile(this);
      compiledCount += 1;
    }
    const query = CompiledQuery.raw(node.compiled, parameters) as CompiledQuery<Result>;
    return database.executeQuery(query);
  }
}

/**
 * Makes a statement or a part of one from a text with values. It is the only way to write SQL beside
 * the builder of Kysely.
 */
export const sql = Object.assign(
  <Result = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Sql<Result> =>
    new Sql<Result>(texts, values),
  {
    /** SQL that is not a value, such as a direction. It must not come from a caller. */
    raw: <Result = unknown>(text: string | number): Sql<Result> =>
      new Sql<Result>(
        textsOf(`raw ${text}`, () => [`${text}`]),
        [],
      ),
    /** The name of a table, a column or a role; a column may come after its table. */
    id: <Result = unknown>(...names: readonly string[]): Sql<Result> =>
      sql.raw(names.map((each) => `"${each.replaceAll('"', '""')}"`).join('.')),
    /** Values or parts with a text between them, such as ` and `. */
    join: <Result = unknown>(values: readonly unknown[], separator = ', '): Sql<Result> =>
      new Sql<Result>(
        textsOf(`join ${values.length} ${separator}`, () => [
          '',
          ...values.slice(1).map(() => separator),
          ...(values.length > 0 ? [''] : []),
        ]),
        values,
      ),
  },
);

/** The row of a select with these columns. */
type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Expression<infer Value> ? Value : never;
};

/** The rows that a list of columns selects. */
export type RowsOf<List> = List extends Sql<infer Row> ? Row : never;

/** Columns of a table, by their names, for `selectList`. */
export function columnsOf<
  Table extends keyof Tables & string,
  Name extends keyof Selectable<Tables[Table]> & string,
>(table: Table, names: readonly Name[]): { [Each in Name]: Sql<Selectable<Tables[Table]>[Each]> } {
  return Object.fromEntries(names.map((name) => [name, sql.raw(`${table}.${name}`)])) as never;
}

/**
 * The columns of a select: each name with its expression. The type of the rows follows from them, so
 * that the compiler finds a column that is missing. Those without values are compiled once.
 */
export function selectList<Columns extends Readonly<Record<string, Expression<unknown>>>>(
  columns: Columns,
): Sql<RowOf<Columns>> {
  const list = sql.join<RowOf<Columns>>(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.id(name)}`),
    ',\n  ',
  );
  const values: unknown[] = [];
  return findNode(new CacheNode(), list, values) && values.length === 0
    ? sql.raw(compile(list))
    : list;
}

type Row<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]>]:
    | Insertable<Tables[Table]>[Column]
    | OperationNodeSource;
};

/** An insert of rows that have the same columns; `undefined` is stored as null. */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly [Row<Table>, ...Row<Table>[]],
): Sql {
  const columns = Object.keys(rows[0]).join(', ');
  const values = rows.length === 1 ? Object.values(rows[0]) : rows.flatMap(Object.values);
  const texts = textsOf(`${rows.length} ${table} ${columns}`, () => [
    ...values.map((_, index) => {
      if (index === 0) return `insert into ${table} (${columns}) values (`;
      return index % (values.length / rows.length) === 0 ? '), (' : ', ';
    }),
    ')',
  ]);
  return new Sql(texts, values);
}

/** An update of the row with an id. */
export function updateRow<Table extends keyof Tables>(
  table: Table,
  id: number,
  changes: Partial<Row<Table>>,
): Sql {
  const columns = Object.keys(changes);
  const texts = textsOf(`update ${table} ${columns.join()}`, () => [
    ...columns.map((name, index) => `${index === 0 ? `update ${table} set` : ','} ${name} = `),
    ' where id = ',
    '',
  ]);
  return new Sql(texts, [...Object.values(changes), id]);
}

/**
 * Several writes as one statement. Each may select the rows that those before it return, by their
 * names, and none sees what the others write. Triggers run after all of them.
 */
export function combineWrites(
  writes: Readonly<Record<string, OperationNodeSource | undefined>>,
): Sql {
  const parts = Object.entries(writes).filter(([, write]) => write !== undefined);
  const names = parts.map(([name]) => name);
  const texts = textsOf(`with ${names.join()}`, () => [
    ...names.map((name, index) => `${index === 0 ? 'with' : '),'} ${name} as (`),
    ')',
  ]);
  return new Sql(
    texts,
    parts.map(([, write]) => write),
  );
}
