import {
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type Driver,
  type PostgresPool,
} from 'kysely';
import { findOpenCall } from './call-connection.ts';
import { StandbyConnections, type StandbyOptions } from './standby.ts';

/**
 * Lends the connection of a call that is one transaction to all statements of the call, and one of the
 * standby to what may lag.
 */
class CallDriver extends PostgresDriver {
  readonly #lent = new WeakSet<DatabaseConnection>();
  readonly #database: () => object;
  readonly #standby: StandbyConnections;

  constructor(pool: PostgresPool, database: () => object, standby: StandbyOptions | undefined) {
    super({ pool });
    this.#database = database;
    this.#standby = new StandbyConnections(standby);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const call = findOpenCall(this.#database());
    if (!call) return (await this.#standby.borrow()) ?? super.acquireConnection();
    const connection = await call.take();
    const lent: DatabaseConnection = {
      executeQuery: (query) =>
        call.isOpen
          ? connection.executeQuery(query)
          : Promise.reject(new Error('A statement comes after the end of its call')),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
    this.#lent.add(lent);
    return lent;
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!this.#standby.end(connection) && !this.#lent.has(connection))
      await super.releaseConnection(connection as never);
  }
}

/** Connections of a pool, as `CallDriver` gives them. */
export class CallDialect extends PostgresDialect {
  readonly #createDriver: () => Driver;

  constructor(pool: PostgresPool, database: () => object, standby: StandbyOptions | undefined) {
    super({ pool });
    this.#createDriver = () => new CallDriver(pool, database, standby);
  }

  override createDriver(): Driver {
    return this.#createDriver();
  }
}
