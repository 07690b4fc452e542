import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/rejection-reasons';
import {
  addReasons,
  findActiveReasons,
  listReasons,
  listUsualReasons,
  saveReason,
  selectActiveReasons,
} from './rejection-reasons.actions.ts';

/** The reasons to return or reject a request, and of fines and fees. Source: specification §7. */
export function serveRejectionReasons(context: AppContext): void {
  const { database } = context;
  serve(context, calls.rejectionReasonCollection, async ({ language }) =>
    [...(await findActiveReasons(database))].map(([id, names]) => ({
      id,
      name: localize(names, language),
      names,
    })),
  );

  serve(context, calls.chargeReasonCollection, async ({ language }) =>
    (await selectActiveReasons(database, ['fine', 'fee'])).flatMap(({ id, kind, name: names }) =>
      kind === 'correction' ? [] : [{ id, kind, name: localize(names, language), names }],
    ),
  );

  serve(context, calls.getAllRejectionReasons, () => listReasons(database));

  serve(context, calls.getUsualReasons, () => listUsualReasons(database));

  serve(context, calls.addUsualReasons, async ({ caller, body, request }) => {
    await addReasons(database, { caller, address: request.ip }, body.keys);
    return listReasons(database);
  });

  serve(context, calls.saveRejectionReason, async ({ caller, body, request }) => {
    await saveReason(database, { caller, address: request.ip }, body, new Date());
    return listReasons(database);
  });
}
