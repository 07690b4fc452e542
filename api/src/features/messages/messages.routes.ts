import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as communication from '@diwan/contract/people/communication-types';
import * as calls from '@diwan/contract/requests/messages';
import {
  changeOwnCommunication,
  readCommunicationTypes,
  readOwnCommunication,
  giveUpMessages,
  listMessages,
  readRequestMessages,
  retryFailed,
  retryMessages,
} from './messages.actions.ts';

/**
 * Routes of messages and of communication preferences. `mayView` returns whether a caller may view
 * a request, `recordAccess` records that staff did. Source: specification §7 CommunicationType,
 * decision 0024.
 */
export function serveMessages(
  context: AppContext,
  {
    mayView,
    recordAccess,
  }: {
    mayView(caller: Caller, requestId: number): Promise<boolean>;
    recordAccess(caller: Caller, requestId: number): Promise<void>;
  },
): void {
  const { database } = context;

  serve(context, communication.getAllCommunicationType, ({ language }) =>
    readCommunicationTypes(database, language),
  );

  serve(context, communication.getOwnCommunication, ({ caller }) =>
    readOwnCommunication(database, caller),
  );

  serve(context, communication.changeOwnCommunication, ({ caller, body }) =>
    changeOwnCommunication(database, caller, body),
  );

  serve(context, calls.getMessages, ({ query }) =>
    listMessages(database, {
      state: query.State,
      channel: query.Channel,
      fault: query.Fault,
      keyword: query.SearchKeyword,
      pageNumber: query.PageNumber,
      take: query.Take,
    }),
  );

  serve(context, calls.retryMessages, async ({ body }) => ({
    changed: await retryMessages(context, body.messageIds),
  }));

  serve(context, calls.retryFailedMessages, async ({ body }) => ({
    changed: await retryFailed(context, {
      state: body.state,
      channel: body.channel,
      fault: body.fault,
      keyword: body.searchKeyword,
    }),
  }));

  serve(context, calls.giveUpMessages, async ({ body }) => ({
    changed: await giveUpMessages(context, body.messageIds),
  }));

  serve(context, calls.getRequestMessages, async ({ caller, query }) => {
    // guard: reader of the messages of a request (others-ids, own-data)
    if (!(await mayView(caller, query.RequestId))) throw new Refusal('RequestNotFound');
    await recordAccess(caller, query.RequestId);
    return readRequestMessages(database, caller, query.RequestId);
  });
}
