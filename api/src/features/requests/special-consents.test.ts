import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { makeAnswers, smallPdf, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { evidenceName } from '@diwan/contract/catalogue/fees';
import { getAllServicesByAccountType, getService } from '@diwan/contract/catalogue/services';
import { getLegalPage } from '@diwan/contract/content/legal-pages';
import { listRequiredDocuments } from '@diwan/contract/forms/check-answers';
import { kindsOf, listSpecialData } from '@diwan/contract/forms/special-data';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import { consentsTo } from './model/request-documents.ts';

const app = useTestApp();
const stage = openRequestStage(app);
const healthService = 'people-of-determination-card';

async function upload(token: string, serviceId: number, name: string): Promise<string> {
  const { body } = await app.call(createAttachment, {
    token,
    body: {
      serviceId,
      name,
      fileName: 'paper.pdf',
      mediaType: 'application/pdf',
      size: smallPdf.length,
    },
  });
  const { attachmentId } = body;
  await app.call(uploadAttachment, { token, params: { attachmentId }, body: smallPdf });
  return attachmentId;
}

async function contentOf(replacedName: string) {
  const service = await stage.findService(replacedName);
  const token = await app.signIn('individual');
  return {
    serviceId: service.id,
    answers: makeAnswers(service.form),
    attachmentIds: await uploadRequiredDocuments(app, token, service),
    agreeToTermsAndConditions: true,
  };
}

it('is refused apart from the terms, and stored with time and version of the policy', async () => {
  const body = await contentOf(healthService);
  for (const consent of [{}, { consentsToSpecialData: false }]) {
    const { status, refused } = await stage.create('individual', { ...body, ...consent });
    expect([status, refused.error]).toEqual([400, 'SpecialDataConsentMissing']);
  }
  const withoutTerms = { consentsToSpecialData: true, agreeToTermsAndConditions: false };
  expect((await stage.create('individual', { ...body, ...withoutTerms })).refused.error).toBe(
    'TermsNotAccepted',
  );
  const sent = await stage.create('individual', { ...body, consentsToSpecialData: true });
  expect(sent.status).toBe(200);
  const { body: policy } = await app.call(getLegalPage, { query: { Page: 'privacy' } });
  for (const reader of ['individual', 'employee'] as const) {
    const { body: record } = await stage.read(reader, sent.body.requestId);
    expect(record.specialConsents).toEqual([
      { kind: 'health', at: record.createdAt, versionId: policy.id },
    ]);
  }
});

it('is not stored for a request that holds no special data', async () => {
  const sent = await stage.create('individual', {
    ...(await contentOf(freeService)),
    consentsToSpecialData: true,
  });
  const { body } = await stage.read('individual', sent.body.requestId);
  expect(body).not.toHaveProperty('specialConsents');
});

it('is asked for again when a correction adds special data', async () => {
  const { requestId, answers, attachmentIds } = await stage.send('individual', healthService);
  const { body: record } = await stage.read('individual', requestId);
  if (record.due > 0) await stage.pay(requestId);
  await stage.receive('employee', requestId);
  await stage.performAction('employee', actionCalls.returnRequest, {
    requestId,
    requestHistoryRejectionReasonsList: [1],
    ...messageTexts,
  });
  // As if the answer and the report were new.
  await sql`
    update requests set answers = answers - 'disabilityKinds' where id = ${requestId}`.execute(
    app.database,
  );
  await sql`
    update attachments set superseded_at = now()
    where request_id = ${requestId} and name = 'medicalReport'`.execute(app.database);
  const correct = (consent: { consentsToSpecialData?: boolean }) =>
    stage.performAction('individual', actionCalls.updateRequest, {
      requestId,
      answers,
      attachmentIds,
      ...consent,
    });
  expect((await correct({})).refused.error).toBe('SpecialDataConsentMissing');
  const corrected = await correct({ consentsToSpecialData: true });
  expect(corrected.status).toBe(200);
  expect(corrected.body.specialConsents?.map(({ kind }) => kind)).toEqual(['health', 'health']);
});

it('is asked for when a correction of documents alone adds special data', async () => {
  const { requestId, attachmentIds } = await stage.send('individual', 'marriage-grant-request');
  const { body: record } = await stage.read('individual', requestId);
  if (record.due > 0) await stage.pay(requestId);
  await stage.receive('employee', requestId);
  await stage.performAction('employee', actionCalls.returnRequest, {
    requestId,
    requestHistoryRejectionReasonsList: [1],
    ...messageTexts,
  });
  // As if the result of the examination were new.
  await sql`
    update attachments set superseded_at = now()
    where request_id = ${requestId} and name = 'premaritalExamination'`.execute(app.database);
  const correct = (consent: { consentsToSpecialData?: boolean }) =>
    stage.performAction('individual', actionCalls.updateRequestAttachments, {
      requestId,
      requestAttachmentList: attachmentIds,
      ...consent,
    });
  for (const consent of [{}, { consentsToSpecialData: false }])
    expect((await correct(consent)).refused.error).toBe('SpecialDataConsentMissing');
  const corrected = await correct({ consentsToSpecialData: true });
  expect([corrected.status, corrected.body.specialConsents?.length]).toEqual([200, 2]);
});

it('counts a document that proves a discount, where it is special', async () => {
  const { form, attachments } = await stage.findService('renew-driving-licence-federal');
  const card = evidenceName({ name: 'peopleOfDetermination' });
  expect(kindsOf(listSpecialData(form, attachments, {}, [card]))).toEqual(['health']);
});

it('is needed by every form that holds special data: nothing is stored without it', async () => {
  const { body: services } = await app.call(getAllServicesByAccountType, {
    query: { AccountTypeId: 1 },
  });
  const tried = new Set<string>();
  let count = 0;
  const token = await app.signIn('individual');
  const countRequests = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from requests`.execute(
        app.database,
      )
    ).rows[0]?.count;
  const before = await countRequests();
  for (const { id } of services) {
    const { body: service } = await app.call(getService, { query: { serviceId: id } });
    const key = JSON.stringify([service.form, service.attachments.map(({ name }) => name)]);
    if (tried.has(key)) continue;
    tried.add(key);
    const answers = makeAnswers(service.form);
    const asked = listRequiredDocuments(service.form, service.attachments, answers)
      .filter(({ isAsked, rule }) => isAsked && (rule.required || rule.special !== undefined))
      .map(({ rule }) => rule);
    const names = asked.map(({ name }) => name);
    const special = listSpecialData(service.form, service.attachments, answers, names);
    if (special.length === 0) continue;
    count += 1;
    const required = await uploadRequiredDocuments(app, token, service, answers);
    const optional = asked.filter((rule) => !rule.required);
    const extra = await Promise.all(optional.map(({ name }) => upload(token, id, name)));
    const { refused } = await stage.create('individual', {
      serviceId: id,
      answers,
      attachmentIds: [...required, ...extra],
      agreeToTermsAndConditions: true,
    });
    expect([service.replacedName, refused.error]).toEqual([
      service.replacedName,
      'SpecialDataConsentMissing',
    ]);
  }
  expect([tried.size > 50, count > 5]).toEqual([true, true]);
  expect(await countRequests()).toBe(before);
}, 120_000);

it('names the kinds that are new', () => {
  const at = new Date('2026-11-28T08:00:00Z');
  const given = { isGiven: true, at, versionId: 3 };
  expect(consentsTo(['health', 'religion'], ['health'], given)).toEqual([
    { kind: 'religion', at: at.toISOString(), versionId: 3 },
  ]);
  expect(consentsTo(['health'], ['health'], { ...given, isGiven: false })).toEqual([]);
});
