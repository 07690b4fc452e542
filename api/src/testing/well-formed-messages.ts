import { getRequestMessages } from '@diwan/contract/requests/messages';
import { openRequestStage, paidService } from './request-stage.ts';
import type { TestApp } from './test-app.ts';
import type { WellFormed } from './well-formed-call.ts';

/** Calls about messages; the request is `individual`'s. */
export function wellFormedMessages(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  async function messageIds(): Promise<string[]> {
    const { requestId } = await stage.send('individual', paidService);
    const { body } = await app.call(getRequestMessages, {
      token: await app.signIn('individual'),
      query: { RequestId: requestId },
    });
    return body.map(({ messageId }) => messageId);
  }
  return {
    getAllCommunicationType: { make: () => ({}) },
    getOwnCommunication: { make: () => ({}) },
    changeOwnCommunication: {
      make: () => ({ body: { communicationTypeId: 1, language: 'en-US' } }),
    },
    getMessages: { make: () => ({}) },
    retryMessages: { make: async () => ({ body: { messageIds: await messageIds() } }) },
    retryFailedMessages: { make: async () => ({ body: { searchKeyword: 'nobody at all' } }) },
    giveUpMessages: { make: async () => ({ body: { messageIds: await messageIds() } }) },
    getRequestMessages: {
      owner: 'individual',
      make: async () => ({
        query: { RequestId: (await stage.sendAndApprove('individual', paidService)).requestId },
      }),
    },
  };
}
