import { beforeAll, expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { logSerializers } from './http-server.ts';

const app = useTestApp();
const logged: unknown[] = [];
beforeAll(() => {
  app.server.addHook('onResponse', async (request) => {
    logged.push(logSerializers.req(request).path);
  });
});

it('the log contains templates of addresses, and nothing that people type into them', async () => {
  await app.server.inject({ method: 'POST', url: '/api/Payment/ReceivePaymentMessage/secret' });
  const addresses = [
    '/api/File/DownloadFile?filePath=secret',
    '/requests/Create/secret?ln=en-US',
    '/home/services',
    '/secret@example.ae',
    '/api/secret',
  ];
  for (const url of addresses) await app.server.inject({ url });
  expect(logged).toEqual([
    '/api/Payment/ReceivePaymentMessage/:provider',
    '/api/File/DownloadFile',
    '/requests/Create/:serviceName',
    '/home/services/:accountType?',
    'another address',
    'another address',
  ]);
});

it('the log contains no values of a database error', () => {
  const error = Object.assign(
    new Error('duplicate key value violates unique constraint "users_email"'),
    {
      code: '23505',
      detail: 'Key (email)=(person@example.ae) already exists.',
      parameters: ['person@example.ae'],
    },
  );
  expect(JSON.stringify(logSerializers.err(error))).not.toContain('person@');
  expect(logSerializers.err(error)).toMatchObject({
    type: 'Error',
    message: error.message,
    code: '23505',
    stack: expect.stringContaining('duplicate key'),
  });
});
