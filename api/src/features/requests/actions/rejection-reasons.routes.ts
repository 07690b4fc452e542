import * as calls from '@diwan/contract/requests/rejection-reasons';
import type { ReasonRecord } from '@diwan/contract/requests/rejection-reasons';
import { rejectionReasonCollection } from '@diwan/contract/requests/requests';
import { localize } from '../../../platform/core/localize.ts';
import type { House } from '../../../platform/http/house.ts';
import { serve } from '../../../platform/http/serve.ts';
import { saveReason, usableReasons } from './rejection-reasons.actions.ts';
import { selectReasons } from './rejection-reasons.store.ts';

async function listReasons(house: House): Promise<ReasonRecord[]> {
  return (await selectReasons(house.database)).map(
    ({ id, name, retired_at: retired, version }) => ({
      id,
      names: name,
      isRetired: retired !== null,
      version,
    }),
  );
}

/** The reasons to return or refuse a request. Source: specification §7. */
export function serveRejectionReasons(house: House): void {
  serve(house, rejectionReasonCollection, async ({ language }) =>
    [...(await usableReasons(house.database))].map(([id, names]) => ({
      id,
      name: localize(names, language),
      names,
    })),
  );

  serve(house, calls.getAllRejectionReasons, () => listReasons(house));

  serve(house, calls.saveRejectionReason, async ({ body }) => {
    await saveReason(house.database, body, new Date());
    return listReasons(house);
  });
}
