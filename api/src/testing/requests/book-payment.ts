import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { silentNotifier } from '#features/messages/notifications.actions.ts';
import { postMoney } from '#features/requests/record/postings.actions.ts';
import { lockDueAmount, markPaid } from '#features/requests/requests.actions.ts';
import type { Workflows } from '#features/workflow/workflows.actions.ts';
import { getWorkflow } from '#features/workflow/workflows.store.ts';
import type { Database, Transaction } from '#platform/database/database.ts';

/** The workflows that requests follow, read from the database each time. */
export const storedWorkflows = (database: Database | Transaction): Pick<Workflows, 'get'> => ({
  get: (workflowId, transaction) => getWorkflow(transaction ?? database, workflowId),
});

/**
 * Books the due amount of a request, as the payment provider's message does. False when nothing is
 * due.
 */
export async function bookDueAmount(transaction: Transaction, requestId: number): Promise<boolean> {
  const { due, round } = await lockDueAmount(transaction, requestId);
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
  const context = {
    workflow: storedWorkflows(transaction),
    calendars: await openCalendars(transaction),
    notifier: silentNotifier,
  };
  const isMoved = await markPaid(context, transaction, requestId);
  await postMoney(transaction, requestId);
  return isMoved;
}
