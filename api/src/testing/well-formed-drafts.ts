import { randomUUID } from 'node:crypto';
import { discardDraft, saveDraft } from '@diwan/contract/drafts';
import { openRequestStage, paidService } from './request-stage.ts';
import type { TestHouse } from './test-house.ts';
import type { WellFormed } from './well-formed-call.ts';

/** Calls about drafts; the one that is thrown away or taken back is `individual`'s. */
export function wellFormedDrafts(house: TestHouse): Record<string, WellFormed> {
  const serviceId = async () => (await openRequestStage(house).findService(paidService)).id;
  async function fresh() {
    await house.database.deleteFrom('drafts').execute();
    return { draftId: randomUUID(), serviceId: await serviceId(), revision: 0, answers: { applicantName: 'Noor' }, attachmentIds: [], passed: [] };
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
    getDraft: { make: async () => ({ query: { serviceId: await serviceId() } }) },
    saveDraft: { make: async () => ({ body: await fresh() }) },
    discardDraft: { owner: 'individual', make: () => kept(false) },
    restoreDraft: { owner: 'individual', make: () => kept(true) },
    getPrefill: { make: async () => ({ query: { serviceId: await serviceId() } }) },
    setPrefillConsent: { make: () => ({ body: { isAgreed: true } }) },
  };
}
