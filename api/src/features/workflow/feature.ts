import type { AppContext, Feature } from '#platform/http/context.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { Workflows } from './workflows.actions.ts';
import { serveWorkflows } from './workflows.routes.ts';

/** The workflow documents: which requests follow, their drafts, trial and activation. */
export function registerWorkflow(
  context: AppContext,
  parts: { catalogue: Catalogue; workflow: Workflows },
): Feature {
  serveWorkflows(context, parts);
  return {
    jobs: [{ everySeconds: 5, channel: 'diwan_workflows', run: () => parts.workflow.refresh() }],
  };
}
