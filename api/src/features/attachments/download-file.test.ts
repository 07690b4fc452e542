import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRange } from '#platform/files/send-file.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';

describe('a range of 100 bytes', () => {
  it.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', null],
    ['bytes=-0', null],
    ['bytes=200-300', null],
    ['bytes=9-1', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=-', undefined],
    ['pages=1-2', undefined],
    ['bytes=a-b', undefined],
    [undefined, undefined],
  ])('%j', (header, range) => expect(readRange(header, 100)).toEqual(range));
});

describe('DownloadFile', () => {
  const app = useTestApp();
  let filePath: string;
  let whole: Buffer;
  let etag: string;
  beforeAll(async () => {
    const stage = openRequestStage(app);
    const { requestId } = await stage.send('individual', paidService);
    filePath = (await stage.read('individual', requestId)).body.attachments[0]?.filePath ?? '';
    const answer = await get();
    [whole, etag] = [answer.rawPayload, String(answer.headers.etag)];
  });
  const get = async (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.server.inject({
      method,
      url: '/api/File/DownloadFile',
      query: { filePath },
      headers: { authorization: `Bearer ${await app.signIn('individual')}`, ...headers },
    });

  it('sends the file as a download with a policy that blocks active content', async () => {
    const { statusCode, headers } = await get();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(whole.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''/);
  });

  it('sends a range with its position', async () => {
    const { statusCode, headers, rawPayload } = await get({ range: 'bytes=5-9' });
    expect([statusCode, headers['content-range'], headers['content-length']]).toEqual([
      206,
      `bytes 5-9/${whole.length}`,
      '5',
    ]);
    expect(rawPayload).toEqual(whole.subarray(5, 10));
  });

  it('sends the whole file for an If-Range of another file, and the range for one of this file', async () => {
    expect((await get({ range: 'bytes=5-9', 'if-range': '"another"' })).statusCode).toBe(200);
    expect((await get({ range: 'bytes=5-9', 'if-range': etag })).statusCode).toBe(206);
  });

  it('replies with 416 for a range that does not exist', async () => {
    const { statusCode, headers, body } = await get({ range: `bytes=${whole.length}-` });
    expect([statusCode, headers['content-range'], body]).toEqual([
      416,
      `bytes */${whole.length}`,
      '',
    ]);
  });

  it('answers HEAD without the content', async () => {
    const { statusCode, headers, body } = await get({}, 'HEAD');
    expect([statusCode, headers['content-length'], headers.etag, body]).toEqual([
      200,
      String(whole.length),
      etag,
      '',
    ]);
  });

  it.each<[string, (path: string) => void, number, string]>([
    ['a file that is lost', () => undefined, 404, 'AttachmentNotFound'],
    [
      'a link out of the store',
      (path) => symlinkSync('/etc/passwd', path),
      404,
      'AttachmentNotFound',
    ],
    ['what cannot be read', (path) => mkdirSync(path), 500, 'InternalServerError'],
  ])(
    'replies with a normal error for %s, not with a file that contains one',
    async (_, place, status, error) => {
      const id = etag.slice(1, -1);
      const path = join(app.config.DATA_DIR, 'files', id.slice(0, 2), id);
      rmSync(path);
      place(path);
      const answer = await get({ range: 'bytes=0-9' });
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, whole);
      expect([answer.statusCode, (answer.json() as { error: string }).error]).toEqual([
        status,
        error,
      ]);
      expect(answer.headers['content-type']).toContain('application/json');
      for (const name of ['content-disposition', 'content-range', 'etag', 'accept-ranges'])
        expect(answer.headers[name], name).toBeUndefined();
      expect((await get()).rawPayload).toEqual(whole);
    },
  );
});
