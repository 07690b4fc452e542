import { randomUUID } from 'node:crypto';
import { discardDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { returnRequest } from '@diwan/contract/requests/requests';
import { openRequestStage, paidService, words } from './request-stage.ts';
import type { TestHouse } from './test-house.ts';
import type { WellFormed } from './well-formed-call.ts';

/**
 * Calls about drafts; the ones that are read, saved, thrown away or taken back are `individual`'s.
 */
export function wellFormedDrafts(house: TestHouse): Record<string, WellFormed> {
  const stage = openRequestStage(house);
  const serviceId = async () => (await stage.findService(paidService)).id;
  /** The mending of a returned request: one of a service is anybody's to begin. */
  async function toMend(): Promise<{ serviceId: number; requestId: number }> {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    await stage.act('employee', returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...words,
    });
    return { serviceId: await serviceId(), requestId };
  }
  async function fresh() {
    await house.database.deleteFrom('drafts').execute();
    return {
      draftId: randomUUID(),
      serviceId: await serviceId(),
      revision: 0,
      answers: { applicantName: 'Noor' },
      attachmentIds: [],
      passed: [],
    };
  }
  async function kept(isDiscarded: boolean) {
    const token = await house.signIn('individual');
    const body = await fresh();
    await house.call(saveDraft, { token, body });
    if (isDiscarded) await house.call(discardDraft, { token, body: { draftId: body.draftId } });
    return { body: { draftId: body.draftId } };
  }
  return {
    getDrafts: { make: () => ({}) },
    getDraft: { owner: 'individual', make: async () => ({ query: await toMend() }) },
    saveDraft: {
      owner: 'individual',
      make: async () => ({ body: { ...(await fresh()), ...(await toMend()) } }),
    },
    discardDraft: { owner: 'individual', make: () => kept(false) },
    restoreDraft: { owner: 'individual', make: () => kept(true) },
    getPrefill: { make: async () => ({ query: { serviceId: await serviceId() } }) },
    setPrefillConsent: { make: () => ({ body: { isAgreed: true } }) },
  };
}
