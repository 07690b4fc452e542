import { expect, it } from 'vitest';
import { logSerializers } from './http-server.ts';

it('the log contains neither the query of an address nor the values of a database error', () => {
  expect(
    logSerializers.req({ method: 'GET', url: '/api/File/DownloadFile?filePath=secret' }),
  ).toEqual({
    method: 'GET',
    path: '/api/File/DownloadFile',
  });
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
