import { beforeAll, expect, it } from 'vitest';
import { drawCard, photograph, toPng } from '#testing/draw-card.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import {
  createAttachment,
  readIdentityCard,
  uploadAttachment,
} from '@diwan/contract/requests/attachments';

const app = useTestApp();
let token: string;
let serviceId: number;

beforeAll(async () => {
  token = await app.signIn('individual');
  const { body } = await app.call(getServiceIdByServiceName, {
    query: { serviceName: 'renew-driving-licence' },
  });
  serviceId = body.serviceId;
});

async function upload(content: Buffer, mediaType = 'image/png', fileName = 'card.png') {
  const { body } = await app.call(createAttachment, {
    token,
    body: { serviceId, name: 'identityCard', fileName, mediaType, size: content.length },
  });
  const params = { attachmentId: body.attachmentId };
  await app.call(uploadAttachment, { token, params, body: content });
  return params;
}

const lines = [
  'ILARE1234567897784199012345676',
  '9003152M2001012IND<<<<<<<<<<<4',
  'KUMAR<<RAJESH<<<<<<<<<<<<<<<<<',
];

it('reads an own picture of a card for its sender alone', { timeout: 60_000 }, async () => {
  const params = await upload(toPng(photograph(drawCard(lines), { width: 1200 })));
  const { body } = await app.call(readIdentityCard, { token, params });
  expect(body).toMatchObject({
    kind: 'identityCard',
    isExpired: true,
    idNumber: '784199012345676',
    name: 'RAJESH KUMAR',
    birthDate: '1990-03-15',
    expiryDate: '2020-01-01',
    nationality: 'IN',
  });
  const other = await app.signIn('individual2');
  const refused = await app.call(readIdentityCard, { token: other, params });
  expect(refused.refused).toMatchObject({ error: 'AttachmentNotFound' });
});

it('answers nothing for a picture without a card and for a PDF', { timeout: 60_000 }, async () => {
  const empty = await upload(toPng(photograph(drawCard([]), { width: 800 })));
  expect((await app.call(readIdentityCard, { token, params: empty })).body).toEqual({});
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
  );
  const params = await upload(pdf, 'application/pdf', 'card.pdf');
  expect((await app.call(readIdentityCard, { token, params })).body).toEqual({});
});
