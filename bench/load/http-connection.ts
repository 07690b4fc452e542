// A client that costs the machine as little as possible: one request at a time on an open
// connection.
import { connect, type Socket } from 'node:net';

/** A reply; `body` is as it was sent, without an encoding of the transfer. */
interface Reply {
  status: number;
  /** The first line and the headers, with a line break before each header. */
  head: string;
  body: Buffer;
}

const timeoutMs = 30_000;
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

// The chunks of a body, or `undefined` while one is missing.
function joinChunks(received: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const line = received.indexOf(lineEnd, at);
    if (line < 0) return undefined;
    const length = Number.parseInt(received.toString('latin1', at, line), 16);
    const end = line + 2 + length + 2;
    if (received.length < end) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(received.subarray(line + 2, line + 2 + length));
    at = end;
  }
}

/** The first reply of what was received, or `undefined` while it is incomplete. */
export function readReply(received: Buffer): (Reply & { isLast: boolean }) | undefined {
  const headLength = received.indexOf(headEnd);
  if (headLength < 0) return undefined;
  const head = received.toString('latin1', 0, headLength);
  const start = headLength + 4;
  const status = Number(head.slice(9, 12));
  const isLast = /\r\nconnection: close/i.test(head);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const whole = joinChunks(received, start);
    return whole && { status, head, isLast, body: whole.body };
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return received.length < start + length
    ? undefined
    : { status, head, isLast, body: received.subarray(start, start + length) };
}

/** An open connection to a server of this machine. */
export class HttpConnection {
  isOpen = true;
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #settle: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true).setTimeout(timeoutMs);
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#socket.on('timeout', () => this.#socket.destroy(new Error('no reply in 30 s')));
    this.#socket.on('error', (error: Error & { code?: string }) =>
      this.#end(new Error(error.code ?? error.message)),
    );
    this.#socket.on('close', () => this.#end(new Error('the connection was closed')));
  }

  /** Sends a whole request; rejects when the connection ends before its reply. */
  send(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error('the connection was closed'));
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(error: Error): void {
    this.isOpen = false;
    this.#settle?.reject(error);
    this.#settle = undefined;
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes);
    const received = this.#received.length === 1 ? bytes : Buffer.concat(this.#received);
    const reply = readReply(received);
    if (!reply) {
      this.#received = [received];
      return;
    }
    this.#received = [];
    const settle = this.#settle;
    this.#settle = undefined;
    if (reply.isLast) {
      this.isOpen = false;
      this.#socket.destroy();
    }
    settle?.resolve(reply);
  }
}
