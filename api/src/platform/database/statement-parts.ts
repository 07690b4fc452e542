import {
  CompiledQuery,
  isOperationNodeSource,
  sql,
  type Insertable,
  type OperationNode,
  type OperationNodeSource,
  type QueryResult,
} from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Tables } from './schema.generated.ts';

/** A statement of parts, reached by its texts in their order. */
class KnownStatement {
  readonly #next = new Map<TemplateStringsArray | 'value', KnownStatement>();
  /** Undefined until it is compiled. */
  text: string | undefined;

  after(step: TemplateStringsArray | 'value'): KnownStatement {
    const found = this.#next.get(step);
    if (found) return found;
    const made = new KnownStatement();
    this.#next.set(step, made);
    return made;
  }
}

const knownStatements = new KnownStatement();

/** Collects the values. Returns undefined for a statement with something that only Kysely compiles. */
function follow(
  from: KnownStatement,
  { texts, values }: StatementPart,
  collected: unknown[],
): KnownStatement | undefined {
  let reached: KnownStatement | undefined = from.after(texts);
  for (const value of values) {
    if (value instanceof StatementPart) reached = follow(reached, value, collected);
    else if (isOperationNodeSource(value)) return undefined;
    else {
      collected.push(value);
      reached = reached.after('value');
    }
    if (!reached) return undefined;
  }
  return reached;
}

/**
 * A statement, or a part of one: a text with values, some of which may be parts themselves. Each
 * combination of texts is compiled once: to compile the fifty values of a new request for each of them
 * took a tenth of the server's time.
 */
export class StatementPart implements OperationNodeSource {
  readonly texts: TemplateStringsArray;
  readonly values: readonly unknown[];

  constructor(texts: TemplateStringsArray, values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  toOperationNode(): OperationNode {
    return sql(this.texts, ...this.values).toOperationNode();
  }

  execute<Result>(database: Database | Transaction): Promise<QueryResult<Result>> {
    const values: unknown[] = [];
    const reached = follow(knownStatements, this, values);
    const compile = () => sql<Result>`${this}`.compile(database);
    if (!reached) return database.executeQuery(compile());
    reached.text ??= compile().sql;
    return database.executeQuery(CompiledQuery.raw(reached.text, values) as CompiledQuery<Result>);
  }
}

/** Like Kysely's `sql`. */
export const part = (texts: TemplateStringsArray, ...values: unknown[]): StatementPart =>
  new StatementPart(texts, values);

type Row<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]>]:
    | Insertable<Tables[Table]>[Column]
    | OperationNodeSource;
};

// The texts around the values of statements, by their shape.
const known = new Map<string, TemplateStringsArray>();

function textsOf(shape: string, make: () => string[]): TemplateStringsArray {
  const found = known.get(shape);
  if (found) return found;
  const texts = make();
  const made = Object.assign(texts, { raw: texts });
  known.set(shape, made);
  return made;
}

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
