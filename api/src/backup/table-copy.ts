import { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** The part of a connection of `pg` that its types leave out. */
interface CopyConnection {
  stream: NodeJS.WritableStream & { pause(): void; resume(): void; writableNeedDrain: boolean };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

// The server ends a copy with a tag such as `COPY 41`.
const rowsOf = ({ text = '' }: { text?: string }) => Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);

/**
 * `copy … to stdout` as a stream, given to `client.query`. `pg` calls the methods from `submit` on.
 */
export class CopyOut extends Readable implements pg.Submittable {
  /** The rows, known at the end of the stream. */
  rows = 0;
  readonly #statement: string;
  #connection: CopyConnection | undefined;

  constructor(statement: string) {
    super();
    this.#statement = statement;
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as unknown as CopyConnection;
    this.#connection.query(this.#statement);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser of `pg` uses the memory of the chunk again.
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }

  handleCommandComplete(message: { text?: string }): void {
    this.rows = rowsOf(message);
  }

  handleReadyForQuery(): void {
    this.#connection = undefined;
    this.push(null);
  }

  handleError(error: Error): void {
    this.#connection?.stream.resume();
    this.#connection = undefined;
    this.destroy(error);
  }
}

/** `copy … from stdin` as a stream, given to `client.query`. */
export class CopyIn extends Writable implements pg.Submittable {
  /** The rows, known when the stream has finished. */
  rows = 0;
  readonly #statement: string;
  #connection: CopyConnection | undefined;
  #whenReady: (() => void) | undefined;
  #isReady = false;
  #whenDone: (() => void) | undefined;

  constructor(statement: string) {
    super();
    this.#statement = statement;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#onceReady((connection) => {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) connection.stream.once('drain', done);
      else done();
    });
  }

  override _final(done: () => void): void {
    this.#whenDone = done;
    this.#onceReady((connection) => connection.endCopyFrom());
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as unknown as CopyConnection;
    this.#connection.query(this.#statement);
  }

  handleCopyInResponse(): void {
    this.#isReady = true;
    this.#whenReady?.();
  }

  handleCommandComplete(message: { text?: string }): void {
    this.rows = rowsOf(message);
  }

  handleReadyForQuery(): void {
    this.#whenDone?.();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  #onceReady(send: (connection: CopyConnection) => void): void {
    this.#whenReady = () => {
      this.#whenReady = undefined;
      if (this.#connection) send(this.#connection);
    };
    if (this.#isReady) this.#whenReady();
  }
}
