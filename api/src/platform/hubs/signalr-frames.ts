/**
 * The SignalR hub protocol, JSON over text. Source: github.com/dotnet/aspnetcore,
 * src/SignalR/docs/specs/HubProtocol.md.
 */
const separator = '\u001e';

/** The message types of the protocol that this server reads or writes. */
export const messageType = {
  invocation: 1,
  completion: 3,
  streamInvocation: 4,
  ping: 6,
  close: 7,
} as const;

/** The fields of a client's message that this server reads. */
export interface HubMessage {
  type: number;
  target?: unknown;
  arguments?: unknown;
  invocationId?: unknown;
}

/** A frame that violates the protocol. */
export class FrameError extends Error {}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    // guard: record to a hub that is no object (hubs) => true
    if (isObject(value)) return value;
  } catch {
    // The error below covers it.
  }
  throw new FrameError('A record is not a JSON object.');
}

/** Splits text into complete records. `rest` is the beginning of an incomplete one. */
export function splitRecords(text: string): { records: string[]; rest: string } {
  const records = text.split(separator);
  const rest = records.pop() ?? '';
  return { records, rest };
}

/** Checks the first record of a connection. Throws a `FrameError` for an unsupported protocol. */
export function readHandshake(record: string): void {
  const { protocol, version } = readRecord(record);
  if (protocol !== 'json') throw new FrameError('Only the protocol json is supported.');
  if (version !== 1) throw new FrameError('Only version 1 of the protocol json is supported.');
}

/** Reads a record after the handshake. Throws a `FrameError` for a record without a type. */
export function readMessage(record: string): HubMessage {
  const message = readRecord(record);
  if (!Number.isInteger(message.type)) throw new FrameError('A record has no type.');
  return message as unknown as HubMessage;
}

function write(record: object): string {
  return JSON.stringify(record) + separator;
}

/** The records that the server sends, each with its separator. */
export const frames = {
  handshakeDone: write({}),
  ping: write({ type: messageType.ping }),
  handshakeFailed: (error: string) => write({ error }),
  event: (target: string, argument: object) =>
    write({ type: messageType.invocation, target, arguments: [argument] }),
  completed: (invocationId: string) => write({ type: messageType.completion, invocationId }),
  failed: (invocationId: string, error: string) =>
    write({ type: messageType.completion, invocationId, error }),
  close: (options: { error?: string; allowReconnect?: boolean }) =>
    write({ type: messageType.close, ...options }),
};
