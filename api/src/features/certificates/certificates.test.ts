import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { renewKeys, replaceKey } from '#platform/auth/secrets.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { picturesOf, pngOf } from '#testing/pictures.ts';
import { freeService as service, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { uploadLogo } from '@diwan/contract/catalogue/logos';
import * as calls from '@diwan/contract/content/certificates';
import type { Validity } from '@diwan/contract/content/certificates';
import * as issued from '@diwan/contract/content/issued-certificates';
import { getPortalDetails, savePortalDetails } from '@diwan/contract/content/portal-details';
import { getChanges } from '@diwan/contract/people/changes';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import { checkSealedFile } from '@diwan/contract/requests/payments';
import { submittedRequest } from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { answerText, fillTemplate, lastDayOf } from './certificate-content.ts';

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
  sent: {
    version?: number;
    isActive: boolean;
    title: typeof title;
    body: typeof body;
    validity: Validity;
  },
) => app.callAs(username, calls.saveCertificateTemplate, { body: { serviceId, ...sent } });
const save = (sent: Partial<Parameters<typeof send>[1]> = {}, username = 'admin') =>
  send(username, { title, body, validity: { kind: 'none' }, isActive: true, ...sent });

const pathOf = (username: string, requestId: number) =>
  app.callAs(username, calls.getCertificatePath, { query: { RequestId: requestId } });

async function download(username: string, requestId: number): Promise<Buffer> {
  await stage.read(username, requestId);
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

const codeIn = (text: string): string => /code=(c-[\w.-]+)/.exec(text)?.[1] ?? '';

async function complete(language: Language, username = 'individual') {
  const { requestId, requestNumber } = await stage.sendAndReceive(username, service);
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
      body: { serviceId, title, body: wrong, validity: { kind: 'none' }, language: 'ur-PK' },
    }),
  ])
    expect(Object.keys(answer.refused.errors ?? {})).toEqual(['body.ur-PK']);
  expect(await versionNow()).toBe(version);
});

it.each(languages)('a preview has example values and no seal: %s', async (language) => {
  const { body: preview } = await app.callAs('admin', calls.previewCertificate, {
    body: { serviceId, title, body, validity: { kind: 'none' }, language },
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
  expect(record.certificate?.number).toMatch(/^CRT-20\d\d-\d{6}$/);
  const bytes = await download('individual', requestId);
  expect(bytes.equals(await download('admin', requestId))).toBe(true);
  const { text, data } = await readPdf(bytes);
  for (const shown of [requestNumber, record.certificate?.number]) expect(text).toContain(shown);
  // pdf.js does not read the letters of Nastaliq (decision 0124): the attached data hold the texts.
  if (language !== 'ur-PK')
    expect(text.replace(/\s/g, '')).toContain(title[language].replace(/\s/g, ''));
  if (language === 'en-US') expect(text).toContain('#import "x"');
  expect(data).toMatchObject({
    title: title[language],
    language,
    number: record.certificate?.number,
  });
  const content = bytes.toString('base64');
  const { body: seal } = await app.call(checkSealedFile, { body: { content } });
  expect(seal).toEqual({ state: 'genuine' });
  const code = codeIn(text);
  expect(text).toContain(`/certificate?code=${code}`);
  const { body: checked } = await app.call(issued.checkCertificate, { query: { Code: code } });
  expect(checked).toEqual({
    isGenuine: true,
    number: record.certificate?.number,
    language,
    title: title[language],
    service: data.service,
    agency: data.agency,
    holder: expect.stringMatching(/^\S•+( \S•+)*$/) as string,
    issuedOn: record.certificate?.issuedOn,
    state: 'valid',
    digest: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/) as string,
  });
  // The paper shows the same characters.
  expect(text).toContain(checked.digest);
  const check = async (sent: string) =>
    (await app.call(issued.checkCertificate, { query: { Code: sent } })).body;
  const forged = `${code.slice(0, -22)}${'A'.repeat(22)}`;
  expect(await check(forged)).toEqual({ isGenuine: false });
  // A certificate that exists and one that does not get the same answer, also for a number that is
  // written in another way.
  const [id = ''] = code.slice(2).split('.');
  for (const other of [id, `0${id}`, `00${id}`, 'zzzzzz', '0zzzzz'])
    expect(await check(`c-${other}.${'A'.repeat(22)}`), other).toEqual({ isGenuine: false });
});

it('a certificate on paper stays genuine when the key of its code is replaced', async () => {
  const { requestId } = await complete('en-US');
  const read = async () => (await readPdf(await download('individual', requestId))).text;
  const former = await read();
  await inTransaction(app.database, (transaction) =>
    replaceKey(transaction, 'certificate-codes', { isImmediate: true, endsOld: false }),
  );
  await renewKeys(app.serverDatabase, app.config);
  const next = await read();
  expect(codeIn(next)).not.toBe(codeIn(former));
  for (const paper of [former, next]) {
    const { body: checked } = await app.call(issued.checkCertificate, {
      query: { Code: codeIn(paper) },
    });
    expect(checked.isGenuine && paper.includes(checked.digest ?? '-')).toBe(true);
  }
});

it('a certificate stays as it was issued when the template changes', async () => {
  const { requestId } = await complete('en-US');
  const first = await download('individual', requestId);
  await save({ version: await versionNow(), body: { ...body, 'en-US': 'Something else' } });
  expect(first.equals(await download('individual', requestId))).toBe(true);
});

it('has the marks of its agency and of the portal as they were at its issue', async () => {
  const upload = async (width: number, height: number) => {
    const content = pngOf(width, height).toString('base64');
    return (await app.callAs('admin', uploadLogo, { body: { content } })).body.logo;
  };
  const { agency_id: agencyId } = await app.database
    .selectFrom('services')
    .select('agency_id')
    .where('id', '=', serviceId)
    .executeTakeFirstOrThrow();
  const { logo: before } = await app.database
    .selectFrom('agencies')
    .select('logo')
    .where('id', '=', agencyId)
    .executeTakeFirstOrThrow();
  const setLogo = (logo: string) =>
    app.database.updateTable('agencies').set({ logo }).where('id', '=', agencyId).execute();
  const {
    logo: _logo,
    darkLogo: _dark,
    ...known
  } = (await app.callAs('admin', getPortalDetails)).body;
  const savePortal = (logo: { logo?: string }) =>
    app.callAs('admin', savePortalDetails, { body: { ...known, ...logo } });
  await setLogo(await upload(48, 24));
  await savePortal({ logo: await upload(60, 20) });
  const { requestId } = await complete('en-US');
  await setLogo(before);
  await savePortal({});
  const sizes = async (id: number) =>
    (await picturesOf(await download('individual', id))).map(({ width }) => width).sort();
  expect(await sizes(requestId)).toEqual([48, 60]);
  expect(await sizes((await complete('en-US')).requestId)).not.toContain(48);
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
  expect((await stage.read('individual', other)).body).not.toHaveProperty('certificate');
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
  const show = (kind: string, value: unknown, language: Language = 'en-US') =>
    answerText({ kind, oneOf } as Parameters<typeof answerText>[0], value, language);
  expect([
    show('text', undefined),
    show('choice', 'a'),
    show('choices', ['a', 'b']),
    show('date', '2026-11-24'),
    show('money', 1250),
    show('money', 1250, 'ar-EG'),
    show('money', 1250, 'ur-PK'),
    show('yesNo', true),
    show('emirate', 'dubai'),
    show('nationality', 'AE'),
    show('address', { emirate: 'dubai', area: 'Deira', makani: '1' }),
  ]).toEqual([
    '',
    'Alpha',
    'Alpha, b',
    '24/11/2026',
    'AED 12.50',
    '12.50 درهم',
    '12.50 درہم',
    'Yes',
    'Dubai',
    'United Arab Emirates',
    '1, Deira, Dubai',
  ]);
});

describe('the last day of a certificate', () => {
  const issuedAt = new Date('2026-11-24T21:00:00Z');
  const lastDay = (validity: Validity, answer?: unknown) =>
    lastDayOf(validity, issuedAt, () => answer);

  it('follows the rule of the template, in the days of Dubai', () => {
    expect([
      lastDay({ kind: 'none' }),
      lastDay({ kind: 'period', count: 1, unit: 'years' }),
      lastDay({ kind: 'period', count: 3, unit: 'months' }),
      lastDay({ kind: 'endOfYear' }),
      lastDay({ kind: 'answer', field: 'until' }, '2027-02-28'),
      lastDay({ kind: 'answer', field: 'until' }, ''),
      lastDay({ kind: 'answer', field: 'until' }, 'soon'),
    ]).toEqual([
      undefined,
      '2027-11-24',
      '2027-02-24',
      '2026-12-31',
      '2027-02-28',
      undefined,
      undefined,
    ]);
    // The 31st of August and half a year later: February has no such day.
    const validity: Validity = { kind: 'period', count: 6, unit: 'months' };
    const endOfAugust = new Date('2026-08-31T08:00:00Z');
    expect(lastDayOf(validity, endOfAugust, () => undefined)).toBe('2027-02-27');
  });

  it('must be a date of the form', async () => {
    const saved = await save({
      version: await versionNow(),
      validity: { kind: 'answer', field: 'applicantName' },
    });
    expect(Object.keys(saved.refused.errors ?? {})).toEqual(['validity']);
  });
});

describe('the lines of a template', () => {
  const group = {
    header: ['Name', 'Share'],
    rows: [
      ['Sara', '40'],
      ['Palm Trading', ''],
    ],
  };
  const fill = (body: string, answers: Record<string, string>, partners = group) =>
    fillTemplate(body, {
      valueOf: (name) => answers[name] ?? '',
      groupOf: (name) => (name === 'partners' ? partners : undefined),
    });

  it('are left out where all answers that they quote are empty', () => {
    const body = 'Boat: {{field.boat}}\nFrom {{field.from}} to {{field.until}}\n{{applicant}}';
    const textOf = (blocks: ReturnType<typeof fill>) =>
      blocks.map((each) => (Array.isArray(each) ? each.map(({ text }) => text).join('') : each));
    expect(textOf(fill(body, { applicant: 'Sara' }))).toEqual(['Sara']);
    expect(textOf(fill(body, { applicant: 'Sara', 'field.boat': 'Dhow' }))).toEqual([
      'Boat: Dhow',
      'Sara',
    ]);
    expect(textOf(fill(body, { applicant: 'Sara', 'field.until': '2027' }))).toEqual([
      'From \u2014 to 2027',
      'Sara',
    ]);
  });

  it('show the answers of a group as a table or a list, and nothing for none', () => {
    const heading = [{ text: 'Partners:', isValue: false }];
    expect(fill('Partners: {{field.partners}}', {})).toEqual([heading, group]);
    expect(fill('{{ list.partners }}', {})).toEqual([
      { items: ['Sara \u2013 40', 'Palm Trading'] },
    ]);
    expect(fill('Partners: {{field.partners}}', {}, { ...group, rows: [] })).toEqual([]);
  });
});

it('a certificate that is revoked says so everywhere, and a restored one keeps its history', async () => {
  const { requestId } = await complete('en-US');
  const { text } = await readPdf(await download('individual', requestId));
  const check = async () =>
    (await app.call(issued.checkCertificate, { query: { Code: codeIn(text) } })).body;
  const change = (
    call: typeof issued.revokeCertificate | typeof issued.restoreCertificate,
    body: { reason: string; note?: string },
    username = 'employee',
  ) =>
    app.callAs(username, call as typeof issued.revokeCertificate, {
      body: { requestId, ...(body as { reason: issued.RevocationReason }) },
    });
  const { revokeCertificate: revoke, restoreCertificate: restore } = issued;
  expect((await change(restore, { reason: 'revokedInError' })).refused.error).toBe(
    'RecordHasChanged',
  );
  expect((await change(revoke, { reason: 'other' })).refused.errors).toHaveProperty('note');
  for (const username of ['individual', 'supervisor'])
    expect((await change(revoke, { reason: 'wrongContent' }, username)).status).toBe(403);
  // An employee of another agency.
  for (const [call, reason] of [
    [revoke, 'wrongContent'],
    [restore, 'revokedInError'],
  ] as const)
    expect((await change(call, { reason }, 'employee-moi')).refused.error).toBe('RequestNotFound');
  const both = await Promise.all([
    change(revoke, { reason: 'wrongContent', note: 'The name is wrong' }),
    change(revoke, { reason: 'wrongContent', note: 'The name is wrong' }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const { body: seen } = await stage.read('individual', requestId);
  expect(seen.certificate).toMatchObject({
    state: 'revoked',
    events: [{ action: 'revoked', reason: 'wrongContent', note: 'The name is wrong' }],
  });
  expect(seen.certificate?.events[0]).not.toHaveProperty('by');
  const byIn = async (language: 'ar-EG' | 'en-US') => {
    const query = { RequestId: requestId };
    const { body: record } = await app.callAs('employee', getRequestById, { query, language });
    return record.certificate?.events[0]?.by;
  };
  expect([await byIn('en-US'), await byIn('ar-EG')]).toEqual(['Mariam Al Demo', 'مريم العرض']);
  expect(await check()).toMatchObject({
    isGenuine: true,
    state: 'revoked',
    revokedOn: todayInDubai(),
  });
  const { body: messages } = await app.callAs('individual', getRequestMessages, {
    query: { RequestId: requestId },
  });
  expect(messages.find(({ news }) => news === 'certificateRevoked')?.text).toContain(
    'What it says is wrong\nThe name is wrong',
  );
  expect((await change(restore, { reason: 'other', note: 'Checked again' })).body).toMatchObject({
    state: 'valid',
    events: [{ action: 'revoked' }, { action: 'restored', note: 'Checked again' }],
  });
  expect((await check()).state).toBe('valid');
  expect(await check()).not.toHaveProperty('revokedOn');
  const { body: later } = await app.callAs('individual', getRequestMessages, {
    query: { RequestId: requestId },
  });
  expect(later.some(({ news }) => news === 'certificateRestored')).toBe(true);
  await expect(
    app.database.updateTable('certificate_events').set({ note: '' }).execute(),
  ).rejects.toThrow();
});

it('lists: applicants see their own, staff find by number, service and state', async () => {
  await save({
    version: await versionNow(),
    validity: { kind: 'period', count: 1, unit: 'months' },
  });
  const { requestId, requestNumber } = await complete('en-US');
  const { body: record } = await stage.read('employee', requestId);
  const { number = '', validUntil } = record.certificate ?? {};
  expect(validUntil).toMatch(/^\d{4}-\d\d-\d\d$/);
  const list = async (username: string, query: object) =>
    (await app.callAs(username, issued.getCertificates, { query })).body;
  const numbers = async (username: string, query: object) =>
    (await list(username, query)).items.map((each) => each.number);
  expect((await list('individual', {})).items[0]).toMatchObject({
    number,
    requestNumber,
    validUntil,
    state: 'valid',
  });
  // The title is that of the paper; the service is named in the language of the reader.
  const { body: inArabic } = await app.callAs('individual', issued.getCertificates, {
    query: { Keyword: number },
    language: 'ar-EG',
  });
  expect(inArabic.items[0]?.service).toMatch(/^[\u0600-\u06ff ]+$/);
  for (const username of ['individual2', 'company'])
    expect(await numbers(username, { Keyword: number }), username).toEqual([]);
  for (const Keyword of [number, number.toLowerCase(), number.slice(-6), requestNumber])
    expect(await numbers('employee', { Keyword }), Keyword).toEqual([number]);
  expect(await numbers('admin', { Keyword: number, ServiceId: serviceId })).toEqual([number]);
  expect(await numbers('admin', { Keyword: number, ServiceId: serviceId + 1 })).toEqual([]);
  expect(await numbers('employee', { Keyword: number, State: 'expired' })).toEqual([]);
  await app.callAs('admin', issued.revokeCertificate, {
    body: { requestId, reason: 'holderAsked' },
  });
  expect(await numbers('employee', { Keyword: number, State: 'revoked' })).toEqual([number]);
});

it('a certificate has expired after its last day', async () => {
  const { requestId } = await complete('en-US');
  // As if it had been issued two months ago: certificates cannot be changed.
  await inTransaction(app.database, async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction);
    await transaction
      .updateTable('certificates')
      .set({ valid_until: dayAfter(todayInDubai(), -1) })
      .where('request_id', '=', requestId)
      .execute();
  });
  expect((await stage.read('individual', requestId)).body.certificate?.state).toBe('expired');
  expect(
    (await app.callAs('individual', issued.getCertificates, { query: { State: 'expired' } })).body
      .items,
  ).toMatchObject([{ requestId, state: 'expired' }]);
});

it('names the applicant as UAE PASS has verified them, and what they typed as such', async () => {
  const id = await app.idOf('individual');
  const before = await app.database
    .selectFrom('users')
    .select(['uaepass_id', 'emirates_id', 'full_name_ar', 'full_name_en'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const change = (values: Partial<typeof before>) =>
    app.database.updateTable('users').set(values).where('id', '=', id).execute();
  const certify = async (language: Language) => {
    const { requestId } = await complete(language);
    const { text, data } = await readPdf(await download('individual', requestId));
    const { body } = await app.call(issued.checkCertificate, { query: { Code: codeIn(text) } });
    return { text, data, check: body };
  };
  const { data: typed } = await certify('en-US');
  const names = { full_name_ar: 'سارة أحمد الموثقة', full_name_en: 'Sara Ahmed Verified' };
  // The basic level of UAE PASS has no Emirates ID.
  await change({ uaepass_id: 'basic', emirates_id: null, ...names });
  expect((await certify('en-US')).data).toMatchObject({ applicant: typed.applicant });
  await change({ uaepass_id: 'verified', emirates_id: '784199012345678' });
  const { text, data, check } = await certify('en-US');
  expect(data).toMatchObject({ applicant: names.full_name_en, namedFor: typed.applicant });
  expect(text).toContain('not verified');
  expect(check).toMatchObject({
    holder:
      'S\u2022\u2022\u2022 A\u2022\u2022\u2022\u2022 V\u2022\u2022\u2022\u2022\u2022\u2022\u2022',
  });
  expect(check.namedFor).toMatch(/^\S\u2022+/);
  expect((await certify('ur-PK')).data).toMatchObject({ applicant: names.full_name_ar });
  // Who typed the verified name, in any case, is named once.
  await change({ full_name_en: String(typed.applicant).toUpperCase() });
  expect((await certify('en-US')).data).not.toHaveProperty('namedFor');
  await change(before);
});

it.each([
  ['en-US', 'full_name'],
  ['ar-EG', 'full_name_ar'],
] as const)('names the company and who sent the request for it: %s', async (language, column) => {
  const { requestId } = await complete(language, 'company');
  const { company, ...sender } = await app.database
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['companies.name as company', 'users.full_name', 'users.full_name_ar'])
    .where('users.username', '=', 'company')
    .executeTakeFirstOrThrow();
  const { text, data } = await readPdf(await download('company', requestId));
  expect(data).toMatchObject({ applicant: company[language], sentBy: sender[column] });
  if (language === 'en-US') expect(text).toContain(`Sent for the company by${sender.full_name}`);
  const { body: check } = await app.call(issued.checkCertificate, {
    query: { Code: codeIn(text) },
  });
  expect([check.holder, check.sentBy].map((name) => name?.[0])).toEqual([
    company[language][0],
    sender[column]?.[0],
  ]);
  expect(check.sentBy).not.toBe(sender[column]);
  // Who sent it for themselves is the applicant alone.
  const own = await complete(language);
  expect((await readPdf(await download('individual', own.requestId))).data).not.toHaveProperty(
    'sentBy',
  );
});
