import { randomUUID } from 'node:crypto';
import { discardDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { returnRequest } from '@diwan/contract/requests/requests';
import { openRequestStage, paidService, words } from './request-stage.ts';
import type { TestApp } from './test-app.ts';
import type { WellFormed } from './well-formed-call.ts';

/**
 * Calls about drafts; the ones that are read, saved, thrown away or taken back are `individual`'s.
 */
export function wellFormedDrafts(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
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
  async function kept(isDiscarded: boolean) {
    const token = await app.signIn('individual');
    const body = await fresh();
    await app.call(saveDraft, { token, body });
    if (isDiscarded) await app.call(discardDraft, { token, body: { draftId: body.draftId } });
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
