import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeAttachment, createAttachment } from '@diwan/contract/attachments';
import type { Database } from '../platform/database.ts';
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
  return Buffer.concat([smallPdf.subarray(0, 9), Buffer.alloc(bytes, '%paper that nobody reads\n'), Buffer.from('\n'), smallPdf.subarray(9)]);
}

async function put(address: string, body: Buffer | string): Promise<void> {
  const response = await fetch(address, { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: typeof body === 'string' ? body : new Uint8Array(body.buffer, body.byteOffset, body.length) });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`not taken: ${response.status}`);
}

/** Sends one document in blocks, as a browser does; answers its id once the server has said that it is there. */
export async function sendInBlocks(program: RunningProgram, token: string, target: LoadTarget, content: Buffer): Promise<string> {
  const { status, body, refused } = await program.call(createAttachment, { token, body: { ...target, fileName: 'load.pdf', mediaType: 'application/pdf', size: content.length } });
  if (status !== 200) throw new Error(`not announced: ${status} ${JSON.stringify(refused)}`);
  const address = `http://127.0.0.1:${program.port}${body.upload.url}`;
  const names: string[] = [];
  for (let start = 0; start < content.length; start += body.upload.blockBytes) {
    names.push(named(names.length));
    await put(`${address}&comp=block&blockid=${encodeURIComponent(names.at(-1) ?? '')}`, content.subarray(start, start + body.upload.blockBytes));
  }
  await put(`${address}&comp=blocklist`, `<BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join('')}</BlockList>`);
  const done = await program.call(completeAttachment, { token, params: { attachmentId: body.attachmentId } });
  if (done.status !== 200) throw new Error(`not complete: ${done.status} ${JSON.stringify(done.refused)}`);
  return body.attachmentId;
}

/** Sends documents, some at a time, until the program is gone; answers those that it said were there. */
export async function sendUntilGone(program: RunningProgram, token: string, target: LoadTarget, content: Buffer): Promise<string[]> {
  const acknowledged: string[] = [];
  await Promise.all([1, 2, 3].map(async () => {
    try {
      for (;;) acknowledged.push(await sendInBlocks(program, token, target, content));
    } catch (error) {
      // The connection is gone, and with it the program.
      if (!(error instanceof TypeError)) throw error;
    }
  }));
  return acknowledged;
}

/** What is wrong after a crash: an acknowledged document that is not there, or one that is told to be there and is not whole. */
export async function findHalves(database: Database, dataDir: string, acknowledged: readonly string[], content: Buffer): Promise<string[]> {
  const rows = await database.selectFrom('attachments').select(['id']).where('file_name', '=', 'load.pdf').where('uploaded_at', 'is not', null).execute();
  const there = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !there.has(id)).map((id) => `${id} was acknowledged and is not there`);
  const halves = [...there].filter((id) => {
    const file = join(dataDir, 'files', id.slice(0, 2), id);
    return !existsSync(file) || !readFileSync(file).equals(content);
  });
  return [...lost, ...halves.map((id) => `${id} is told to be there and is not whole`)];
}
