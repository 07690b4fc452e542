import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openFolderStore } from '#platform/files/stores/file-store-folder.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import { createPartnerDocument } from '@diwan/contract/people/partner-registration';
import {
  createAttachment,
  deleteAttachment,
  downloadFile,
  uploadAttachment,
} from '@diwan/contract/requests/attachments';
import { pruneUnused } from './attachments.actions.ts';

const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
);

const app = useTestApp();
let token: string;
let other: string;
let serviceId: number;
let name: string;
let maximumBytes: number;

beforeAll(async () => {
  token = await app.signIn('individual');
  other = await app.signIn('individual2');
  const { body: list } = await app.call(getServices, {
    query: { PageSize: 100, AccountTypeId: 1 },
  });
  for (const item of list.items) {
    const { body: service } = await app.call(getService, { query: { serviceId: item.id } });
    const rule = service.attachments.find((candidate) =>
      candidate.mediaTypes.includes('application/pdf'),
    );
    if (rule) {
      [serviceId, name, maximumBytes] = [service.id, rule.name, rule.maximumBytes];
      break;
    }
  }
});

function announce(
  parts: Partial<{
    fileName: string;
    mediaType: string;
    size: number;
    name: string;
    serviceId: number;
  }> = {},
  as = token,
) {
  return app.call(createAttachment, {
    token: as,
    body: {
      serviceId,
      name,
      fileName: 'deed.pdf',
      mediaType: 'application/pdf',
      size: pdf.length,
      ...parts,
    },
  });
}

function send(attachmentId: string, body: Buffer, as = token) {
  return app.call(uploadAttachment, { token: as, params: { attachmentId }, body });
}

describe('CreateAttachment', () => {
  it('refuses a document before the transfer that the service does not accept', async () => {
    expect((await announce({ size: maximumBytes + 1 })).refused.error).toBe('AttachmentTooLarge');
    expect((await announce({ size: 10_000_000_000 })).refused.error).toBe('AttachmentTooLarge');
    expect((await announce({ size: 0 })).refused.error).toBe('AttachmentEmpty');
    expect((await announce({ mediaType: 'application/x-msdownload' })).refused.error).toBe(
      'AttachmentTypeNotAccepted',
    );
    expect((await announce({ name: 'noSuchDocument' })).refused.error).toBe('AttachmentNotFound');
    expect((await announce({ serviceId: 999_999 })).refused.error).toBe('ServiceNotFound');
    expect((await announce({ fileName: '  ' })).refused.errors).toHaveProperty('fileName');
  });

  it('lets only staff add a result, and only to an existing request', async () => {
    expect((await announce({ name: 'result' })).refused.error).toBe('AttachmentNotFound');
    const employee = await app.signIn('employee');
    const answer = await app.call(createAttachment, {
      token: employee,
      body: {
        serviceId,
        requestId: 999_999,
        name: 'result',
        fileName: 'a.pdf',
        mediaType: 'application/pdf',
        size: 9,
      },
    });
    expect(answer.refused.error).toBe('RequestNotFound');
  });

  it('replies in the caller’s language', async () => {
    const answer = await app.call(createAttachment, {
      token,
      language: 'ar-EG',
      body: { serviceId, name, fileName: 'a.pdf', mediaType: 'application/pdf', size: 0 },
    });
    expect(answer.refused.message).toMatch(/[\u0600-\u06FF]/);
  });
});

describe('UploadAttachment', () => {
  it('stores a file with accepted content once', async () => {
    const { body } = await announce();
    const answer = await send(body.attachmentId, pdf);
    expect(answer).toMatchObject({
      status: 200,
      body: { fileName: 'deed.pdf', mediaType: 'application/pdf', size: pdf.length },
    });
    expect((await send(body.attachmentId, pdf)).refused.error).toBe('AttachmentNotFound');
  });

  it.each([
    [
      'a renamed program',
      Buffer.concat([Buffer.from('MZ'), Buffer.alloc(pdf.length - 2)]),
      'AttachmentTypeNotAccepted',
    ],
    [
      'a web page',
      Buffer.from('<html><script>alert(1)</script></html>'.padEnd(pdf.length)),
      'AttachmentTypeNotAccepted',
    ],
    ['fewer bytes than announced', pdf.subarray(0, 20), 'AttachmentIncomplete'],
    ['no bytes at all', Buffer.alloc(0), 'AttachmentEmpty'],
  ])('refuses %s after the transfer and stores nothing', async (_, content, error) => {
    const { body } = await announce();
    expect((await send(body.attachmentId, content)).refused.error).toBe(error);
    const row = await app.database
      .selectFrom('attachments')
      .select('uploaded_at')
      .where('id', '=', body.attachmentId)
      .executeTakeFirst();
    expect(row?.uploaded_at).toBeNull();
  });

  it('refuses a file above the limit, whatever size was announced', async () => {
    const { body } = await announce();
    expect(
      (await send(body.attachmentId, Buffer.concat([pdf, Buffer.alloc(maximumBytes)]))).refused
        .error,
    ).toBe('AttachmentTooLarge');
  });

  it('accepts no content for another person’s document', async () => {
    const { body } = await announce();
    expect((await send(body.attachmentId, pdf, other)).refused.error).toBe('AttachmentNotFound');
  });
});

describe('DeleteAttachment', () => {
  it('deletes the caller’s own file only', async () => {
    const { body } = await announce();
    await send(body.attachmentId, pdf);
    const params = { attachmentId: body.attachmentId };
    expect((await app.call(deleteAttachment, { token: other, params })).refused.error).toBe(
      'AttachmentNotFound',
    );
    expect((await app.call(deleteAttachment, { token, params })).status).toBe(200);
    expect((await app.call(deleteAttachment, { token, params })).refused.error).toBe(
      'AttachmentNotFound',
    );
  });
});

describe('files without a request', () => {
  it('are deleted after the number of days in the setting', async () => {
    const [old, young] = [
      (await announce()).body.attachmentId,
      (await announce()).body.attachmentId,
    ];
    await send(old, pdf);
    await send(young, pdf);
    await app.database
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', old)
      .execute();
    const files = openFolderStore(join(app.config.DATA_DIR, 'files'));
    await pruneUnused({ database: app.database, files }, 30);
    const left = await app.database
      .selectFrom('attachments')
      .select('id')
      .where('id', 'in', [old, young])
      .execute();
    expect(left).toEqual([{ id: young }]);
    expect(existsSync(join(app.config.DATA_DIR, 'files', old.slice(0, 2), old))).toBe(false);
    expect(existsSync(join(app.config.DATA_DIR, 'files', young.slice(0, 2), young))).toBe(true);
  });
});

describe('DownloadFile', () => {
  it.each(['../../etc/passwd', '/etc/passwd', 'abc.def', 'W10.', '..', 'null.null'])(
    'sends nothing for %s',
    async (filePath) => {
      expect((await app.call(downloadFile, { token, query: { filePath } })).refused.error).toBe(
        'AttachmentNotFound',
      );
    },
  );
});

describe('unlimited announcements', () => {
  it('of provider documents are limited to sixty an hour, also in parallel', async () => {
    const documents = await Promise.all(
      Array.from({ length: 70 }, () =>
        app.call(createPartnerDocument, {
          token: other,
          body: {
            name: 'tradeLicence',
            fileName: 'licence.pdf',
            mediaType: 'application/pdf',
            size: 9,
          },
        }),
      ),
    );
    expect(documents.filter(({ status }) => status === 200)).toHaveLength(60);
  });
});
