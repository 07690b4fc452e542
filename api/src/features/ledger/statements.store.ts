import type { Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { LedgerEntryKind } from '@diwan/contract/payments/ledger';
import { linesOf, type PayeeKey } from './payouts.store.ts';

export interface StatementOf {
  payee: PayeeKey;
  currency: string;
  /** Days in Asia/Dubai, both included. */
  from: string;
  until: string;
}

/** What changed on a day by one kind of entry. A payout has its own row, with its reference. */
export interface Movement {
  day: string;
  kind: LedgerEntryKind;
  reference: string;
  entries: number;
  /** What more is owed to the payee. */
  amount: number;
}

const matching = ({ payee, currency }: StatementOf) => sql`
  from ledger_lines
  join ledger_entries
    on ledger_entries.id = entry_id
  where ${linesOf(payee)}
    and currency = ${currency}`;

/** What was owed before the period, and the moment of the newest entry until its end. */
export async function selectOpening(
  transaction: Transaction,
  of: StatementOf,
): Promise<{ owed: number; postedAt: Date | null }> {
  const { rows } = await sql<{ owed: number; postedAt: Date | null }>`
    select coalesce(-sum(amount) filter (where day < ${of.from}::date), 0)::bigint as owed,
      max(posted_at) as "postedAt"
    ${matching(of)}
      and day <= ${of.until}::date`.execute(transaction);
  return rows[0] ?? { owed: 0, postedAt: null };
}

/** What changed in the period, the oldest first. */
export async function selectMovements(
  transaction: Transaction,
  of: StatementOf,
): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select day, kind,
      case when kind in ('payout', 'payoutReturned') then note else '' end as reference,
      count(distinct entry_id)::int as entries, -sum(amount)::bigint as amount
    ${matching(of)}
      and day between ${of.from}::date and ${of.until}::date
    group by 1, 2, 3, case when kind in ('payout', 'payoutReturned') then entry_id end
    order by 1, min(entry_id)`.execute(transaction);
  return rows;
}

/** What a provider charged in the period. */
export async function selectCharges(
  transaction: Transaction,
  { payee, currency, from, until }: StatementOf,
): Promise<number> {
  const { rows } = await sql<{ charges: number }>`
    select coalesce(sum(amount), 0)::bigint as charges
    from ledger_lines
    join ledger_entries
      on ledger_entries.id = entry_id
    where account = 'providerCharges'
      and ledger_lines.provider = ${payee.provider ?? null}
      and currency = ${currency}
      and day between ${from}::date and ${until}::date`.execute(transaction);
  return rows[0]?.charges ?? 0;
}

/** One entry of a statement. */
interface StatementEntry {
  entryId: number;
  day: string;
  kind: LedgerEntryKind;
  requestNumber: string | null;
  merchantReference: string | null;
  reference: string;
  amount: number;
}

const batch = 5000;

/** The entries of the period by the order in which they were booked, in batches. */
export async function* readEntries(
  transaction: Transaction,
  of: StatementOf,
): AsyncGenerator<StatementEntry[]> {
  for (let last = 0; ;) {
    const { rows } = await sql<StatementEntry>`
      select changed.*, requests.number as "requestNumber",
        payments.merchant_reference as "merchantReference"
      from (
        select entry_id as "entryId", day, kind,
          case when kind in ('payout', 'payoutReturned') then note else '' end as reference,
          request_id, payment_id, -sum(amount)::bigint as amount
        ${matching(of)}
          and day between ${of.from}::date and ${of.until}::date
          and entry_id > ${last}
        group by entry_id, day, kind, note, request_id, payment_id
        order by entry_id
        limit ${batch}
      ) as changed
      left join requests
        on requests.id = request_id
      left join payments
        on payments.id = payment_id
      order by "entryId"`.execute(transaction);
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    last = rows.at(-1)?.entryId ?? last;
  }
}
