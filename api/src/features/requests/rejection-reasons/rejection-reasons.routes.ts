import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/rejection-reasons';
import {
  addReasons,
  listOfferedReasons,
  listReasons,
  listUsualReasons,
  saveReason,
} from './rejection-reasons.actions.ts';

/** The reasons to return or reject a request, and of fines and fees. Source: specification §7. */
export function serveRejectionReasons(context: AppContext): void {
  const { database } = context;
  const idsOf = ({ RequestIds = '' }: { RequestIds?: string | undefined }) =>
    RequestIds === '' ? [] : RequestIds.split(',').map(Number);
  serve(context, calls.rejectionReasonCollection, async ({ caller, query, language }) => {
    const reasons = await listOfferedReasons(database, caller, ['correction'], idsOf(query));
    return reasons.map(({ id, name: names, about }) => ({
      id,
      name: localize(names, language),
      names,
      ...(about ? { about } : {}),
    }));
  });

  serve(context, calls.chargeReasonCollection, async ({ caller, query, language }) => {
    const reasons = await listOfferedReasons(database, caller, ['fine', 'fee'], idsOf(query));
    return reasons.flatMap(({ id, kind, name: names }) =>
      kind === 'correction' ? [] : [{ id, kind, name: localize(names, language), names }],
    );
  });

  serve(context, calls.getAllRejectionReasons, (reader) => listReasons(database, reader));

  serve(context, calls.getUsualReasons, () => listUsualReasons(database));

  serve(context, calls.addUsualReasons, async ({ caller, body, request, language }) => {
    await addReasons(database, { caller, address: request.ip }, body.keys);
    return listReasons(database, { caller, language });
  });

  serve(context, calls.saveRejectionReason, async ({ caller, body, request, language }) => {
    await saveReason(database, { caller, address: request.ip }, body, new Date());
    return listReasons(database, { caller, language });
  });
}
