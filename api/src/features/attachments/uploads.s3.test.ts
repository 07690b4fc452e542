import { afterAll, describe, expect, inject, it } from 'vitest';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openS3Gate } from '#testing/storage/s3-gate.ts';
import { testUploadsOn } from '#testing/storage/test-uploads.ts';
import { useTestApp } from '#testing/test-app.ts';

// The test server keeps half an object where a sender is killed, and can list nothing afterwards. The
// gate passes whole bodies only.
const gate = await openS3Gate(inject('s3'));
afterAll(() => gate.close());
const settings = {
  S3_BUCKET: 'diwan-uploads',
  S3_ENDPOINT: gate.url,
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
};

describe('the product on a storage of the S3 protocol', () => {
  const app = useTestApp(settings);

  it('inspects uploaded files and serves ranges, while browsers talk to the portal alone', async () => {
    const stage = openRequestStage(app);
    const { requestId } = await stage.send('individual', paidService);
    const token = await app.signIn('individual');
    const filePath =
      (await stage.read('individual', requestId)).body.attachments[0]?.filePath ?? '';
    const part = await app.server.inject({
      url: '/api/File/DownloadFile',
      query: { filePath },
      headers: { authorization: `Bearer ${token}`, range: 'bytes=0-7' },
    });
    expect([part.statusCode, part.body]).toEqual([206, smallPdf.subarray(0, 8).toString()]);
    expect(String(part.headers['content-range'])).toBe(`bytes 0-7/${smallPdf.length}`);
  });

  testUploadsOn(
    app,
    { ...settings, S3_BUCKET: 'diwan-killed' },
    // The gate holds whole bodies, in the memory of this process.
    { ...settings, S3_BUCKET: 'diwan-memory', S3_ENDPOINT: inject('s3') },
  );
});
