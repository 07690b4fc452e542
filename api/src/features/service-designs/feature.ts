import type { AppContext, Feature } from '#platform/http/context.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { Workflows } from '../workflow/workflows.actions.ts';
import { publishDueServices } from './publish-service.actions.ts';
import { serveServiceDesigns } from './service-designs.routes.ts';

/** The service designer, in which admins edit and publish services. */
export function registerServiceDesigns(
  context: AppContext,
  { catalogue, workflow }: { catalogue: Catalogue; workflow: Workflows },
): Feature {
  const designs = {
    database: context.database,
    catalogue,
    workflow,
    now: () => new Date(),
    feeApprovalAbove: context.config.FEE_APPROVAL_ABOVE,
  };
  serveServiceDesigns(context, designs);
  return { jobs: [{ everySeconds: 2, run: () => publishDueServices(designs) }] };
}
