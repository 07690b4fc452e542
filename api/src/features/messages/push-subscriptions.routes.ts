import { createECDH } from 'node:crypto';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { pushCurve } from '#platform/messages/push.ts';
import * as calls from '@diwan/contract/people/communication-types';
import * as store from './push-subscriptions.store.ts';

const mostBrowsers = 10;

// Messages cannot be encrypted for a point that is not on the curve.
function checkPublicKey(publicKey: string): void {
  const sender = createECDH(pushCurve);
  sender.generateKeys();
  try {
    sender.computeSecret(Buffer.from(publicKey, 'base64url'));
  } catch {
    throw new ValidationRefusal([{ field: 'publicKey', code: 'pattern' }]);
  }
}

/** The browsers that show the messages of the caller. */
export function servePushSubscriptions(context: AppContext): void {
  const { push, database } = context;
  const stateOf = (isOn: boolean) => ({ key: push.publicKey, isOn });

  serve(context, calls.getPushState, async ({ caller, body: { endpoint } }) =>
    stateOf(endpoint !== undefined && (await store.claimSubscription(database, caller, endpoint))),
  );

  serve(context, calls.savePushSubscription, async ({ caller, body }) => {
    // guard: push service of a browser
    if (!push.isAccepted(body.endpoint)) throw new Refusal('PushServiceUnknown');
    // guard: key of a browser
    checkPublicKey(body.publicKey);
    await inTransaction(database, (transaction) =>
      store.saveSubscription(transaction, caller, body, mostBrowsers),
    );
    return stateOf(true);
  });

  serve(context, calls.removePushSubscription, async ({ caller, body: { endpoint } }) => {
    await store.deleteOwnSubscription(database, caller.userId, endpoint);
    return stateOf(false);
  });
}
