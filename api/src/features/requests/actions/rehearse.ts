import type { ReplyOf } from '@diwan/contract/wire/call';
import type { previewMessages } from '@diwan/contract/requests/messages';
import { maskAddress } from '../../messages/messages.actions.ts';
import type { Telling } from '../../messages/notices.actions.ts';
import type { RequestsContext } from '../requests.actions.ts';

/** Ends the transaction of an action, so that nothing of it stays. */
class Rehearsed extends Error {
  readonly telling: Telling;

  constructor(telling: Telling) {
    super('rehearsed');
    this.telling = telling;
  }
}

/**
 * What an action would send, told by the action itself: it runs up to where its applicant is told,
 * and is undone. It refuses what the action refuses.
 */
export async function rehearse(
  context: RequestsContext,
  act: (rehearsal: RequestsContext) => Promise<void>,
): Promise<ReplyOf<typeof previewMessages>> {
  const { notices } = context;
  try {
    await act({
      ...context,
      announce: () => undefined,
      notices: {
        ...notices,
        tell: async (transaction, step) => {
          throw new Rehearsed(await notices.write(transaction, step));
        },
      },
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
    if (error.telling.notice === null) return { messages: [] };
    const { notice, messages } = error.telling;
    return {
      outcome: notice,
      messages: messages.map(({ channel, recipient, language, subject, body }) => ({
        channel,
        recipient: maskAddress(recipient),
        language,
        subject,
        text: body,
      })),
    };
  }
  // Sent twice, the action has told already.
  return { messages: [] };
}
