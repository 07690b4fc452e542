import * as calls from '@diwan/contract/requests/workflows';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import {
  describeWorkflows,
  getDocument,
  judge,
  putInForce,
  type ChoosingContext,
} from './choose-workflow.actions.ts';

/** Which workflow new requests follow; for admins. Source: design §3, §4; decision 0023. */
export function serveWorkflows(
  context: AppContext,
  parts: Pick<ChoosingContext, 'catalogue' | 'workflow'>,
): void {
  const choosing = { ...parts, database: context.database };
  serve(context, calls.getWorkflows, ({ language }) => describeWorkflows(choosing, language));
  serve(context, calls.getWorkflowDocument, ({ query }) => getDocument(choosing, query.WorkflowId));
  serve(context, calls.judgeWorkflow, ({ body }) => judge(choosing, body.document, body));
  serve(context, calls.putWorkflowInForce, async ({ caller, body, request, language }) => {
    await putInForce(
      choosing,
      caller,
      { text: body.document, serviceId: body.serviceId, replaces: body.replaces },
      request.ip,
    );
    return describeWorkflows(choosing, language);
  });
}
