import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getLegalPage } from '@diwan/contract/content/legal-pages';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import { consentsTo } from './model/request-documents.ts';

const app = useTestApp();
const stage = openRequestStage(app);
const healthService = 'people-of-determination-card';

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

it('names the kinds that are new', () => {
  const at = new Date('2026-11-28T08:00:00Z');
  const given = { isGiven: true, at, versionId: 3 };
  expect(consentsTo(['health', 'religion'], ['health'], given)).toEqual([
    { kind: 'religion', at: at.toISOString(), versionId: 3 },
  ]);
  expect(consentsTo(['health'], ['health'], { ...given, isGiven: false })).toEqual([]);
});
