import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { getStatus, statusParts } from '@diwan/contract/content/status';
import { observeParts } from './observe-parts.ts';
import { checkSeconds, openStatus, type Status } from './status.actions.ts';

/** The status of the parts that this deployment has. */
export const openStatusOfPortal = (context: AppContext): Promise<Status> =>
  openStatus({
    database: context.database,
    parts: statusParts.filter(
      (part) => part !== 'uaePass' || context.integrations.identityProvider !== undefined,
    ),
    observe: observeParts(context),
  });

/** The status page of the portal, from memory, so that it answers while the database does not. */
export function registerStatus(context: AppContext, { status }: { status: Status }): Feature {
  serve(context, getStatus, () => status.read(), { version: status.version });
  return { jobs: [{ everySeconds: checkSeconds, run: () => status.check() }] };
}
