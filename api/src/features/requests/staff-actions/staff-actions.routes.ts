import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import * as pending from '@diwan/contract/processing/pending-actions';
import { decideCharge, getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { staffActions, type StaffAction } from '@diwan/contract/requests/actions';
import { previewMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/request-actions';
import type { Call } from '@diwan/contract/wire/call';
import { performAction, previewAction, type ActionTarget } from '../actions/perform.actions.ts';
import { actAndOpen, openActed, type OpenRecordContext } from '../record/request-record.actions.ts';
import {
  decideWaitingCharge,
  dismissFailedAction,
  listPendingActions,
  listWaitingCharges,
  undoAction,
} from './pending-actions.actions.ts';
import { staffActionOf } from './staff-actions.ts';

/** The call of an action, which names its request in its address or in its body. */
type StaffActionCall = Call & { reply: typeof calls.releaseRequest.reply };

/** Each action of staff replies with the record after it. Source: specification §3, §4, §7 Requests. */
export function serveStaffActions(context: AppContext, requests: OpenRecordContext): void {
  const serveAction = (action: StaffAction) => {
    const call: StaffActionCall = actionCalls[action];
    const { read, prepare } = staffActionOf(action);
    serve(context, call, ({ caller, params, query, body, language }) => {
      const target = Object.assign({}, params, query, body) as unknown as ActionTarget;
      const { requestId } = target;
      return actAndOpen(requests, caller, { requestId, language }, (acting) =>
        performAction(acting, caller, target, { action, sent: read(body), prepare }),
      );
    });
  };
  staffActions.forEach(serveAction);

  serve(context, previewMessages, ({ caller, body }) => {
    const { action } = body;
    const { read, prepare } = staffActionOf(action);
    return previewAction(requests, (preview) =>
      performAction(preview, caller, body, { action, sent: read(body), prepare }),
    );
  });

  serve(context, pending.undoAction, async ({ caller, body, language }) => {
    await undoAction(requests, caller, body);
    return openActed(requests, caller, body.requestId, language);
  });

  serve(context, pending.getHeldActions, ({ caller, language }) =>
    listPendingActions(requests.database, caller, language),
  );

  serve(context, getWaitingCharges, ({ caller, language }) =>
    listWaitingCharges(requests.database, caller, language),
  );

  serve(context, decideCharge, async ({ caller, request, body, language }) => {
    await decideWaitingCharge(requests, { caller, address: request.ip }, body);
    return openActed(requests, caller, body.requestId, language);
  });

  serve(context, pending.dismissFailedAction, async ({ caller, body }) => {
    await dismissFailedAction(requests.database, caller, body.heldActionId);
    return {};
  });
}
