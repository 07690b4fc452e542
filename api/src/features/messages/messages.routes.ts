import * as communication from '@diwan/contract/people/communication-types';
import * as calls from '@diwan/contract/requests/messages';
import type { House } from '../../platform/http/house.ts';
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
  house: House,
  {
    mayView,
    noteRead,
  }: {
    mayView(caller: Caller, requestId: number): Promise<boolean>;
    noteRead(caller: Caller, requestId: number): Promise<void>;
  },
): void {
  const { database } = house;

  serve(house, communication.getAllCommunicationType, ({ language }) =>
    readCommunicationTypes(database, language),
  );

  serve(house, communication.getOwnCommunication, ({ caller }) =>
    readOwnCommunication(database, caller),
  );

  serve(house, communication.changeOwnCommunication, ({ caller, body }) =>
    changeOwnCommunication(database, caller, body),
  );

  serve(house, calls.getMessages, ({ query }) =>
    listMessages(database, {
      state: query.State,
      channel: query.Channel,
      fault: query.Fault,
      keyword: query.SearchKeyword,
      pageNumber: query.PageNumber,
      take: query.Take,
    }),
  );

  serve(house, calls.retryMessages, async ({ body }) => ({
    changed: await retryMessages(house, body.messageIds),
  }));

  serve(house, calls.retryFailedMessages, async ({ body }) => ({
    changed: await retryFailed(house, {
      channel: body.channel,
      fault: body.fault,
      keyword: body.searchKeyword,
    }),
  }));

  serve(house, calls.giveUpMessages, async ({ body }) => ({
    changed: await giveUpMessages(house, body.messageIds),
  }));

  serve(house, calls.getRequestMessages, async ({ caller, query }) => {
    if (!(await mayView(caller, query.RequestId))) throw new Refusal('RequestNotFound');
    await noteRead(caller, query.RequestId);
    return readRequestMessages(database, caller, query.RequestId);
  });
}
