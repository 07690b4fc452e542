import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ConfigError } from '#config.ts';
import { testFileStore } from '#testing/storage/file-store-contract.ts';
import { openS3Gate } from '#testing/storage/s3-gate.ts';
import { openS3Store, type S3Place } from './file-store-s3.ts';

const gate = await openS3Gate(inject('s3'));
afterAll(() => gate.close());
beforeEach(() => {
  gate.fault = undefined;
  gate.calls = [];
});
const place: S3Place = {
  bucket: 'diwan-test',
  region: 'me-central-1',
  endpoint: gate.url,
  keyId: 'S3RVER',
  secret: 'S3RVER',
  isInPath: true,
};
const megabytes = (count: number) => randomBytes(count * 1024 * 1024);

async function* piecesOf(content: Buffer) {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}

testFileStore('a bucket of the S3 protocol', () => openS3Store(place));

describe('a start with S3', () => {
  const open = (changed: Partial<S3Place>) =>
    openS3Store({ ...place, ...changed }).then(
      () => 'opened',
      (error: Error) => {
        expect(error).toBeInstanceOf(ConfigError);
        return error.message;
      },
    );

  it('creates a missing bucket, and leaves nothing in it', async () => {
    const files = await openS3Store({ ...place, bucket: `new-${randomUUID()}` });
    await expect(files.read(randomUUID())).rejects.toThrow('AttachmentNotFound');
    expect(gate.calls.filter((call) => /^(PUT|DELETE) .*incoming/.test(call))).toHaveLength(2);
  });

  it.each([{ secret: 'not-the-secret' }, { keyId: 'UNKNOWN-KEY' }])(
    'names the settings of wrong keys, and shows no secret: %j',
    async (changed) => {
      const message = await open(changed);
      expect(message).toMatch(
        /^Settings S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY cannot be used: .*diwan-test [^\n]*$/,
      );
      expect(message).not.toContain(changed.secret ?? 'S3RVER');
    },
  );

  it('names the bucket that may only be read', async () => {
    gate.fault = (call) => (call.startsWith('PUT') ? { refuse: [403, 'AccessDenied'] } : undefined);
    expect(await open({})).toMatch(/they may not list, write, read and delete .* diwan-test/);
  });

  it('names the address that nobody answers', async () => {
    expect(await open({ endpoint: 'http://127.0.0.1:1' })).toMatch(
      /^Setting S3_ENDPOINT cannot be used: .*ECONNREFUSED/,
    );
  });
});

const lines: string[] = [];
const files = await openS3Store(place, (line) => void lines.push(line));
const impatient = await openS3Store({ ...place, answerMs: 300 }, (line) => void lines.push(line));

describe('calls to S3', () => {
  const receive = (content: Buffer) =>
    files.receive(Readable.from(piecesOf(content)), content.length);
  async function store(content: Buffer): Promise<string> {
    const id = randomUUID();
    await files.store(await receive(content), id);
    return id;
  }
  beforeEach(() => void lines.splice(0));

  it('sends a large file in parts, with a checksum each, and leaves nothing else', async () => {
    const content = megabytes(12);
    const id = await store(content);
    expect(gate.calls.filter((call) => call.includes('partNumber='))).toHaveLength(3);
    expect((await buffer(await files.read(id))).equals(content)).toBe(true);
    const end = { start: content.length - 9, end: content.length - 1 };
    expect(await buffer(await files.read(id, end))).toEqual(content.subarray(-9));
  });

  it('gives up a file that becomes too long, and its parts', async () => {
    const content = megabytes(12);
    await expect(
      files.receive(Readable.from(piecesOf(content)), content.length - 1),
    ).rejects.toThrow('AttachmentTooLarge');
    expect(gate.calls.at(-1)).toMatch(/^DELETE .*uploadId=/);
  });

  it('tries again where the storage is busy or silent', async () => {
    const id = await store(Buffer.from('kept'));
    let calls = 0;
    gate.fault = () => (calls++ === 0 ? { refuse: [503, 'SlowDown'] } : undefined);
    expect((await buffer(await files.read(id))).toString()).toBe('kept');
    calls = 0;
    gate.fault = () => (calls++ === 0 ? { hangs: true } : undefined);
    expect((await buffer(await impatient.read(id))).toString()).toBe('kept');
    expect([calls, lines]).toEqual([2, []]);
  });

  it.each([{ refuse: [503, 'SlowDown'] as [number, string] }, { hangs: true }])(
    'is busy for callers while the storage fails, with a line for the operator: %j',
    async (fault) => {
      const id = await store(Buffer.from('kept'));
      gate.fault = () => fault;
      const busy = { refusal: 'ServerBusy' };
      await expect(impatient.read(id)).rejects.toMatchObject(busy);
      await expect(impatient.receive(Readable.from([Buffer.from('new')]), 9)).rejects.toMatchObject(
        busy,
      );
      await expect(
        impatient.blocks?.putBlock(randomUUID(), 'YQ==', Readable.from([Buffer.from('a')]), 9),
      ).rejects.toMatchObject(busy);
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatch(/^The object storage could not read: /);
      expect(lines.join()).not.toContain('S3RVER');
      gate.fault = undefined;
      expect((await buffer(await files.read(id))).toString()).toBe('kept');
    },
  );

  it.each([1000, 6 * 1024 * 1024])(
    'never stores %d bytes that changed on the way',
    async (size) => {
      gate.fault = (call) =>
        call.startsWith('PUT') && /whole-/.test(call) ? { damages: true } : undefined;
      await expect(receive(randomBytes(size))).rejects.toMatchObject({ refusal: 'ServerBusy' });
    },
  );

  it('shows a break in the middle of a file', async () => {
    const id = await store(megabytes(2));
    gate.fault = () => ({ cutsAfter: 1000 });
    await expect(files.read(id).then((content) => buffer(content))).rejects.toThrow();
  });
});
