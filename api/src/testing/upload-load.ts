import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeAttachment, createAttachment } from '@diwan/contract/requests/attachments';
import type { Database } from '../platform/database/database.ts';
import { smallPdf } from './demo-request.ts';
import type { RunningProgram } from './running-program.ts';

/** Which document the uploads are: a rule of a service. */
export interface LoadTarget {
  serviceId: number;
  name: string;
}

const named = (index: number) => Buffer.from(String(index).padStart(6, '0')).toString('base64');

/** A PDF of about this many bytes. */
export function largePdf(bytes: number): Buffer {
  return Buffer.concat([
    smallPdf.subarray(0, 9),
    Buffer.alloc(bytes, '%paper that nobody reads\n'),
    Buffer.from('\n'),
    smallPdf.subarray(9),
  ]);
}

class Unanswered extends Error {
  readonly mayPass: boolean;
  readonly seconds: number;
  constructor(what: string, status: number, retryAfter: string | null | undefined) {
    super(`${what}: ${status}`);
    this.mayPass = status === 429 || status >= 500;
    this.seconds = Number(retryAfter ?? 1);
  }
}

/** Does one step of a transfer, again where it may pass. */
export type Persist = <Result>(work: () => Promise<Result>) => Promise<Result>;
const once: Persist = (work) => work();

/**
 * As the browser does it (web/src/lib/browser/keep-trying.ts): after a break of the network, and after what
 * the server says will pass. `tell` hears why.
 */
export function patiently(tell: (fault: string) => void): Persist {
  return async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const mayPass =
          error instanceof TypeError || (error instanceof Unanswered && error.mayPass);
        if (!mayPass) throw error;
        tell(String((error as Error).cause ?? error));
        await sleep(1000 * (error instanceof Unanswered ? error.seconds : 1));
      }
    }
  };
}

async function put(address: string, body: Buffer | string): Promise<void> {
  const response = await fetch(address, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body:
      typeof body === 'string' ? body : new Uint8Array(body.buffer, body.byteOffset, body.length),
  });
  await response.arrayBuffer();
  if (response.status !== 201)
    throw new Unanswered('not taken', response.status, response.headers.get('retry-after'));
}

/**
 * Sends one document in blocks, as a browser does; answers its id once the server has said that it
 * is there.
 */
export async function sendInBlocks(
  program: RunningProgram,
  token: string,
  target: LoadTarget,
  content: Buffer,
  persist = once,
): Promise<string> {
  const ask: RunningProgram['call'] = (call, options) =>
    persist(async () => {
      const answer = await program.call(call, options);
      if (answer.status !== 200)
        throw new Unanswered(
          `${call.name} ${JSON.stringify(answer.refused)}`,
          answer.status,
          answer.headers['retry-after'] as string | undefined,
        );
      return answer;
    });
  const { body } = await ask(createAttachment, {
    token,
    body: { ...target, fileName: 'load.pdf', mediaType: 'application/pdf', size: content.length },
  });
  const address = /^https?:/.test(body.upload.url)
    ? body.upload.url
    : `http://127.0.0.1:${program.port}${body.upload.url}`;
  const names: string[] = [];
  for (let start = 0; start < content.length; start += body.upload.blockBytes) {
    names.push(named(names.length));
    await persist(() =>
      put(
        `${address}&comp=block&blockid=${encodeURIComponent(names.at(-1) ?? '')}`,
        content.subarray(start, start + body.upload.blockBytes),
      ),
    );
  }
  await persist(() =>
    put(
      `${address}&comp=blocklist`,
      `<BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join('')}</BlockList>`,
    ),
  );
  await ask(completeAttachment, { token, params: { attachmentId: body.attachmentId } });
  return body.attachmentId;
}

/**
 * Sends documents, some at a time, until the program is gone; answers those that it said were
 * there, which `acknowledged` holds at each moment.
 */
export async function sendUntilGone(
  program: RunningProgram,
  token: string,
  target: LoadTarget,
  content: Buffer,
  acknowledged: string[] = [],
): Promise<string[]> {
  await Promise.all(
    [1, 2, 3].map(async () => {
      try {
        for (;;) acknowledged.push(await sendInBlocks(program, token, target, content));
      } catch (error) {
        // The connection is gone, and with it the program.
        if (!(error instanceof TypeError)) throw error;
      }
    }),
  );
  return acknowledged;
}

async function readFolder(dataDir: string, id: string): Promise<Buffer | undefined> {
  return readFile(join(dataDir, 'files', id.slice(0, 2), id)).catch(() => undefined);
}

/**
 * What is wrong after a crash: an acknowledged document that is not there, or one that is told to
 * be there and is not whole.
 */
export async function findHalves(
  database: Database,
  dataDir: string,
  acknowledged: readonly string[],
  content: Buffer,
  read = readFolder,
): Promise<string[]> {
  const rows = await database
    .selectFrom('attachments')
    .select(['id'])
    .where('file_name', '=', 'load.pdf')
    .where('uploaded_at', 'is not', null)
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  const lost = acknowledged
    .filter((id) => !there.has(id))
    .map((id) => `${id} was acknowledged and is not there`);
  const halves: string[] = [];
  for (const id of there) if (!(await read(dataDir, id))?.equals(content)) halves.push(id);
  return [...lost, ...halves.map((id) => `${id} is told to be there and is not whole`)];
}
