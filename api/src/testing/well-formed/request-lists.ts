import { sql } from '#platform/database/sql.ts';
import { saveSnippet } from '@diwan/contract/people/snippets';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import {
  createServiceProviderRequestAttachment,
  providerDocumentName,
} from '@diwan/contract/requests/provider-documents';
import * as requests from '@diwan/contract/requests/request-actions';
import { saveFilter } from '@diwan/contract/requests/saved-filters';
import { unusualReads } from '@diwan/contract/staff/access-log';
import { todayInDubai } from '@diwan/contract/wire/days';
import { smallPdf } from '../requests/demo-request.ts';
import {
  openRequestStage,
  paidService,
  messageTexts,
  type SentRequest,
} from '../requests/request-stage.ts';
import type { TestApp } from '../test-app.ts';
import type { Person, WellFormed } from './call.ts';

/** Uploads a document for a request as staff or provider; returns its id. */
export async function sendProviderDocument(
  app: TestApp,
  username: string,
  requestId: number,
): Promise<string> {
  const token = await app.signIn(username);
  const { body } = await app.call(createAttachment, {
    token,
    body: {
      serviceId: 1,
      requestId,
      name: providerDocumentName,
      fileName: 'survey.pdf',
      mediaType: 'application/pdf',
      size: smallPdf.length,
    },
  });
  await app.call(uploadAttachment, {
    token,
    params: { attachmentId: body.attachmentId },
    body: smallPdf,
  });
  return body.attachmentId;
}

/**
 * Calls that list requests, add documents of staff, and record refunds. The documents are
 * `employee`'s.
 */
export function wellFormedRequestLists(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  const owner: Person = 'individual';
  let codes = 0;
  const returned = async (): Promise<SentRequest> => {
    const sent = await stage.sendAndReceive(owner, paidService);
    await stage.performAction('employee', requests.returnRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    return sent;
  };
  async function paidReference(): Promise<string> {
    const { requestId } = await stage.sendAndApprove(owner, paidService);
    return (await stage.read(owner, requestId)).body.payments[0]?.merchantReference ?? '';
  }
  async function refused(): Promise<number> {
    const { requestId } = await stage.sendAndReceive(owner, paidService);
    await app.database
      .updateTable('requests')
      .set({ refundable: 100 })
      .where('id', '=', requestId)
      .execute();
    return requestId;
  }
  async function withDocument(isPut: boolean): Promise<{
    RequestId: number;
    ServiceProviderRequestAttachments: { attachmentId: string; title: string }[];
  }> {
    const { requestId } = await stage.sendAndApprove(owner, paidService);
    const list = {
      RequestId: requestId,
      ServiceProviderRequestAttachments: [
        { attachmentId: await sendProviderDocument(app, 'employee', requestId), title: 'Survey' },
      ],
    };
    if (isPut)
      await app.call(createServiceProviderRequestAttachment, {
        token: await app.signIn('employee'),
        body: list,
      });
    return list;
  }
  const list = async () => {
    const { requestId, attachmentIds } = await returned();
    return { body: { requestId, requestAttachmentList: attachmentIds } };
  };
  return {
    getAllRequestsByStatusId: { make: () => ({}) },
    getVisibleAgencies: { make: () => ({}) },
    getVisibleServices: { make: () => ({}) },
    getUnusualReaders: {
      make: async () => {
        const [reader_id, individual] = [await app.idOf('employee'), await app.idOf(owner)];
        await app.database
          .insertInto('request_reads')
          .columns(['request_id', 'reader_id', 'reader_name', 'reader_kind', 'reason'])
          .expression((query) =>
            query
              .selectFrom('requests')
              .select(['id', sql<string>`${reader_id}::uuid`.as('reader_id')])
              .select([sql<string>`'Employee'`.as('name'), sql<string>`'employee'`.as('kind')])
              .select(sql<string>`'enquiry'`.as('reason'))
              .where('user_id', '=', individual)
              .limit(unusualReads.ofOnePerson),
          )
          .execute();
        return { query: { From: todayInDubai(), Until: todayInDubai() } };
      },
    },
    getRequestByRequestNoOrMobileNoV2: {
      owner,
      make: async () => ({
        query: { SearchKeyword: (await stage.sendAndApprove(owner, paidService)).requestNumber },
      }),
    },
    getRequestByMerchantReference: {
      owner,
      make: async () => ({ query: { MerchantReference: await paidReference() } }),
    },
    getRequestByIdForUpdate: {
      owner,
      make: async () => ({ query: { RequestId: (await returned()).requestId } }),
    },
    saveRequestAttachments: { owner, make: list },
    updateRequestAttachments: { owner, make: list },
    recordRefund: {
      owner,
      make: async () => ({ body: { requestId: await refused(), amount: 100, reference: 'R-1' } }),
    },
    getReferralCodes: { make: () => ({}) },
    saveReferralCode: {
      make: () => ({
        body: {
          code: `WELL-FORMED-${(codes += 1)}`,
          version: 0,
          name: { 'ar-EG': 'حملة', 'en-US': 'Campaign', 'ur-PK': 'مہم' },
          validFrom: '2026-01-01',
        },
      }),
    },
    endReferralCode: { make: () => ({ body: { code: 'DEMO-ENDED', version: 1 } }) },
    getReferralCodeUses: { make: () => ({ query: { Code: 'DEMO-PALM' } }) },
    checkReferralCodeValidity: { make: () => ({ query: { refferalCode: 'DEMO-PALM' } }) },
    createServiceProviderRequestAttachment: {
      owner,
      make: async () => ({ body: await withDocument(false) }),
    },
    saveServiceProviderRequestAttachment: {
      owner,
      make: async () => ({
        body: { ...(await withDocument(true)), ServiceProviderRequestAttachments: [] },
      }),
    },
    getAllServiceProviderRequestAttachmentsByRequestId: {
      owner,
      make: async () => ({ query: { RequestId: (await withDocument(true)).RequestId } }),
    },
  };
}

/** Calls about saved texts; the texts that are changed are `employee`'s. */
function wellFormedSnippets(app: TestApp): Record<string, WellFormed> {
  const fresh = () => ({ name: crypto.randomUUID(), ...messageTexts });
  async function storeSnippet(): Promise<string> {
    const text = fresh();
    const token = await app.signIn('employee');
    const { body } = await app.call(saveSnippet, { token, body: text });
    return body.find(({ name }) => name === text.name)?.snippetId ?? '';
  }
  return {
    getNotifications: { make: () => ({}) },
    markNotifications: { make: () => ({ body: { isRead: true } }) },
    getNotificationSettings: { make: () => ({}) },
    saveNotificationSetting: {
      make: () => ({
        body: { kind: 'worked', inPortal: true, byMail: false, bySms: false, byPush: true },
      }),
    },
    getSnippets: { make: () => ({}) },
    saveSnippet: {
      owner: 'employee',
      make: async () => ({ body: { snippetId: await storeSnippet(), ...fresh() } }),
    },
    deleteSnippet: {
      owner: 'employee',
      make: async () => ({ body: { snippetId: await storeSnippet() } }),
    },
  };
}

/** Calls about saved filters and texts; the filter that is changed is `employee`'s. */
export function wellFormedFilters(app: TestApp): Record<string, WellFormed> {
  let made = 0;
  const choice = { keyword: 'licence', from: '', to: '', sort: 'desc' as const, isMine: false };
  const fresh = () => ({ list: 'all' as const, name: `filter ${(made += 1)}`, choice });
  async function storeFilter(): Promise<string> {
    const filter = fresh();
    const { body } = await app.call(saveFilter, {
      token: await app.signIn('employee'),
      body: filter,
    });
    return body.find(({ name }) => name === filter.name)?.id ?? '';
  }
  return {
    ...wellFormedSnippets(app),
    getSavedFilters: { make: () => ({}) },
    saveFilter: { make: () => ({ body: fresh() }) },
    changeSavedFilter: {
      owner: 'employee',
      make: async () => ({ body: { id: await storeFilter(), name: `other ${(made += 1)}` } }),
    },
    deleteSavedFilter: {
      owner: 'employee',
      make: async () => ({ body: { id: await storeFilter() } }),
    },
  };
}
