import * as calls from '@diwan/contract/requests/drafts';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { House } from '../../platform/http/house.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Catalogue } from '../services/services.actions.ts';
import {
  discardDraft,
  findDraft,
  listDrafts,
  restoreDraft,
  saveDraft,
  type DraftsHouse,
} from './drafts.actions.ts';
import { setConsent, suggestAnswers } from './prefill.actions.ts';

/** Drafts of requests, and what can be filled in for somebody. Our own calls: decision 0021. */
export function serveDrafts(
  house: House,
  catalogue: Catalogue,
  lockToMend: DraftsHouse['lockToMend'],
): void {
  const drafts = { database: house.database, catalogue, config: house.config, lockToMend };

  serve(house, calls.getDrafts, ({ caller, language }) => listDrafts(drafts, caller, language));

  serve(house, calls.getDraft, async ({ caller, query, language }) => ({
    draft: await findDraft(drafts, caller, query, todayInDubai(), language),
  }));

  serve(house, calls.saveDraft, ({ caller, body }) => saveDraft(drafts, caller, body), {
    perMinute: house.config.DRAFT_SAVES_PER_MINUTE,
    perPerson: true,
    bodyLimit: calls.mostDraftBytes,
  });

  serve(house, calls.discardDraft, async ({ caller, body }) => {
    await discardDraft(drafts, caller, body.draftId);
    return { draftId: body.draftId };
  });

  serve(house, calls.restoreDraft, async ({ caller, body }) => {
    await restoreDraft(drafts, caller, body.draftId);
    return { draftId: body.draftId };
  });

  serve(house, calls.getPrefill, ({ caller, query, language }) =>
    suggestAnswers(drafts, caller, query.serviceId, todayInDubai(), language),
  );

  serve(house, calls.setPrefillConsent, ({ caller, body }) =>
    setConsent(drafts, caller, body.isAgreed),
  );
}
