import * as calls from '@diwan/contract/requests/workflows';
import type { House } from '../../../platform/http/house.ts';
import { serve } from '../../../platform/http/serve.ts';
import {
  describeWorkflows,
  getDocument,
  judge,
  putInForce,
  type ChoosingHouse,
} from './choose-workflow.actions.ts';

/** Which workflow new requests follow; for admins. Source: design §3, §4; decision 0023. */
export function serveWorkflows(
  house: House,
  parts: Pick<ChoosingHouse, 'catalogue' | 'workflow'>,
): void {
  const choosing = { ...parts, database: house.database };
  serve(house, calls.getWorkflows, ({ language }) => describeWorkflows(choosing, language));
  serve(house, calls.getWorkflowDocument, ({ query }) => getDocument(choosing, query.WorkflowId));
  serve(house, calls.judgeWorkflow, ({ body }) => judge(choosing, body.document, body));
  serve(house, calls.putWorkflowInForce, async ({ caller, body, request, language }) => {
    await putInForce(
      choosing,
      caller,
      { text: body.document, serviceId: body.serviceId, replaces: body.replaces },
      request.ip,
    );
    return describeWorkflows(choosing, language);
  });
}
