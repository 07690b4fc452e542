import { WebSocket, type RawData } from 'ws';
import type { Caller } from '../auth/session.ts';
import {
  FrameError,
  frames,
  messageType,
  readHandshake,
  readMessage,
  splitRecords,
  type HubMessage,
} from './signalr-frames.ts';

/** Times in milliseconds, sizes in bytes or letters. Keepalive and timeout: specification §9. */
export interface HubLimits {
  pingMs: number;
  silenceMs: number;
  handshakeMs: number;
  messageBytes: number;
  /** Records between two pings; a client of ours sends one ping. */
  recordsPerPing: number;
  connectionsPerUser: number;
  bufferedBytes: number;
  /**
   * How often news that nobody announced is looked for: that of a process that died, or of a
   * transaction begun elsewhere.
   */
  strayMs: number;
}

/** The limits of the product; tests take shorter times. */
export const hubLimits: HubLimits = {
  pingMs: 15_000,
  silenceMs: 30_000,
  handshakeMs: 15_000,
  messageBytes: 32_768,
  recordsPerPing: 200,
  connectionsPerUser: 20,
  bufferedBytes: 1_048_576,
  strayMs: 2000,
};

interface ConnectionOptions {
  socket: WebSocket;
  limits: HubLimits;
  /**
   * Who holds the connection now; `undefined` once the session has ended. Throws when that cannot
   * be known.
   */
  findCaller: () => Promise<Caller | undefined>;
  /** What a caller hears; `undefined` for nothing. */
  audienceOf: (caller: Caller) => string | undefined;
  caller: Caller;
}

/** One client of a hub, from its upgrade to its end. */
export class HubConnection {
  readonly userId: string;
  /** What it hears; `undefined` until the handshake is done. */
  audience: string | undefined;
  #options: ConnectionOptions;
  #rest = '';
  #heardAt = Date.now();
  #records = 0;
  #timers: NodeJS.Timeout[];

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.userId = options.caller.userId;
    const { socket, limits } = options;
    const handshake = setTimeout(
      () => this.#isOpen() || this.end('Handshake was not sent in time.', false),
      limits.handshakeMs,
    );
    const beat = setInterval(() => void this.#beat(), limits.pingMs);
    this.#timers = [handshake, beat];
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // The close that follows an error ends everything.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#timers.forEach((timer) => clearTimeout(timer)));
  }

  /**
   * Says an event that was written once for all who hear it. Whoever does not keep up is hung up on
   * and fetches when they come back.
   */
  say(frame: string): void {
    const { socket, limits } = this.#options;
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > limits.bufferedBytes) socket.terminate();
    else socket.send(frame);
  }

  /** Ends in order: an error is said only to a client whose fault it is. */
  end(error: string | undefined, allowReconnect: boolean): void {
    const { socket } = this.#options;
    if (this.#isOpen())
      this.say(
        frames.close({
          ...(error ? { error } : {}),
          ...(allowReconnect ? { allowReconnect } : {}),
        }),
      );
    else if (error) this.say(frames.handshakeFailed(error));
    this.audience = undefined;
    socket.close(error ? 1008 : 1001);
    // A client that does not answer the close is not waited for.
    const patience = setTimeout(() => socket.terminate(), 1000);
    socket.once('close', () => clearTimeout(patience));
  }

  #isOpen(): boolean {
    return this.audience !== undefined;
  }

  async #beat(): Promise<void> {
    const { socket, limits, findCaller, audienceOf } = this.#options;
    this.#records = 0;
    if (Date.now() - this.#heardAt > limits.silenceMs) return socket.terminate();
    if (!this.#isOpen()) return;
    this.say(frames.ping);
    try {
      const caller = await findCaller();
      const audience = caller && audienceOf(caller);
      if (!this.#isOpen()) return;
      if (audience === undefined) this.end(undefined, true);
      else this.audience = audience;
    } catch {
      // A database that is away for a moment ends nobody's session.
    }
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#options.socket.readyState !== WebSocket.OPEN) return;
    try {
      if (isBinary) throw new FrameError('Only text is supported.');
      this.#heardAt = Date.now();
      const { records, rest } = splitRecords(this.#rest + String(data));
      if (rest.length > this.#options.limits.messageBytes)
        throw new FrameError('A record is too long.');
      this.#rest = rest;
      for (const record of records) this.#take(record);
    } catch (error) {
      this.end(
        error instanceof FrameError ? error.message : 'The message could not be read.',
        false,
      );
    }
  }

  #take(record: string): void {
    this.#records += 1;
    if (this.#records > this.#options.limits.recordsPerPing)
      throw new FrameError('Too many messages.');
    if (this.#isOpen()) return this.#answer(readMessage(record));
    readHandshake(record);
    this.audience = this.#options.audienceOf(this.#options.caller);
    this.say(frames.handshakeDone);
  }

  // These hubs tell and do not take orders.
  #answer({ type, target, invocationId }: HubMessage): void {
    if (type === messageType.close) this.end(undefined, false);
    const isCall = type === messageType.invocation || type === messageType.streamInvocation;
    if (isCall && typeof invocationId === 'string')
      this.say(frames.failed(invocationId, `Unknown hub method '${String(target).slice(0, 60)}'`));
  }
}
