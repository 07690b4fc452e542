import * as communication from '@diwan/contract/people/communication-types';
import * as calls from '@diwan/contract/requests/messages';
import type { AppContext } from '../../platform/http/context.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Caller } from '../../platform/auth/session.ts';
import {
  changeOwnCommunication,
  readCommunicationTypes,
  readOwnCommunication,
} from './communication.actions.ts';
import {
  giveUpMessages,
  listMessages,
  readRequestMessages,
  retryFailed,
  retryMessages,
} from './messages.actions.ts';

/**
 * What people are told, and how they want to be told. `mayView` says whether somebody may see a
 * request, `noteRead` notes that staff did. Source: specification §7 CommunicationType, decision
 * 0024.
 */
export function serveMessages(
  context: AppContext,
  {
    mayView,
    noteRead,
  }: {
    mayView(caller: Caller, requestId: number): Promise<boolean>;
    noteRead(caller: Caller, requestId: number): Promise<void>;
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
      channel: body.channel,
      fault: body.fault,
      keyword: body.searchKeyword,
    }),
  }));

  serve(context, calls.giveUpMessages, async ({ body }) => ({
    changed: await giveUpMessages(context, body.messageIds),
  }));

  serve(context, calls.getRequestMessages, async ({ caller, query }) => {
    if (!(await mayView(caller, query.RequestId))) throw new Refusal('RequestNotFound');
    await noteRead(caller, query.RequestId);
    return readRequestMessages(database, caller, query.RequestId);
  });
}
