import { Refusal } from '../core/refusals.ts';
import type { Transaction } from '../database/database.ts';
import { selectAdminOrigin } from './second-person.store.ts';

// Long enough for the other administrators to see a new one.
const newcomerDays = 7;

/**
 * Refuses as second person an administrator or finance officer whom the asker has made one, by an
 * invitation or by new roles, and anybody who was made one in the last seven days: one person could
 * decide alone with a second account. Throws SecondPersonNotIndependent.
 */
export async function requireIndependence(
  transaction: Transaction,
  { askedBy, confirmedBy }: { askedBy: string | null; confirmedBy: string },
): Promise<void> {
  const origin = await selectAdminOrigin(transaction, confirmedBy);
  if (!origin) throw new Refusal('YouAreUnauthorized');
  // guard: second person whom the asker made an administrator (second-person)
  if (origin.by !== null && origin.by === askedBy) throw new Refusal('SecondPersonNotIndependent');
  const earliest = Date.now() - newcomerDays * 86_400_000;
  // guard: second person who is a new administrator (second-person)
  if (origin.since !== null && origin.since.getTime() > earliest)
    throw new Refusal('SecondPersonNotIndependent');
}
