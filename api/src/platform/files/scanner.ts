import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config.ts';

/** What a scan said: nothing harmful, or the name of what was found. */
export type ScanResult = { isClean: true } | { isClean: false; name: string };

/**
 * Looks for harmful content. Throws when it cannot be reached, does not answer in time, or will not
 * take the content: then nothing is known.
 */
export interface Scanner {
  scan(content: Readable): Promise<ScanResult>;
}

/** Where clamd listens: a path of a unix socket, or `host:port`. */
function dial(address: string): Socket {
  if (address.startsWith('/')) return connect(address);
  const { hostname, port } = new URL(`tcp://${address}`);
  return connect(Number(port || 3310), hostname.replace(/^\[|\]$/g, ''));
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

async function* framed(content: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for await (const chunk of content) {
    yield lengthOf(chunk as Buffer);
    yield chunk as Buffer;
  }
  yield Buffer.alloc(4);
}

function readAnswer(answer: string): ScanResult {
  const found = /^stream: (.+) FOUND\0?$/.exec(answer);
  if (found?.[1]) return { isClean: false, name: found[1] };
  if (/^stream: OK\0?$/.test(answer)) return { isClean: true };
  throw new Error(`clamd said: ${answer.slice(0, 200)}`);
}

/**
 * A scanner that speaks clamd's INSTREAM over TCP or a unix socket. Throws after `limitMs`, or when
 * clamd hangs up or answers an error. Source: clamd(8).
 */
export function clamdScanner(address: string, limitMs: number): Scanner {
  return {
    async scan(content) {
      const socket = dial(address);
      const timer = setTimeout(
        () => socket.destroy(new Error(`clamd has not answered within ${limitMs} ms`)),
        limitMs,
      );
      let answer = '';
      const answered = new Promise<string>((resolve, reject) => {
        socket
          .on('data', (chunk) => (answer += chunk.toString()))
          .once('error', reject)
          .once('close', () => resolve(answer));
      });
      // Whichever fails first is told; the other one's failure belongs to it.
      answered.catch(() => undefined);
      try {
        await Promise.race([once(socket, 'connect'), answered]);
        await Promise.race([pipeline(framed(content), socket, { end: false }), answered]);
        return readAnswer(await answered);
      } finally {
        clearTimeout(timer);
        socket.destroy();
        content.destroy();
      }
    },
  };
}

/** The scanner of the settings; `undefined` where none is set. */
export function openScanner(config: Pick<Config, 'CLAMD' | 'CLAMD_SECONDS'>): Scanner | undefined {
  return config.CLAMD === undefined
    ? undefined
    : clamdScanner(config.CLAMD, config.CLAMD_SECONDS * 1000);
}
