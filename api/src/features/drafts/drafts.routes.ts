import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/drafts';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { Catalogue } from '../services/services.actions.ts';
import {
  discardDraft,
  findDraft,
  listDrafts,
  restoreDraft,
  saveDraft,
  type DraftsContext,
} from './drafts.actions.ts';
import { setConsent, suggestAnswers } from './prefill.actions.ts';

/** Routes of drafts and of suggested answers. Our own calls: decision 0021. */
export function serveDrafts(
  context: AppContext,
  catalogue: Catalogue,
  lockForCorrection: DraftsContext['lockForCorrection'],
): void {
  const drafts = {
    database: context.database,
    catalogue,
    config: context.config,
    lockForCorrection,
  };

  serve(context, calls.getDrafts, ({ caller, language }) =>
    listDrafts(drafts, caller, { language, at: new Date() }),
  );

  serve(context, calls.getDraft, async ({ caller, query, language }) => ({
    draft: await findDraft(drafts, caller, query, { today: todayInDubai(), language }),
  }));

  serve(context, calls.saveDraft, ({ caller, body }) => saveDraft(drafts, caller, body), {
    perMinute: context.config.DRAFT_SAVES_PER_MINUTE,
    perPerson: true,
    bodyLimit: calls.maximumDraftBytes,
  });

  serve(context, calls.discardDraft, async ({ caller, body }) => {
    await discardDraft(drafts, caller, body.draftId);
    return { draftId: body.draftId };
  });

  serve(context, calls.restoreDraft, async ({ caller, body }) => {
    await restoreDraft(drafts, caller, body.draftId);
    return { draftId: body.draftId };
  });

  serve(context, calls.getPrefill, ({ caller, query, language }) =>
    suggestAnswers(drafts, caller, query.serviceId, { today: todayInDubai(), language }),
  );

  serve(context, calls.setPrefillConsent, ({ caller, body }) =>
    setConsent(drafts, caller, body.isAgreed),
  );
}
