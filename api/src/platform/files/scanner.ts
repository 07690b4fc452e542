import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '#config.ts';

/** The result of a scan. `name` is the scanner's name for the harmful content. */
type ScanResult = { isClean: true } | { isClean: false; name: string };

/**
 * Scans for harmful content. It rejects when the scanner cannot be reached, does not answer in time
 * or refuses the content; then the result is unknown.
 */
export interface Scanner {
  scan(content: Readable): Promise<ScanResult>;
}

// `address` is a path of a unix socket, or `host:port`.
function connectTo(address: string): Socket {
  if (address.startsWith('/')) return connect(address);
  const { hostname, port } = new URL(`tcp://${address}`);
  return connect(Number(port || 3310), hostname.replace(/^\[|\]$/g, ''));
}

function lengthPrefix(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

async function* toFrames(content: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for await (const chunk of content) {
    yield lengthPrefix(chunk as Buffer);
    yield chunk as Buffer;
  }
  yield Buffer.alloc(4);
}

function parseAnswer(answer: string): ScanResult {
  const found = /^stream: (.+) FOUND\0?$/.exec(answer);
  if (found?.[1]) return { isClean: false, name: found[1] };
  if (/^stream: OK\0?$/.test(answer)) return { isClean: true };
  throw new Error(`clamd said: ${answer.slice(0, 200)}`);
}

/**
 * A scanner that speaks clamd's INSTREAM over TCP or a unix socket. It rejects after `timeoutMs`, or
 * when clamd closes the connection or answers with an error. Source: clamd(8).
 */
export function clamdScanner(address: string, timeoutMs: number): Scanner {
  return {
    async scan(content) {
      const socket = connectTo(address);
      const timer = setTimeout(
        () => socket.destroy(new Error(`clamd has not answered within ${timeoutMs} ms`)),
        timeoutMs,
      );
      let answer = '';
      const answered = new Promise<string>((resolve, reject) => {
        socket
          .on('data', (chunk) => (answer += chunk.toString()))
          .once('error', reject)
          .once('close', () => resolve(answer));
      });
      // The first failure is thrown below. The other one has the same cause and is ignored.
      answered.catch(() => undefined);
      try {
        await Promise.race([once(socket, 'connect'), answered]);
        await Promise.race([pipeline(toFrames(content), socket, { end: false }), answered]);
        return parseAnswer(await answered);
      } finally {
        clearTimeout(timer);
        socket.destroy();
        content.destroy();
      }
    },
  };
}

/** The scanner of the settings; `undefined` when CLAMD is not set. */
export function openScanner(config: Pick<Config, 'CLAMD' | 'CLAMD_SECONDS'>): Scanner | undefined {
  return config.CLAMD === undefined
    ? undefined
    : clamdScanner(config.CLAMD, config.CLAMD_SECONDS * 1000);
}
