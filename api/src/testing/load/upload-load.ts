import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import { completeAttachment, createAttachment } from '@diwan/contract/requests/attachments';
import type { RunningProgram } from '../programs/running-program.ts';
import { smallPdf } from '../requests/demo-request.ts';

/** The attachment rule of the service for which documents are uploaded. */
export interface UploadTarget {
  serviceId: number;
  name: string;
}

/** A document and where a user uploads it. */
interface Upload {
  program: RunningProgram;
  token: string;
  target: UploadTarget;
  content: Buffer;
}

/** The acknowledged ids of a document, and the folder that must hold its content. */
interface UploadResult {
  dataDir: string;
  acknowledged: readonly string[];
  content: Buffer;
}

const blockName = (index: number) => Buffer.from(String(index).padStart(6, '0')).toString('base64');

/** A PDF of about this many bytes. */
export function largePdf(bytes: number): Buffer {
  return Buffer.concat([
    smallPdf.subarray(0, 9),
    Buffer.alloc(bytes, '%filling text\n'),
    Buffer.from('\n'),
    smallPdf.subarray(9),
  ]);
}

class UnexpectedStatus extends Error {
  readonly isTemporary: boolean;
  readonly seconds: number;
  constructor(what: string, status: number, retryAfter: string | null | undefined) {
    super(`${what}: ${status}`);
    this.isTemporary = status === 429 || status >= 500;
    this.seconds = Number(retryAfter ?? 1);
  }
}

/** Performs one step of a transfer and repeats it after temporary errors. */
type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;
const withoutRetry: Retry = (work) => work();

/**
 * Repeats as the browser does (web/src/lib/api/retry.ts): after network errors and temporary
 * refusals. `report` receives the reason.
 */
export function withRetries(report: (reason: string) => void): Retry {
  return async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const mayPass =
          error instanceof TypeError || (error instanceof UnexpectedStatus && error.isTemporary);
        if (!mayPass) throw error;
        report(String((error as Error).cause ?? error));
        await sleep(1000 * (error instanceof UnexpectedStatus ? error.seconds : 1));
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
    throw new UnexpectedStatus('refused', response.status, response.headers.get('retry-after'));
}

/**
 * Sends one document in blocks, as a browser does. Returns its id after the server acknowledged it.
 */
export async function sendInBlocks(
  { program, token, target, content }: Upload,
  retry = withoutRetry,
): Promise<string> {
  const ask: RunningProgram['call'] = (call, options) =>
    retry(async () => {
      const answer = await program.call(call, options);
      if (answer.status !== 200)
        throw new UnexpectedStatus(
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
    names.push(blockName(names.length));
    await retry(() =>
      put(
        `${address}&comp=block&blockid=${encodeURIComponent(names.at(-1) ?? '')}`,
        content.subarray(start, start + body.upload.blockBytes),
      ),
    );
  }
  await retry(() =>
    put(
      `${address}&comp=blocklist`,
      `<BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join('')}</BlockList>`,
    ),
  );
  await ask(completeAttachment, { token, params: { attachmentId: body.attachmentId } });
  return body.attachmentId;
}

/**
 * Sends several documents at a time until the program is killed. `acknowledged` holds the
 * acknowledged ids at each moment and is the result.
 */
export async function sendUntilKilled(
  upload: Upload,
  acknowledged: string[] = [],
): Promise<string[]> {
  await Promise.all(
    [1, 2, 3].map(async () => {
      try {
        for (;;) acknowledged.push(await sendInBlocks(upload));
      } catch (error) {
        // The program was killed, so the connection is closed.
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
 * The problems after a crash: acknowledged documents that are missing, and stored documents that
 * are incomplete.
 */
export async function findUploadProblems(
  database: Database,
  { dataDir, acknowledged, content }: UploadResult,
  read = readFolder,
): Promise<string[]> {
  const rows = await database
    .selectFrom('attachments')
    .select(['id'])
    .where('file_name', '=', 'load.pdf')
    .where('uploaded_at', 'is not', null)
    .execute();
  const stored = new Set(rows.map(({ id }) => id));
  const lost = acknowledged
    .filter((id) => !stored.has(id))
    .map((id) => `${id} was acknowledged and is missing`);
  const incomplete: string[] = [];
  for (const id of stored) if (!(await read(dataDir, id))?.equals(content)) incomplete.push(id);
  return [...lost, ...incomplete.map((id) => `${id} is stored and incomplete`)];
}
