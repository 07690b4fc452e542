import { silentNotices } from '../features/messages/notices.actions.ts';
import { lockDue, markPaid } from '../features/requests/requests.actions.ts';
import type { Transaction } from '../platform/database/database.ts';

/**
 * Books the money that is due of a request, as if the payment provider had said so. False when the
 * request waits for none.
 */
export async function bookDue(transaction: Transaction, requestId: number): Promise<boolean> {
  const { due, round } = await lockDue(transaction, requestId);
  if (due > 0)
    await transaction
      .insertInto('payments')
      .values({
        request_id: requestId,
        round,
        merchant_reference: `paid-${requestId}-${round}`,
        amount: due,
        currency: 'AED',
        status: 'paid',
      })
      .execute();
  return markPaid({ notices: silentNotices }, transaction, requestId);
}
