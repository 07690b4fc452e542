import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAttachment,
  downloadFile,
  markAttachmentViewed,
  uploadAttachment,
} from '@diwan/contract/requests/attachments';
import { saveDraft } from '@diwan/contract/requests/drafts';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import * as calls from '@diwan/contract/requests/requests';
import { getRequestReads } from '@diwan/contract/requests/request-reads';
import { deleteService } from '@diwan/contract/catalogue/services';
import { putWorkflowInForce } from '@diwan/contract/requests/workflows';
import { smallPdf } from '../../../testing/demo-request.ts';
import { findFaults } from '../../../testing/find-faults.ts';
import { findMoneyFaults } from '../../../testing/find-money-faults.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  words,
  type RequestStage,
  type Sent,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
let stage: RequestStage;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
});
afterAll(() => app.close());

const userOf = (username: string) =>
  app.database
    .selectFrom('users')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
const reads = async (RequestId: number) =>
  (await app.call(getRequestReads, { token: await app.signIn('admin'), query: { RequestId } }))
    .body;

/** As somebody else is for a moment. */
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
  const { roles, suspended_at, company_id, is_company_manager } = await userOf(username);
  await app.database.updateTable('users').set(changes).where('username', '=', username).execute();
  try {
    return await then();
  } finally {
    await app.database
      .updateTable('users')
      .set({ roles, suspended_at, company_id, is_company_manager })
      .where('username', '=', username)
      .execute();
  }
}

async function pay(requestId: number, decision: 'paid' | 'declined'): Promise<number> {
  const begun = await app.call(createPayment, {
    token: await app.signIn('individual'),
    params: { requestId },
  });
  if (begun.status !== 200) return begun.status;
  const response = await fetch(begun.body.paymentUrl.replace(/^http:\/\/[^/]+/, app.sandboxUrl), {
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

describe('everything at once', () => {
  it(
    'over five requests waits for nothing that waits for it, and breaks nothing',
    { timeout: 120_000 },
    async () => {
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
      const things: ((one: Sent) => Promise<number>)[] = [
        async ({ requestId }) => (await stage.receive('employee', requestId)).status,
        async ({ requestId }) => (await stage.receive('employee2', requestId)).status,
        async ({ requestId }) =>
          (await stage.act('admin', calls.approveRequest, { requestId, fines: 700 })).status,
        async ({ requestId }) =>
          (await stage.act('employee', calls.returnRequest, { requestId, ...words })).status,
        async ({ requestId }) =>
          (await stage.act('employee2', calls.returnRequest, { requestId, ...words })).status,
        async ({ requestId }) =>
          (await stage.act('admin', calls.releaseRequest, { requestId })).status,
        async ({ requestId, answers, attachmentIds }) =>
          (
            await stage.act('individual', calls.updateRequest, {
              requestId,
              answers,
              attachmentIds,
            })
          ).status,
        async ({ requestId }) => pay(requestId, 'paid'),
        async ({ requestId }) => pay(requestId, 'declined'),
        async ({ requestId }) => (await stage.read('employee2', requestId)).status,
        async ({ requestId }) =>
          (
            await app.call(getRequestMessages, {
              token: await app.signIn('admin'),
              query: { RequestId: requestId },
            })
          ).status,
        async () =>
          (
            await stage.act('individual', saveDraft, {
              draftId: randomUUID(),
              serviceId: service.id,
              revision: 0,
              answers: {},
              attachmentIds: first.attachmentIds,
              passed: [],
            })
          ).status,
        async ({ attachmentIds: [requestAttachmentId = ''] }) =>
          (await stage.act('employee', markAttachmentViewed, { requestAttachmentId })).status,
        async () => (await stage.act('admin', putWorkflowInForce, {})).status,
      ];
      await Promise.all(
        ['individual', 'employee', 'employee2', 'admin'].map((username) => app.signIn(username)),
      );
      const statuses: number[] = [];
      for (let wave = 0; wave < 4; wave += 1) {
        statuses.push(
          ...(await Promise.all(
            Array.from({ length: 50 }, (_, each) => wave * 50 + each).map((index) =>
              (things[index % things.length] as (typeof things)[number])(
                sent[Math.floor(index / things.length) % sent.length] as Sent,
              ),
            ),
          )),
        );
      }
      // A machine with too much to do may say that it is busy, never that something went wrong.
      expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40);
      const { rows } = await sql<{
        deadlocks: number;
      }>`select deadlocks::int from pg_stat_database where datname = current_database()`.execute(
        app.database,
      );
      expect(rows[0]?.deadlocks).toBe(0);
      expect(
        (await findFaults(app.database, app.config.DATA_DIR)).filter(
          (fault) => !fault.startsWith('the file of'),
        ),
      ).toEqual([]);
      expect(
        await findMoneyFaults(app.database, Math.min(...sent.map(({ requestId }) => requestId))),
      ).toEqual([]);
    },
  );

  it('on requests of a map that this process has not heard of yet asks by no further connection', async () => {
    const { requestId } = await stage.send('individual');
    const { document } = await app.database
      .selectFrom('workflows')
      .select('document')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const { id } = await app.database
      .insertInto('workflows')
      .values({ document: JSON.stringify(document), hash: randomUUID() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('requests')
      .set({ workflow_id: id })
      .where('id', '=', requestId)
      .execute();
    await app.signIn('employee');
    // All connections but one are taken by others, who wait.
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const others = Array.from({ length: 19 }, () => app.database.connection().execute(() => gate));
    const { status } = await stage.receive('employee', requestId);
    letGo();
    await Promise.all(others);
    expect(status).toBe(200);
  });
});

describe('a request whose holder is gone', () => {
  it.each<[string, Parameters<typeof as>[1], string]>([
    ['suspended', { suspended_at: new Date() }, 'YouHaveToLoginFirst'],
    ['no employee any more', { roles: [] }, 'YouAreUnauthorized'],
  ])('%s: an admin puts it back, and somebody else takes it', async (_, changes, refusal) => {
    const { requestId } = await stage.sendAndReceive('individual');
    await as('employee', changes, async () => {
      expect((await stage.act('employee', calls.approveRequest, { requestId })).refused.error).toBe(
        refusal,
      );
      expect(
        (await stage.act('employee2', calls.releaseRequest, { requestId })).refused.error,
      ).toBe('ActionNotAllowed');
      expect((await stage.read('admin', requestId)).body.allowedActions).toContain('release');
      expect((await stage.act('admin', calls.releaseRequest, { requestId })).status).toBe(200);
      expect((await stage.receive('employee2', requestId)).body.holder).toMatchObject({
        isYou: true,
      });
    });
    expect((await stage.act('employee', calls.approveRequest, { requestId })).refused.error).toBe(
      'ActionNotAllowed',
    );
  });
});

describe('somebody who has become an employee', () => {
  it('does not deal with what they sent themselves, nor with what is their company’s', async () => {
    const own = await stage.send('individual2');
    const companys = await stage.send('company');
    const { company_id } = await userOf('company');
    await as('individual2', { roles: ['Employee'], company_id }, async () => {
      for (const { requestId } of [own, companys]) {
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

describe('staff who look', () => {
  it('are noted whichever call shows them the request', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await stage.act('employee', calls.releaseRequest, { requestId, version: 2 });
    const forget = () =>
      sql`alter table request_reads disable trigger all; delete from request_reads; alter table request_reads enable trigger all`.execute(
        app.database,
      );
    await forget();
    // The same thing sent again is answered with the record, however much later.
    expect(
      (await stage.act('employee', calls.releaseRequest, { requestId, version: 2 })).body.answers,
    ).toBeDefined();
    expect((await reads(requestId)).map(({ readerKind }) => readerKind)).toEqual(['employee']);
    await forget();
    expect(
      (
        await app.call(getRequestMessages, {
          token: await app.signIn('employee2'),
          query: { RequestId: requestId },
        })
      ).status,
    ).toBe(200);
    expect((await reads(requestId)).map(({ readerKind }) => readerKind)).toEqual(['employee']);
    await app.call(getRequestMessages, {
      token: await app.signIn('individual'),
      query: { RequestId: requestId },
    });
    expect(await reads(requestId)).toHaveLength(1);
  });

  it('of the service provider know nothing of a request that has not come to them', async () => {
    const {
      requestId,
      attachmentIds: [requestAttachmentId = ''],
    } = await stage.send('individual', paidService);
    const service = await stage.findService(paidService);
    const announce = (id: number) =>
      stage.act('supervisor', createAttachment, {
        serviceId: service.id,
        requestId: id,
        name: 'result',
        fileName: 'a.pdf',
        mediaType: 'application/pdf',
        size: 10,
      });
    expect((await announce(requestId)).refused).toEqual((await announce(2_000_000_000)).refused);
    expect(
      (await stage.act('supervisor', markAttachmentViewed, { requestAttachmentId })).refused,
    ).toEqual(
      (await stage.act('supervisor', markAttachmentViewed, { requestAttachmentId: randomUUID() }))
        .refused,
    );
    expect(
      (await stage.read('individual', requestId)).body.attachments.map(({ isViewed }) => isViewed),
    ).not.toContain(true);
  });
});

it('whoever has left a company opens none of its documents by an address that they kept', async () => {
  const { requestId } = await stage.send('company', paidService);
  const [{ filePath } = { filePath: '' }] = (await stage.read('company', requestId)).body
    .attachments;
  const open = async () =>
    (await app.call(downloadFile, { token: await app.signIn('company'), query: { filePath } }))
      .status;
  expect(await open()).toBe(200);
  expect(
    await as('company', { company_id: null, roles: [], is_company_manager: false }, open),
  ).toBe(404);
});

describe('a service that is taken away while requests are under way', () => {
  it('lets people mend theirs with new documents, by the rules that the request began with; nobody else’s', async () => {
    const sent = await stage.sendAndReceive('individual', paidService);
    const other = await stage.sendAndReceive('company', paidService);
    const { body } = await stage.act('employee', calls.returnRequest, {
      requestId: sent.requestId,
      ...words,
    });
    expect(
      (
        await app.call(deleteService, {
          token: await app.signIn('admin'),
          params: { serviceId: body.serviceId },
        })
      ).status,
    ).toBe(200);
    const [rule] = body.attachmentRules;
    const announce = (serviceId: number, requestId: number | undefined, name = rule?.name ?? '') =>
      stage.act('individual', createAttachment, {
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
        await app.call(uploadAttachment, {
          token: await app.signIn('individual'),
          params: { attachmentId },
          body: smallPdf,
        })
      ).status,
    ).toBe(200);
    const kept = body.attachments
      .filter(({ name }) => name !== rule?.name)
      .map((each) => each.attachmentId);
    const mended = await stage.act('individual', calls.updateRequest, {
      requestId: sent.requestId,
      answers: sent.answers,
      attachmentIds: [...kept, attachmentId],
    });
    expect(mended.body.attachments.map((each) => each.attachmentId)).toContain(attachmentId);
    expect(mended.body.statusId).toBe(3);
  });
});
