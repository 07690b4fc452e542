import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { SandboxPayment } from '#sandbox/payments/payment-journal.ts';

/** Amounts in the smallest unit of each currency. */
export type Sums = Readonly<Record<string, number>>;

export const sumUp = (list: readonly { amount: number; currency: string }[]): Sums => {
  const sums: Record<string, number> = {};
  for (const { amount, currency } of list) sums[currency] = (sums[currency] ?? 0) + amount;
  return sums;
};
export const amountIn = (sums: Sums, currency: string) => sums[currency] ?? 0;
export const currenciesOf = (...sums: Sums[]) => [
  ...new Set(sums.flatMap((each) => Object.keys(each))),
];

interface OurRefund {
  key: string;
  amount: number;
  currency: string;
  state: string;
  reason: string;
}

interface OurPayment {
  id: number;
  reference: string;
  provider: string;
  amount: number;
  currency: string;
  status: string;
  refunds: OurRefund[];
  /** What waits for an admin, or was decided. */
  cases: { kind: string; decision: string | null }[];
  /** The ledger's account of money at the provider. */
  ledger: { currency: string; amount: number }[];
}

async function readPayments(database: Database): Promise<OurPayment[]> {
  const { rows } = await sql<OurPayment>`
    select payments.id, merchant_reference as reference, provider, amount, currency, status,
      (
        select coalesce(jsonb_agg(jsonb_build_object('key', idempotency_key, 'amount', refunds.amount,
          'currency', refunds.currency, 'state', state, 'reason', reason)), '[]')
        from refunds
        where payment_id = payments.id
      ) as refunds,
      (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'decision', decision)), '[]')
        from payment_cases
        where payment_id = payments.id
      ) as cases,
      (
        select coalesce(jsonb_agg(jsonb_build_object('currency', booked.currency,
          'amount', booked.amount)), '[]')
        from (
          select entries.currency, sum(lines.amount)::bigint as amount
          from ledger_entries as entries
          join ledger_lines as lines
            on lines.entry_id = entries.id
          where entries.payment_id = payments.id
            and lines.account = 'providerCash'
          group by entries.currency
        ) as booked
      ) as ledger
    from payments`.execute(database);
  return rows;
}

function* compareRefunds(ours: OurPayment, theirs: SandboxPayment): Generator<string> {
  const made = theirs.refunds.filter(({ state }) => state === 'succeeded');
  for (const { key, amount, currency, state } of ours.refunds) {
    const same = made.filter((refund) => refund.idempotencyKey === key);
    if (state === 'ready' || state === 'sent') yield `its refund ${key} is not finished`;
    if (state === 'succeeded' && same.length !== 1)
      yield `its refund ${key} was made ${same.length} times`;
    if (state !== 'succeeded' && same.length > 0)
      yield `its refund ${key} was made, and is ${state}`;
    if (same.some((refund) => refund.amount !== amount || refund.currency !== currency))
      yield `its refund ${key} has another amount`;
  }
  for (const { idempotencyKey: key } of made)
    if (!ours.refunds.some((refund) => refund.key === key)) yield `its refund ${key} is not ours`;
}

function* comparePayment(ours: OurPayment, theirs: SandboxPayment): Generator<string> {
  yield* compareRefunds(ours, theirs);
  const charged = sumUp(theirs.events.filter(({ kind }) => kind === 'paid'));
  const returned = sumUp(theirs.refunds.filter(({ state }) => state === 'succeeded'));
  const wanted = sumUp(
    ours.refunds.filter(({ state, reason }) => state === 'succeeded' && reason === 'requested'),
  );
  const isOpen = ours.cases.some(({ decision }) => decision === null);
  const ledger = sumUp(ours.ledger);
  for (const currency of currenciesOf(charged, returned, ledger, { [ours.currency]: 0 })) {
    const kept = amountIn(charged, currency) - amountIn(returned, currency);
    const due = ours.status === 'paid' && currency === ours.currency ? ours.amount : 0;
    const expected = due - amountIn(wanted, currency);
    if (kept !== expected && !isOpen)
      yield `the provider keeps ${kept} ${currency} and ${expected} are due, without an open case`;
    const booked = amountIn(ledger, currency);
    if (kept !== booked) yield `the provider keeps ${kept} ${currency}, the ledger says ${booked}`;
  }
  if (ours.status === 'held' && !isOpen) yield 'it is held without an open case';
  if (ours.status === 'pending' && currenciesOf(charged).length > 0) yield 'it was charged';
}

async function findRequestProblems(database: Database): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'request ' || request_id || ' has ' || count(*) || ' open or paid payments in a round' as problem
    from payments
    where status in ('pending', 'paid')
    group by request_id, round
    having count(*) > 1
    union all
    select 'request ' || id || ' was paid ' || paid || ' times in ' || rounds || ' rounds, and moved '
      || moved || ' times'
    from (
      select requests.id,
        count(*) filter (where payments.status = 'paid') as paid,
        count(distinct round) filter (where payments.status = 'paid') as rounds,
        (
          select count(*)
          from request_history
          where request_id = requests.id
            and action = 'pay'
        ) as moved
      from requests
      join payments
        on payments.request_id = requests.id
      group by requests.id
    ) as counted
    where paid <> rounds
      or moved <> paid
    union all
    select 'payment ' || payment_id || ' has ' || count(*) || ' receipts'
    from invoices
    where kind = 'receipt'
    group by payment_id
    having count(*) > 1`.execute(database);
  return rows.map(({ problem }) => problem);
}

/**
 * What is wrong between the product and the books of its provider: somebody was charged twice for one
 * thing, or without a paid request, a refund or an open case; or the ledger says something else than
 * the provider. Empty when nothing is. The payments of the demo's seed are left out.
 */
export async function findPaymentProblems(
  database: Database,
  books: readonly SandboxPayment[],
): Promise<string[]> {
  const ours = new Map(
    (await readPayments(database)).map((payment) => [
      `${payment.provider}:${payment.reference}`,
      payment,
    ]),
  );
  const problems = await findRequestProblems(database);
  for (const theirs of books) {
    const name = `${theirs.account}:${theirs.merchantReference}`;
    const payment = ours.get(name);
    ours.delete(name);
    const found = payment
      ? [...comparePayment(payment, theirs)]
      : theirs.events.some(({ kind }) => kind === 'paid')
        ? ['it was charged and is not ours']
        : [];
    problems.push(...found.map((problem) => `payment ${name}: ${problem}`));
  }
  for (const [name, { status }] of ours)
    if (status === 'paid' && !/-demo\d+$/.test(name))
      problems.push(`payment ${name}: it is paid, and the provider does not know it`);
  return problems;
}
