import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/workflows';
import {
  describeWorkflows,
  getWorkflowDocument,
  validateWorkflow,
  activateWorkflow,
  type WorkflowsContext,
} from './activate-workflow.actions.ts';
import { simulateWorkflow } from './simulate-workflow.actions.ts';
import { readDraft, saveDraft } from './workflow-drafts.actions.ts';

/** The workflow of new requests; for admins. Source: design §3, §4; decision 0023. */
export function serveWorkflows(
  context: AppContext,
  parts: Pick<WorkflowsContext, 'catalogue' | 'workflow'>,
): void {
  const workflows = { ...parts, database: context.database };
  serve(context, calls.getWorkflows, ({ language }) => describeWorkflows(workflows, language));
  serve(context, calls.getWorkflowDocument, ({ query }) =>
    getWorkflowDocument(workflows, query.WorkflowId),
  );
  serve(context, calls.judgeWorkflow, ({ body }) =>
    validateWorkflow(workflows, body.document, body),
  );
  serve(context, calls.getWorkflowDraft, ({ query, language }) =>
    readDraft(workflows, query.ServiceId, language),
  );
  serve(context, calls.saveWorkflowDraft, ({ caller, body, language }) =>
    saveDraft(workflows, caller, body, language),
  );
  serve(context, calls.simulateWorkflow, ({ body, language }) =>
    simulateWorkflow(workflows, { text: body.document, serviceId: body.serviceId }, language),
  );
  serve(context, calls.putWorkflowInForce, async ({ caller, body, request, language }) => {
    await activateWorkflow(
      workflows,
      caller,
      { text: body.document, serviceId: body.serviceId, replaces: body.replaces },
      request.ip,
    );
    return describeWorkflows(workflows, language);
  });
}
