import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storeWorkflow } from '#features/workflow/workflows.store.ts';
import { sql } from '#platform/database/sql.ts';
import { findInconsistencies, findMoneyInconsistencies } from '#testing/load/consistency.ts';
import { smallPdf } from '#testing/requests/demo-request.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  messageTexts,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { deleteService } from '@diwan/contract/catalogue/services';
import {
  createAttachment,
  downloadFile,
  markAttachmentViewed,
  uploadAttachment,
} from '@diwan/contract/requests/attachments';
import { saveDraft } from '@diwan/contract/requests/drafts';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import * as calls from '@diwan/contract/requests/request-actions';
import { putWorkflowInForce } from '@diwan/contract/requests/workflows';
import { getRequestReads } from '@diwan/contract/staff/access-log';

const app = useTestApp();
const stage = openRequestStage(app);

const userOf = (username: string) =>
  app.database
    .selectFrom('users')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
const reads = async (RequestId: number) =>
  (await app.callAs('admin', getRequestReads, { query: { RequestId } })).body;

/** Runs `then` while a user has other columns. */
async function as<T>(
  username: string,
  changes: {
    roles?: string[];
    suspended_at?: Date | null;
    company_id?: number | null;
    is_company_manager?: boolean;
  },
  then: () => Promise<T>,
): Promise<T> {
  const { roles, all_agencies, suspended_at, company_id, is_company_manager } =
    await userOf(username);
  await app.database
    .updateTable('users')
    .set({ ...changes, all_agencies: all_agencies || changes.roles !== undefined })
    .where('username', '=', username)
    .execute();
  try {
    return await then();
  } finally {
    await app.database
      .updateTable('users')
      .set({ roles, all_agencies, suspended_at, company_id, is_company_manager })
      .where('username', '=', username)
      .execute();
  }
}

async function pay(requestId: number, decision: 'paid' | 'declined'): Promise<number> {
  const begun = await app.callAs('individual', createPayment, { params: { requestId } });
  if (begun.status !== 200) return begun.status;
  const response = await fetch(begun.body.paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl), {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  });
  const paymentSummary = new URL(response.headers.get('location') ?? 'http://x').searchParams.get(
    'paymentSummary',
  );
  return paymentSummary
    ? (await app.call(postPayProPaymentResult, { query: { paymentSummary } })).status
    : begun.status;
}

describe('two hundred concurrent calls', () => {
  it('on five requests cause no deadlock and no inconsistency', { timeout: 120_000 }, async () => {
    const first = await stage.send('individual', paidService);
    const sent = [
      first,
      ...(await Promise.all(
        [paidService, freeService, freeService, paidService].map((service) =>
          stage.send('individual', service),
        ),
      )),
    ];
    const service = await stage.findService(paidService);
    const attempts: ((one: SentRequest) => Promise<number>)[] = [
      async ({ requestId }) => (await stage.receive('employee', requestId)).status,
      async ({ requestId }) => (await stage.receive('employee2', requestId)).status,
      async ({ requestId }) =>
        (await stage.performAction('admin', calls.approveRequest, { requestId, fines: 700 }))
          .status,
      async ({ requestId }) =>
        (
          await stage.performAction('employee', calls.returnRequest, {
            requestId,
            ...messageTexts,
          })
        ).status,
      async ({ requestId }) =>
        (
          await stage.performAction('employee2', calls.returnRequest, {
            requestId,
            ...messageTexts,
          })
        ).status,
      async ({ requestId }) =>
        (await stage.performAction('admin', calls.releaseRequest, { requestId })).status,
      async ({ requestId, answers, attachmentIds }) =>
        (
          await stage.performAction('individual', calls.updateRequest, {
            requestId,
            answers,
            attachmentIds,
          })
        ).status,
      async ({ requestId }) => pay(requestId, 'paid'),
      async ({ requestId }) => pay(requestId, 'declined'),
      async ({ requestId }) => (await stage.read('employee2', requestId)).status,
      async ({ requestId }) =>
        (await app.callAs('admin', getRequestMessages, { query: { RequestId: requestId } })).status,
      async () =>
        (
          await stage.performAction('individual', saveDraft, {
            draftId: randomUUID(),
            serviceId: service.id,
            revision: 0,
            answers: {},
            attachmentIds: first.attachmentIds,
            passed: [],
          })
        ).status,
      async ({ attachmentIds: [requestAttachmentId = ''] }) =>
        (await stage.performAction('employee', markAttachmentViewed, { requestAttachmentId }))
          .status,
      async () => (await stage.performAction('admin', putWorkflowInForce, {})).status,
    ];
    await Promise.all(
      ['individual', 'employee', 'employee2', 'admin'].map((username) => app.signIn(username)),
    );
    const statuses: number[] = [];
    for (let wave = 0; wave < 4; wave += 1) {
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, (_, each) => wave * 50 + each).map((index) =>
            (attempts[index % attempts.length] as (typeof attempts)[number])(
              sent[Math.floor(index / attempts.length) % sent.length] as SentRequest,
            ),
          ),
        )),
      );
    }
    // An overloaded server may refuse with 503, but must not fail.
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40);
    const { rows } = await sql<{ deadlocks: number }>`
        select deadlocks::int
        from pg_stat_database
        where datname = current_database()
      `.execute(app.database);
    expect(rows[0]?.deadlocks).toBe(0);
    expect(
      (await findInconsistencies(app.database, app.config.DATA_DIR)).filter(
        (problem) => !problem.startsWith('the file of'),
      ),
    ).toEqual([]);
    expect(
      await findMoneyInconsistencies(
        app.database,
        Math.min(...sent.map(({ requestId }) => requestId)),
      ),
    ).toEqual([]);
  });

  it('need no second connection for a workflow that this process does not know yet', async () => {
    const { requestId } = await stage.send('individual');
    const { document } = await app.database
      .selectFrom('workflows')
      .select('document')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const id = await storeWorkflow(app.database, document, randomUUID());
    await app.database
      .updateTable('requests')
      .set({ workflow_id: id })
      .where('id', '=', requestId)
      .execute();
    await app.signIn('employee');
    // All connections but one are in use.
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const others = Array.from({ length: 19 }, () => app.database.connection().execute(() => gate));
    const { status } = await stage.receive('employee', requestId);
    release();
    await Promise.all(others);
    expect(status).toBe(200);
  });
});

describe('a request whose holder cannot work any more', () => {
  it.each<[string, Parameters<typeof as>[1], string]>([
    ['suspended', { suspended_at: new Date() }, 'YouHaveToLoginFirst'],
    ['not an employee any more', { roles: [] }, 'YouAreUnauthorized'],
  ])('%s: an admin releases it, and another employee receives it', async (_, changes, refusal) => {
    const { requestId } = await stage.sendAndReceive('individual');
    await as('employee', changes, async () => {
      expect(
        (await stage.performAction('employee', calls.approveRequest, { requestId })).refused.error,
      ).toBe(refusal);
      expect(
        (await stage.performAction('employee2', calls.releaseRequest, { requestId })).refused.error,
      ).toBe('ActionNotAllowed');
      expect((await stage.read('admin', requestId)).body.allowedActions).toContain('release');
      expect((await stage.performAction('admin', calls.releaseRequest, { requestId })).status).toBe(
        200,
      );
      expect((await stage.receive('employee2', requestId)).body.holder).toMatchObject({
        isYou: true,
      });
    });
    expect(
      (await stage.performAction('employee', calls.approveRequest, { requestId })).refused.error,
    ).toBe('ActionNotAllowed');
  });
});

describe('an applicant who has become an employee', () => {
  it('cannot act on their own requests or those of their company', async () => {
    const own = await stage.send('individual2');
    const ofCompany = await stage.send('company');
    const { company_id } = await userOf('company');
    await as('individual2', { roles: ['Employee'], company_id }, async () => {
      for (const { requestId } of [own, ofCompany]) {
        expect((await stage.receive('individual2', requestId)).refused.error).toBe(
          'OwnCounterRequest',
        );
        expect((await stage.read('individual2', requestId)).body).toMatchObject({
          allowedActions: [],
          isOwnCounterRequest: true,
        });
      }
      expect(
        (await stage.receive('individual2', (await stage.send('individual')).requestId)).status,
      ).toBe(200);
    });
  });
});

describe('the access of staff', () => {
  it('is recorded by every call that shows the request', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await stage.performAction('employee', calls.releaseRequest, { requestId, version: 2 });
    const clearLog = () =>
      sql`
        alter table request_reads disable trigger all;
        delete from request_reads;
        alter table request_reads enable trigger all
      `.execute(app.database);
    await clearLog();
    // A repeated call replies with the record, however much later.
    expect(
      (await stage.performAction('employee', calls.releaseRequest, { requestId, version: 2 })).body
        .answers,
    ).toBeDefined();
    expect((await reads(requestId)).map(({ readerKind }) => readerKind)).toEqual(['employee']);
    await clearLog();
    expect(
      (await app.callAs('employee2', getRequestMessages, { query: { RequestId: requestId } }))
        .status,
    ).toBe(200);
    expect((await reads(requestId)).map(({ readerKind }) => readerKind)).toEqual(['employee']);
    await app.callAs('individual', getRequestMessages, { query: { RequestId: requestId } });
    expect(await reads(requestId)).toHaveLength(1);
  });

  it('of a service provider is refused before the request has reached them', async () => {
    const {
      requestId,
      attachmentIds: [requestAttachmentId = ''],
    } = await stage.send('individual', paidService);
    const service = await stage.findService(paidService);
    const announce = (id: number) =>
      stage.performAction('supervisor', createAttachment, {
        serviceId: service.id,
        requestId: id,
        name: 'result',
        fileName: 'a.pdf',
        mediaType: 'application/pdf',
        size: 10,
      });
    expect((await announce(requestId)).refused).toEqual((await announce(2_000_000_000)).refused);
    expect(
      (await stage.performAction('supervisor', markAttachmentViewed, { requestAttachmentId }))
        .refused,
    ).toEqual(
      (
        await stage.performAction('supervisor', markAttachmentViewed, {
          requestAttachmentId: randomUUID(),
        })
      ).refused,
    );
    expect(
      (await stage.read('individual', requestId)).body.attachments.map(({ isViewed }) => isViewed),
    ).not.toContain(true);
  });
});

it('a user who left a company cannot open its documents by an old reference', async () => {
  const { requestId } = await stage.send('company', paidService);
  const [{ filePath } = { filePath: '' }] = (await stage.read('company', requestId)).body
    .attachments;
  const open = async () =>
    (await app.callAs('company', downloadFile, { query: { filePath } })).status;
  expect(await open()).toBe(200);
  expect(
    await as('company', { company_id: null, roles: [], is_company_manager: false }, open),
  ).toBe(404);
});

describe('a service that is deleted while requests are open', () => {
  it('still allows owners to correct their requests, by the rules that these began with', async () => {
    const sent = await stage.sendAndReceive('individual', paidService);
    const other = await stage.sendAndReceive('company', paidService);
    const { body } = await stage.performAction('employee', calls.returnRequest, {
      requestId: sent.requestId,
      ...messageTexts,
    });
    expect(
      (await app.callAs('admin', deleteService, { params: { serviceId: body.serviceId } })).status,
    ).toBe(200);
    const [rule] = body.attachmentRules;
    const announce = (serviceId: number, requestId: number | undefined, name = rule?.name ?? '') =>
      stage.performAction('individual', createAttachment, {
        serviceId,
        ...(requestId === undefined ? {} : { requestId }),
        name,
        fileName: 'new.pdf',
        mediaType: 'application/pdf',
        size: smallPdf.length,
      });
    expect((await announce(body.serviceId, undefined)).refused.error).toBe('ServiceNotFound');
    expect((await announce(body.serviceId, other.requestId)).refused.error).toBe('RequestNotFound');
    expect((await announce(body.serviceId, sent.requestId, 'unknown')).refused.error).toBe(
      'AttachmentNotFound',
    );
    const { attachmentId } = (await announce(body.serviceId, sent.requestId)).body;
    expect(
      (
        await app.callAs('individual', uploadAttachment, {
          params: { attachmentId },
          body: smallPdf,
        })
      ).status,
    ).toBe(200);
    const unchanged = body.attachments
      .filter(({ name }) => name !== rule?.name)
      .map((each) => each.attachmentId);
    const corrected = await stage.performAction('individual', calls.updateRequest, {
      requestId: sent.requestId,
      answers: sent.answers,
      attachmentIds: [...unchanged, attachmentId],
    });
    expect(corrected.body.attachments.map((each) => each.attachmentId)).toContain(attachmentId);
    expect(corrected.body.statusId).toBe(3);
  });
});
