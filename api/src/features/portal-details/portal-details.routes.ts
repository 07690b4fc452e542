import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/content/portal-details';
import * as readiness from '@diwan/contract/portal/readiness';
import { getDetails, saveDetails } from './portal-details.actions.ts';
import { hideFirstDay, readReadiness } from './readiness.actions.ts';

/** What the portal says about itself, for administrators. */
export function servePortalDetails(context: AppContext): void {
  const { database, configuration } = context;
  const file = () => configuration.content();
  serve(context, contract.getPortalDetails, () => getDetails(database, file()));

  serve(context, readiness.getPortalReadiness, () => readReadiness(database, context.config));

  serve(context, readiness.hideFirstDay, async ({ caller, request }) => {
    await hideFirstDay(database, { caller, address: request.ip }, new Date());
    return { isFirstDayHidden: true };
  });

  serve(context, contract.savePortalDetails, ({ caller, request, body }) =>
    saveDetails({ database, file: file() }, { caller, address: request.ip }, body, new Date()),
  );
}
