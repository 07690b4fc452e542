import * as calls from '@diwan/contract/requests/rejection-reasons';
import type { ReasonRecord } from '@diwan/contract/requests/rejection-reasons';
import { rejectionReasonCollection } from '@diwan/contract/requests/requests';
import { localize } from '../../../platform/core/localize.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import { saveReason, usableReasons } from './rejection-reasons.actions.ts';
import { selectReasons } from './rejection-reasons.store.ts';

async function listReasons(context: AppContext): Promise<ReasonRecord[]> {
  return (await selectReasons(context.database)).map(
    ({ id, name, retired_at: retired, version }) => ({
      id,
      names: name,
      isRetired: retired !== null,
      version,
    }),
  );
}

/** The reasons to return or refuse a request. Source: specification §7. */
export function serveRejectionReasons(context: AppContext): void {
  serve(context, rejectionReasonCollection, async ({ language }) =>
    [...(await usableReasons(context.database))].map(([id, names]) => ({
      id,
      name: localize(names, language),
      names,
    })),
  );

  serve(context, calls.getAllRejectionReasons, () => listReasons(context));

  serve(context, calls.saveRejectionReason, async ({ body }) => {
    await saveReason(context.database, body, new Date());
    return listReasons(context);
  });
}
