import type { Caller } from '#platform/auth/caller.ts';
import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { pruneMessages } from '#platform/messages/message-outbox.store.ts';
import { serveMessages } from './messages.routes.ts';
import { servePushSubscriptions } from './push-subscriptions.routes.ts';

/** What messages need from requests. */
interface MessagesDependencies {
  /** Whether a caller may see a request now. */
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  /** Records that staff opened a request. */
  recordAccess(caller: Caller, requestId: number): Promise<void>;
}

/** Messages to applicants, and how people want to receive them. */
export function registerMessages(context: AppContext, dependencies: MessagesDependencies): Feature {
  const { database, config } = context;
  serveMessages(context, dependencies);
  servePushSubscriptions(context);
  return {
    jobs: [
      {
        everySeconds: 3600,
        run: () => pruneMessages(withoutTimeLimits(database), config.MESSAGE_DAYS),
      },
    ],
  };
}
