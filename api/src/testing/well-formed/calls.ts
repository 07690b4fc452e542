import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { getAccountTypeRecords } from '@diwan/contract/catalogue/account-types';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { getCategoryRecords } from '@diwan/contract/catalogue/categories';
import { getServices } from '@diwan/contract/catalogue/services';
import { prepareCatalogueImport } from '@diwan/contract/catalogue/transfer';
import { getAttachmentTypes } from '@diwan/contract/content/attachment-types';
import { discardDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import { returnRequest } from '@diwan/contract/requests/request-actions';
import { openRequestStage, paidService, messageTexts } from '../requests/request-stage.ts';
import type { TestApp } from '../test-app.ts';
import { wellFormedActing, wellFormedAccounts } from './accounts.ts';
import type { WellFormed } from './call.ts';
import { wellFormedComplaints } from './complaints.ts';
import { wellFormedContent } from './content.ts';
import { wellFormedOrganisations } from './organisations.ts';
import { wellFormedReasons } from './reasons.ts';
import { wellFormedRequests } from './requests.ts';
import { wellFormedServiceDesigns } from './service-designs.ts';
import { wellFormedUrgentReading } from './urgent-reading.ts';

/** A browser at a push service that exists nowhere. */
function newSubscription() {
  const keys = createECDH('prime256v1');
  return {
    endpoint: `https://updates.push.services.mozilla.com/${randomUUID()}`,
    publicKey: keys.generateKeys('base64url'),
    secret: randomBytes(16).toString('base64url'),
  };
}

const plain: WellFormed = { make: () => ({}) };
const ask = (query: Record<string, string | number>): WellFormed => ({ make: () => ({ query }) });

function wellFormedCatalogue(app: TestApp): Record<string, WellFormed> {
  const byId = ask({ serviceId: 1 });
  const byName = ask({ serviceName: 'renew-vehicle-ownership' });
  const byType = ask({ AccountTypeId: 1 });
  const newName = () => {
    const name = `New ${randomUUID().slice(0, 8)}`;
    return { 'ar-EG': name, 'en-US': name, 'ur-PK': name };
  };
  const catalogueFile =
    '{"format": "diwan-catalogue-1", "services": [{"replacedName": "visa-extension", "workingDays": 4}]}';
  const prepareJob = async () =>
    (
      await app.callAs('agency-rta', prepareCatalogueImport, {
        query: { Format: 'json' },
        body: Buffer.from(catalogueFile),
      })
    ).body.jobId;
  const idsOf = async (
    call: typeof getAgencyRecords | typeof getCategoryRecords | typeof getAttachmentTypes,
  ) => (await app.callAs('admin', call)).body.map(({ id }) => id);
  return {
    getLiveness: plain,
    getReadiness: plain,
    getAllAccountTypes: plain,
    getAllAccountTypesByLogo: plain,
    governmentAgencyCollection: plain,
    getAllGovernmentAgenciesWithServices: plain,
    governmentAgencyCollectionByServiceCategory: ask({ ServiceCategoryId: 1 }),
    getAllGovernmentAgenciesByAccountType: byType,
    getAllServiceCategory: plain,
    getAllServicesCategoriesWithServices: plain,
    getAllServiceCategoryByAccountType: byType,
    getServices: plain,
    getManagedServices: plain,
    serviceSearch: ask({ Name: 'visa' }),
    getService: byId,
    checkEligibility: byId,
    getServiceNameByServiceId: byId,
    getServiceIdByServiceName: byName,
    getAllServicesByAccountType: byType,
    getAllServicesForUpdatingPartner: plain,
    generateDynamicSitemapFile: plain,
    getManagedAgencies: plain,
    getAgencyRecords: plain,
    saveAgency: { make: () => ({ body: { name: newName() } }) },
    saveAgencyDiscounts: {
      make: async () => {
        const [agency] = (await app.callAs('admin', getAgencyRecords)).body;
        const { id: agencyId = 0, version = 0, discounts = [] } = agency ?? {};
        return { body: { agencyId, version, discounts } };
      },
    },
    orderAgencies: { make: async () => ({ body: { ids: await idsOf(getAgencyRecords) } }) },
    getAttachmentTypes: plain,
    getUsualAttachmentTypes: { make: () => ({}) },
    addUsualAttachmentTypes: { make: () => ({ body: { keys: [0] } }) },
    saveAttachmentType: {
      make: () => ({
        body: {
          name: newName(),
          mediaTypes: ['application/pdf'],
          maximumBytes: 1_000_000,
          maximumCount: 1,
        },
      }),
    },
    orderAttachmentTypes: {
      make: async () => ({ body: { ids: await idsOf(getAttachmentTypes) } }),
    },
    getCategoryRecords: plain,
    saveCategory: { make: () => ({ body: { name: newName(), description: newName() } }) },
    orderCategories: { make: async () => ({ body: { ids: await idsOf(getCategoryRecords) } }) },
    getAccountTypeRecords: plain,
    saveAccountType: {
      make: async () => {
        const { body } = await app.callAs('admin', getAccountTypeRecords);
        const [{ id = 0, version = 0 } = {}] = body;
        return { body: { id, version, name: newName(), alt: newName(), description: newName() } };
      },
    },
    uploadLogo: {
      make: () => ({
        body: { content: Buffer.from('<svg viewBox="0 0 8 8"></svg>').toString('base64') },
      }),
    },
    exportCatalogue: ask({ Format: 'json' }),
    prepareCatalogueImport: {
      make: () => ({ query: { Format: 'json' }, body: Buffer.from(catalogueFile) }),
    },
    prepareBulkChange: { make: () => ({ body: { serviceIds: [1], workingDays: 8 } }) },
    // A job of the agency: that of the portal's administrator is unknown to other administrators.
    runCatalogueJob: { make: async () => ({ body: { jobId: await prepareJob() } }) },
    getCatalogueJob: { make: async () => ({ query: { jobId: await prepareJob() } }) },
    cancelCatalogueJob: { make: async () => ({ body: { jobId: await prepareJob() } }) },
    // Deletes the service that no other call uses.
    deleteService: {
      make: async () => ({
        params: {
          serviceId:
            (await app.call(getServices, { query: { PageSize: 100 } })).body.items.at(-1)?.id ?? 0,
        },
      }),
    },
  };
}

/** Calls about drafts; the drafts belong to `individual`. */
function wellFormedDrafts(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  const serviceId = async () => (await stage.findService(paidService)).id;
  /**
   * The correction of a returned request; its draft belongs to `individual`, while every applicant
   * may begin a draft of a service.
   */
  async function correctionOf(): Promise<{ serviceId: number; requestId: number }> {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    await stage.performAction('employee', returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    return { serviceId: await serviceId(), requestId };
  }
  async function fresh() {
    await app.database.deleteFrom('drafts').execute();
    return {
      draftId: randomUUID(),
      serviceId: await serviceId(),
      revision: 0,
      answers: { applicantName: 'Noor' },
      attachmentIds: [],
      passed: [],
    };
  }
  async function saveOwn(isDiscarded: boolean) {
    const token = await app.signIn('individual');
    const body = await fresh();
    await app.call(saveDraft, { token, body });
    if (isDiscarded) await app.call(discardDraft, { token, body: { draftId: body.draftId } });
    return { body: { draftId: body.draftId } };
  }
  return {
    getDrafts: { make: () => ({}) },
    getDraft: { owner: 'individual', make: async () => ({ query: await correctionOf() }) },
    saveDraft: {
      owner: 'individual',
      make: async () => ({ body: { ...(await fresh()), ...(await correctionOf()) } }),
    },
    discardDraft: { owner: 'individual', make: () => saveOwn(false) },
    restoreDraft: { owner: 'individual', make: () => saveOwn(true) },
    getPrefill: { make: async () => ({ query: { serviceId: await serviceId() } }) },
    setPrefillConsent: { make: () => ({ body: { isAgreed: true } }) },
  };
}

/** Calls about messages; the request is `individual`'s. */
function wellFormedMessages(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  async function messageIds(): Promise<string[]> {
    const { requestId } = await stage.send('individual', paidService);
    const { body } = await app.call(getRequestMessages, {
      token: await app.signIn('individual'),
      query: { RequestId: requestId },
    });
    return body.map(({ messageId }) => messageId);
  }
  return {
    getAllCommunicationType: { make: () => ({}) },
    getOwnCommunication: { make: () => ({}) },
    getPushState: { make: () => ({ body: {} }) },
    savePushSubscription: { make: () => ({ body: newSubscription() }) },
    removePushSubscription: {
      make: () => ({ body: { endpoint: newSubscription().endpoint } }),
    },
    changeOwnCommunication: {
      make: () => ({ body: { communicationTypeId: 1, language: 'en-US' } }),
    },
    getMessages: { make: () => ({}) },
    retryMessages: { make: async () => ({ body: { messageIds: await messageIds() } }) },
    retryFailedMessages: { make: async () => ({ body: { searchKeyword: 'no such text' } }) },
    giveUpMessages: { make: async () => ({ body: { messageIds: await messageIds() } }) },
    getRequestMessages: {
      owner: 'individual',
      make: async () => ({
        query: { RequestId: (await stage.sendAndApprove('individual', paidService)).requestId },
      }),
    },
  };
}

/**
 * A well-formed call for every call, by name; a second one of the same name adds its subject in
 * brackets.
 */
export function wellFormedCalls(app: TestApp): Record<string, WellFormed> {
  return {
    ...wellFormedCatalogue(app),
    ...wellFormedContent(app),
    ...wellFormedUrgentReading(app),
    ...wellFormedComplaints(app),
    ...wellFormedServiceDesigns(app),
    ...wellFormedDrafts(app),
    ...wellFormedRequests(app),
    ...wellFormedReasons(app),
    ...wellFormedMessages(app),
    ...wellFormedAccounts(app),
    ...wellFormedActing(app),
    ...wellFormedOrganisations(app),
  };
}
