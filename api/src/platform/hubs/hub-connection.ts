import { WebSocket, type RawData } from 'ws';
import { followMethod, mostFollowed } from '@diwan/contract/wire/hubs';
import { maximumLongId } from '@diwan/contract/wire/ids';
import type { Caller } from '../auth/caller.ts';
import {
  FrameError,
  frames,
  messageType,
  readHandshake,
  readMessage,
  splitRecords,
  type HubMessage,
} from './signalr-frames.ts';

/** Times are in milliseconds, sizes in bytes or characters. Ping and timeout: specification §9. */
export interface HubLimits {
  pingMs: number;
  timeoutMs: number;
  handshakeMs: number;
  messageBytes: number;
  /** The records that a client may send between two pings. Our client sends one. */
  recordsPerPing: number;
  connectionsPerUser: number;
  /** Of all users, in one process. */
  connectionsInAll: number;
  bufferedBytes: number;
  /**
   * How often the server looks for events that were not announced or did not arrive: those of a
   * process that died, and lost notifications. A client is right again within a second.
   */
  recoveryPollMs: number;
  /** How often the server looks for connections whose token has expired. */
  expiryPollMs: number;
}

/** The limits of the product. Tests shorten the times. */
export const hubLimits: HubLimits = {
  pingMs: 15_000,
  timeoutMs: 30_000,
  handshakeMs: 15_000,
  messageBytes: 32_768,
  recordsPerPing: 200,
  connectionsPerUser: 20,
  connectionsInAll: 20_000,
  bufferedBytes: 1_048_576,
  recoveryPollMs: 250,
  expiryPollMs: 1000,
};

interface ConnectionOptions {
  socket: WebSocket;
  limits: HubLimits;
  /**
   * The caller of the connection's token; `undefined` when the session has ended. Throws when the
   * database cannot be reached.
   */
  findCaller: () => Promise<Caller | undefined>;
  /** When the token expires, in milliseconds since 1970. */
  expiresAt: number;
  /** The audience of a caller; `undefined` for none. */
  audienceOf: (caller: Caller) => string | undefined;
  /** The topics that a caller hears without asking. */
  topicsOf: (caller: Caller) => readonly string[];
  /**
   * Follows the things with these ids instead of those before, and returns their topics: only those
   * that the caller may follow.
   */
  follow: (caller: Caller, ids: readonly number[]) => Promise<readonly string[]>;
  caller: Caller;
}

/** The ids of a call of `followMethod`. Throws a `FrameError`. */
function readFollowed(args: unknown): number[] {
  const [ids, ...others]: unknown[] = Array.isArray(args) ? args : [];
  const isId = (id: unknown) => typeof id === 'number' && Number.isInteger(id) && id > 0;
  if (!Array.isArray(ids) || others.length > 0 || ids.length > mostFollowed || !ids.every(isId))
    throw new FrameError(`${followMethod} takes a list of at most ${mostFollowed} ids.`);
  return [...new Set(ids as number[])].filter((id) => id <= maximumLongId);
}

/** One connection of a client to a hub. */
export class HubConnection {
  /** `undefined` until the handshake is complete and after the end. */
  audience: string | undefined;
  /** The topics of the caller, and those that the client follows. */
  topics: readonly string[] = [];
  #caller: Caller;
  /** Calls of `followMethod` are carried out one after the other. */
  #following: Promise<void> = Promise.resolve();
  #options: ConnectionOptions;
  #incomplete = '';
  #receivedAt = Date.now();
  #records = 0;
  #timers: NodeJS.Timeout[];

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#caller = options.caller;
    const { socket, limits } = options;
    const handshake = setTimeout(
      // guard: time of a hub handshake (hubs) => () => undefined
      () => this.#isReady() || this.end('Handshake was not sent in time.', false),
      limits.handshakeMs,
    );
    const ping = setInterval(() => void this.#checkAndPing(), limits.pingMs);
    this.#timers = [handshake, ping];
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // A close event follows every error.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#timers.forEach((timer) => clearTimeout(timer)));
  }

  /**
   * Sends frames. A client that is too slow to receive is disconnected; it fetches the data again
   * when it reconnects.
   */
  send(frames: string | Buffer): void {
    const { socket, limits } = this.#options;
    if (socket.readyState !== WebSocket.OPEN) return;
    // guard: client of a hub that does not read (hubs) => false
    if (socket.bufferedAmount > limits.bufferedBytes) socket.terminate();
    else socket.send(frames, { binary: false });
  }

  /** Whether the connection is one of this user, or of somebody for whom this user acts. */
  isOf(userId: string): boolean {
    const { caller } = this.#options;
    return caller.userId === userId || caller.actor?.userId === userId;
  }

  /** Ends the connection when its token has expired. The client connects again with a fresh token. */
  endIfExpired(now: number): void {
    const { socket, expiresAt } = this.#options;
    if (expiresAt <= now && socket.readyState === WebSocket.OPEN)
      this.end(undefined, true, 'The token has expired.');
  }

  /**
   * Reads the caller again: ends the connection with its session, and when the caller hears something
   * else than before. The client connects again, fetches its data and follows what it still may.
   */
  async check(): Promise<void> {
    const { findCaller, audienceOf } = this.#options;
    if (!this.#isReady()) return;
    try {
      const caller = await findCaller();
      const audience = caller && audienceOf(caller);
      if (!this.#isReady()) return;
      if (!caller || audience === undefined)
        return this.end(undefined, true, 'The session has ended.');
      // guard: access of a hub connection that has changed (agency-scope)
      if (audience !== this.audience || this.#topicsOf(caller) !== this.#topicsOf(this.#caller))
        return this.end(undefined, true, 'The access has changed.');
      this.#caller = caller;
    } catch {
      // A short interruption of the database does not end the connection.
    }
  }

  /** Closes the connection. `error` is sent to a client that caused it; `reason` names another cause. */
  end(error: string | undefined, allowReconnect: boolean, reason = error): void {
    const { socket } = this.#options;
    if (this.#isReady())
      this.send(
        frames.close({
          ...(error ? { error } : {}),
          ...(allowReconnect ? { allowReconnect } : {}),
        }),
      );
    else if (error) this.send(frames.handshakeFailed(error));
    this.audience = undefined;
    this.topics = [];
    // A reason holds 123 bytes.
    socket.close(error ? 1008 : 1001, reason?.slice(0, 120));
    // A client that does not answer the close is disconnected.
    const timeout = setTimeout(() => socket.terminate(), 1000);
    socket.once('close', () => clearTimeout(timeout));
  }

  #isReady(): boolean {
    return this.audience !== undefined;
  }

  async #checkAndPing(): Promise<void> {
    const { socket, limits } = this.#options;
    this.#records = 0;
    // guard: silent client of a hub (hubs)
    if (Date.now() - this.#receivedAt > limits.timeoutMs) return socket.terminate();
    if (!this.#isReady()) return;
    this.send(frames.ping);
    // guard: role or service provider of a hub connection that changed without a word (hubs)
    await this.check();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#options.socket.readyState !== WebSocket.OPEN) return;
    try {
      // guard: bytes to a hub that are not text (hubs)
      if (isBinary) throw new FrameError('Only text is supported.');
      this.#receivedAt = Date.now();
      const { records, rest } = splitRecords(this.#incomplete + String(data));
      // guard: size of a hub record in pieces (hubs)
      if (rest.length > this.#options.limits.messageBytes)
        throw new FrameError('A record is too long.');
      this.#incomplete = rest;
      for (const record of records) this.#handleRecord(record);
    } catch (error) {
      this.end(
        error instanceof FrameError ? error.message : 'The message could not be read.',
        false,
      );
    }
  }

  #handleRecord(record: string): void {
    this.#records += 1;
    // guard: flood of records to a hub (hubs)
    if (this.#records > this.#options.limits.recordsPerPing)
      throw new FrameError('Too many messages.');
    if (this.#isReady()) return this.#handleMessage(readMessage(record));
    readHandshake(record);
    this.audience = this.#options.audienceOf(this.#caller);
    this.#setTopics([]);
    this.send(frames.handshakeDone);
  }

  #topicsOf(caller: Caller): string {
    return this.#options.topicsOf(caller).join(' ');
  }

  #setTopics(followed: readonly string[]): void {
    this.topics = [...this.#options.topicsOf(this.#caller), ...followed];
  }

  #handleMessage({ type, target, arguments: args, invocationId }: HubMessage): void {
    if (type === messageType.close) this.end(undefined, false);
    const isCall = type === messageType.invocation || type === messageType.streamInvocation;
    const id = typeof invocationId === 'string' ? invocationId : undefined;
    if (type === messageType.invocation && target === followMethod)
      this.#follow(readFollowed(args), id);
    else if (isCall && id !== undefined)
      this.send(frames.failed(id, `Unknown hub method '${String(target).slice(0, 60)}'`));
  }

  #follow(ids: readonly number[], invocationId: string | undefined): void {
    const work = async () => {
      if (!this.#isReady()) return;
      const topics = await this.#options.follow(this.#caller, ids);
      if (!this.#isReady()) return;
      this.#setTopics(topics);
      if (invocationId !== undefined) this.send(frames.completed(invocationId));
    };
    this.#following = this.#following.then(work).catch(() => {
      if (invocationId !== undefined)
        this.send(frames.failed(invocationId, 'The server cannot follow at the moment.'));
    });
  }

  /** Waits until no call of the client is under way. */
  settled(): Promise<void> {
    return this.#following;
  }
}
