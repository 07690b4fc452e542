import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, expect, it } from 'vitest';
import { freeService as service, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/content/certificates';
import { getChanges } from '@diwan/contract/people/changes';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import { checkInvoice, checkSealedFile } from '@diwan/contract/requests/payments';
import { submittedRequest } from '@diwan/contract/requests/request-actions';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { answerText } from './certificate-document.ts';

const app = useTestApp();
const stage = openRequestStage(app);

const title = {
  'ar-EG': 'شهادة تجديد',
  'en-US': 'Certificate of renewal',
  'ur-PK': 'تجدید کا سرٹیفکیٹ',
};
const body = {
  'ar-EG': 'تشهد {{agency}} بأن الطلب {{requestNumber}} قد أُنجز.',
  'en-US':
    '{{agency}} certifies for {{applicant}} that {{service}} is done: {{requestNumber}}.\n#import "x"',
  'ur-PK': '{{agency}} تصدیق کرتا ہے کہ {{requestNumber}} مکمل ہوئی۔',
};
let serviceId = 0;
beforeAll(async () => {
  serviceId = (await stage.findService(service)).id;
  // The certificate is the document that the service issues.
  await app.database
    .updateTable('services')
    .set({ issues_document: true })
    .where('id', '=', serviceId)
    .execute();
});

const send = (
  username: string,
  sent: { version?: number; isActive: boolean; title: typeof title; body: typeof body },
) => app.callAs(username, calls.saveCertificateTemplate, { body: { serviceId, ...sent } });
const save = (sent: Partial<Parameters<typeof send>[1]> = {}, username = 'admin') =>
  send(username, { title, body, isActive: true, ...sent });

const pathOf = (username: string, requestId: number) =>
  app.callAs(username, calls.getCertificatePath, { query: { RequestId: requestId } });

async function download(username: string, requestId: number): Promise<Buffer> {
  const { body: filePath } = await pathOf(username, requestId);
  const { statusCode, rawPayload } = await app.server.inject({
    url: `${downloadFile.path}?filePath=${encodeURIComponent(filePath)}`,
    headers: { authorization: `Bearer ${await app.signIn(username)}` },
  });
  expect(statusCode).toBe(200);
  return rawPayload;
}

async function readPdf(bytes: Buffer): Promise<{ text: string; data: Record<string, unknown> }> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const { items } = await (await pdf.getPage(1)).getTextContent();
  const attached = Object.values(
    (await pdf.getAttachments()) as Record<string, { content: Uint8Array }>,
  )[0];
  await pdf.destroy();
  return {
    text: items.map((item) => ('str' in item ? item.str : '')).join(''),
    data: JSON.parse(Buffer.from(attached?.content ?? []).toString()) as Record<string, unknown>,
  };
}

async function complete(language: Language) {
  const { requestId, requestNumber } = await stage.sendAndReceive('individual', service);
  await app.database
    .updateTable('requests')
    .set({ language })
    .where('id', '=', requestId)
    .execute();
  const done = await stage.performAction('employee', submittedRequest, { requestId });
  expect(done.status).toBe(200);
  return { requestId, requestNumber };
}

const versionNow = async () =>
  (await app.callAs('admin', calls.getCertificateTemplate, { query: { ServiceId: serviceId } }))
    .body.template?.version;

it('templates: only admins, one for a service, and nobody overwrites a colleague', async () => {
  expect((await save({}, 'employee')).status).toBe(403);
  const { body: before } = await app.callAs('admin', calls.getCertificateTemplate, {
    query: { ServiceId: serviceId },
  });
  expect(before.template).toBeUndefined();
  expect(before.fields.length).toBeGreaterThan(0);
  const both = await Promise.all([save(), save()]);
  expect(both.map(({ status, refused }) => [status, refused.error]).toSorted()).toEqual([
    [200, undefined],
    [400, 'RecordHasChanged'],
  ]);
  expect((await save({ version: 1, title: { ...title, 'en-US': 'Other' } })).body.version).toBe(2);
  expect((await save({ version: 1 })).refused.error).toBe('RecordHasChanged');
  expect((await save()).refused.error).toBe('RecordHasChanged');
  expect((await save({ version: 2 })).body.version).toBe(3);
  const { body: changes } = await app.callAs('admin', getChanges, {
    query: { Entity: 'certificateTemplate', EntityId: String(serviceId) },
  });
  expect(changes.items.map(({ action }) => action)).toEqual(['changed', 'changed', 'created']);
  expect((await app.callAs('admin', calls.getCertificateTemplates)).body).toMatchObject([
    { serviceId, isActive: true, version: 3, title },
  ]);
});

it('templates: an unknown placeholder is refused at its language', async () => {
  const version = await versionNow();
  const wrong = { ...body, 'ur-PK': '{{field.secret}}' };
  for (const answer of [
    await save({ version, body: wrong }),
    await app.callAs('admin', calls.previewCertificate, {
      body: { serviceId, title, body: wrong, language: 'ur-PK' },
    }),
  ])
    expect(Object.keys(answer.refused.errors ?? {})).toEqual(['body.ur-PK']);
  expect(await versionNow()).toBe(version);
});

it.each(languages)('a preview has example values and no seal: %s', async (language) => {
  const { body: preview } = await app.callAs('admin', calls.previewCertificate, {
    body: { serviceId, title, body, language },
  });
  const bytes = Buffer.from(preview.content, 'base64');
  const { data } = await readPdf(bytes);
  expect(data).toMatchObject({ number: '', language, requestNumber: 'DW26-00000-00000' });
  const { body: seal } = await app.call(checkSealedFile, { body: preview });
  expect(seal).toEqual({ state: 'unknown' });
});

it.each(languages)('a completed request gets one certificate, sealed: %s', async (language) => {
  const { requestId, requestNumber } = await complete(language);
  const { body: record } = await stage.read('individual', requestId);
  expect(record.certificateNumber).toMatch(/^CRT-20\d\d-\d{6}$/);
  const bytes = await download('individual', requestId);
  expect(bytes.equals(await download('admin', requestId))).toBe(true);
  const { text, data } = await readPdf(bytes);
  for (const shown of [requestNumber, record.certificateNumber]) expect(text).toContain(shown);
  // Joined letters of Nastaliq cannot be extracted: the attached data hold the texts.
  if (language !== 'ur-PK')
    expect(text.replace(/\s/g, '')).toContain(title[language].replace(/\s/g, ''));
  if (language === 'en-US') expect(text).toContain('#import "x"');
  expect(data).toMatchObject({
    title: title[language],
    language,
    number: record.certificateNumber,
  });
  const content = bytes.toString('base64');
  const { body: seal } = await app.call(checkSealedFile, { body: { content } });
  expect(seal).toEqual({ state: 'genuine' });
  const code = /code=(c-[\w.-]+)/.exec(text)?.[1] ?? '';
  const check = async (sent: string) =>
    (await app.call(checkInvoice, { query: { Code: sent } })).body;
  expect(await check(code)).toEqual({
    isGenuine: true,
    kind: 'certificate',
    number: record.certificateNumber,
    issuedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
  });
  const forged = `${code.slice(0, -22)}${'A'.repeat(22)}`;
  expect(await check(forged)).toEqual({ isGenuine: false });
  // A certificate that exists and one that does not get the same answer, also for a number that is
  // written in another way.
  const [id = ''] = code.slice(2).split('.');
  for (const other of [id, `0${id}`, `00${id}`, 'zzzzzz', '0zzzzz'])
    expect(await check(`c-${other}.${'A'.repeat(22)}`), other).toEqual({ isGenuine: false });
});

it('a certificate stays as it was issued when the template changes', async () => {
  const { requestId } = await complete('en-US');
  const first = await download('individual', requestId);
  await save({ version: await versionNow(), body: { ...body, 'en-US': 'Something else' } });
  expect(first.equals(await download('individual', requestId))).toBe(true);
});

it('is for those who see the request, and none without a template in use', async () => {
  const { requestId } = await complete('en-US');
  const { body: messages } = await app.callAs('individual', getRequestMessages, {
    query: { RequestId: requestId },
  });
  expect(messages.find(({ action }) => action === 'submitted')?.text).toContain(
    '\nDocuments issued: 1\n',
  );
  expect((await pathOf('individual2', requestId)).refused.error).toBe('RequestNotFound');
  expect((await pathOf('company', requestId)).refused.error).toBe('RequestNotFound');
  await save({ version: await versionNow(), isActive: false });
  const { requestId: other } = await stage.sendAndReceive('individual', service);
  const finish = () => stage.performAction('employee', submittedRequest, { requestId: other });
  expect((await finish()).refused.error).toBe('ResultRequired');
  await app.database
    .updateTable('services')
    .set({ issues_document: false })
    .where('id', '=', serviceId)
    .execute();
  expect((await finish()).status).toBe(200);
  expect((await pathOf('individual', other)).refused.error).toBe('CertificateNotFound');
  expect((await stage.read('individual', other)).body).not.toHaveProperty('certificateNumber');
  await save({ version: await versionNow(), isActive: true });
});

it('numbers have no gap, and a completion that fails gives its number back', async () => {
  const sent: number[] = [];
  for (let index = 0; index < 4; index += 1)
    sent.push((await stage.sendAndReceive('individual', service)).requestId);
  await Promise.all(
    sent.flatMap((requestId) => [
      stage.performAction('employee', submittedRequest, { requestId }),
      stage.performAction('employee', submittedRequest, { requestId }),
    ]),
  );
  const rows = await app.database
    .selectFrom('certificates')
    .select(['sequence', 'request_id'])
    .orderBy('sequence')
    .execute();
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
  expect(new Set(rows.map(({ request_id: id }) => id)).size).toBe(rows.length);
});

it('shows answers as people read them', () => {
  const oneOf = [{ const: 'a', title: { 'ar-EG': 'ألف', 'en-US': 'Alpha', 'ur-PK': 'الف' } }];
  const show = (kind: string, value: unknown) =>
    answerText({ kind, oneOf } as Parameters<typeof answerText>[0], value, 'en-US');
  expect([
    show('text', undefined),
    show('choice', 'a'),
    show('choices', ['a', 'b']),
    show('date', '2026-11-24'),
    show('money', 1250),
    show('yesNo', true),
    show('emirate', 'dubai'),
    show('nationality', 'AE'),
    show('address', { emirate: 'dubai', area: 'Deira', makani: '1' }),
  ]).toEqual([
    '\u2014',
    'Alpha',
    'Alpha, b',
    '24/11/2026',
    'AED 12.50',
    'Yes',
    'Dubai',
    'United Arab Emirates',
    '1, Deira, Dubai',
  ]);
});
