import {
  differencesIn,
  type DifferenceShown,
} from '#features/payments/settlement/differences.store.ts';
import { fetchFile } from '#features/payments/settlement/settlements.actions.ts';
import type { Database } from '#platform/database/database.ts';
import { selectPaymentPage } from '#platform/database/lists/payment-lists.ts';
import { sql } from '#platform/database/sql.ts';
import type { PaymentProvider } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import type { AccountName, SandboxPayment } from '#sandbox/payments/payment-journal.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import { dayAfter, dayInDubai } from '@diwan/contract/wire/days';
import type { ProviderOfRun } from './payment-load.ts';
import { amountIn, currenciesOf, sumUp, type Sums } from './payment-problems.ts';

/** What a provider received less its refunds, and its charges, by currency. */
interface SettledSums {
  amounts: Sums;
  charges: Sums;
}

/** What the settlement of a provider has to say. */
function expectedOf(books: readonly SandboxPayment[], account: AccountName): SettledSums {
  const own = books.filter((payment) => payment.account === account);
  const charged = own.flatMap(({ events }) => events).filter(({ kind }) => kind === 'paid');
  const returned = own
    .flatMap(({ refunds }) => refunds)
    .filter(({ state }) => state === 'succeeded')
    .map(({ amount, currency }) => ({ amount: -amount, currency }));
  const charges = charged.map(({ amount, currency }) => ({
    amount: Math.round(amount * 0.015),
    currency,
  }));
  return { amounts: sumUp([...charged, ...returned]), charges: sumUp(charges) };
}

interface LedgerSums {
  provider: string;
  currency: string;
  /** What reached the bank, with the provider's charges. */
  settled: number;
  charges: number;
  /** What the provider still has. */
  cash: number;
}

/** What the ledger says; the payments of the demo's seed are left out. */
async function readLedger(database: Database): Promise<LedgerSums[]> {
  const { rows } = await sql<LedgerSums>`
    select cash.provider, entry.currency, coalesce(sum(other.settled), 0)::bigint as settled,
      coalesce(sum(other.charges), 0)::bigint as charges, sum(cash.amount)::bigint as cash
    from ledger_entries as entry
    join ledger_lines as cash
      on cash.entry_id = entry.id
        and cash.account = 'providerCash'
    join payments
      on payments.id = entry.payment_id
        and merchant_reference !~ '-demo[0-9]+$'
    cross join lateral (
      select sum(amount) filter (where account in ('bank', 'providerCharges')) as settled,
        sum(amount) filter (where account = 'providerCharges') as charges
      from ledger_lines
      where entry_id = entry.id
    ) as other
    group by 1, 2`.execute(database);
  return rows;
}

/** The open differences of a provider for these days; those about the demo's seed are left out. */
async function readDifferences(database: Database, account: AccountName, days: readonly string[]) {
  const { items } = await selectPaymentPage<DifferenceShown>(database, differencesIn('en-US'), {
    PageNumber: 1,
    Take: 10_000,
  });
  return items
    .filter(({ provider, day }) => provider === account && days.includes(day))
    .filter(({ merchantReference }) => !/-demo\d+$/.test(merchantReference))
    .map(({ kind, merchantReference }) => ({ kind, merchantReference }));
}

/** The differences that the switch of the sandbox plants in each file that is not empty. */
const plantedKinds = ['doubled', 'missingHere', 'otherAmount'];
// One dirham, which the switch of the sandbox takes off one line, and its charge on that dirham.
const plantedAmount = 100;

function* compareSums(
  account: AccountName,
  { amounts, charges }: SettledSums,
  { rows, planted }: { rows: readonly LedgerSums[]; planted: number },
): Generator<string> {
  for (const currency of currenciesOf(amounts)) {
    const row = rows.find((each) => each.provider === account && each.currency === currency);
    const left = currency === 'AED' ? planted : 0;
    const { settled, cash, charges: kept } = row ?? { settled: 0, cash: 0, charges: 0 };
    const expected = amountIn(amounts, currency);
    if (settled !== expected - left)
      yield `${account} settled ${expected} ${currency}, the ledger has ${settled}`;
    if (kept !== amountIn(charges, currency))
      yield `${account} kept ${amountIn(charges, currency)} ${currency}, the ledger has ${kept}`;
    if (cash !== left) yield `the ledger says that ${account} still has ${cash} ${currency}`;
  }
}

/**
 * Fetches the settlement file of each provider for each day of a run and compares it with the ledger
 * and the provider's books, to the fils. The file of the second account has the differences of its
 * switch; whatever else differs is a problem.
 */
export async function settleAll(
  { database, provider }: { database: Database; provider: ProviderOfRun },
  books: readonly SandboxPayment[],
): Promise<{ problems: string[]; line: string }> {
  const { url, key, messageSecret } = provider;
  const providers = new Map<PaymentProviderName & AccountName, PaymentProvider>([
    ['paypro', payPro({ url, key, messageSecrets: [messageSecret] })],
    ['reserve', payPro({ url: `${url}/reserve`, key, messageSecrets: [messageSecret] })],
  ]);
  const daysOf = (account: AccountName) => {
    const own = books.filter((payment) => payment.account === account);
    const moments = own.flatMap(({ events, refunds }) => [
      ...events.filter(({ kind }) => kind === 'paid').map(({ occurredAt }) => occurredAt),
      ...refunds.filter(({ state }) => state === 'succeeded').map(({ createdAt }) => createdAt),
    ]);
    return [...new Set(moments.map((at) => dayInDubai(new Date(at))))].toSorted();
  };
  const hasSettlementDifference = { account: 'reserve', hasSettlementDifference: 'on' };
  await fetch(`${url}/switches`, {
    method: 'POST',
    body: new URLSearchParams({ ...hasSettlementDifference, fault: 'none' }),
    redirect: 'manual',
  });
  let [lines, differences] = [0, 0];
  const problems: string[] = [];
  for (const account of providers.keys()) {
    const days = daysOf(account);
    const today = () => dayAfter(days.at(-1) ?? '', 1);
    const context = { database, providers, approvalAbove: 0, warn: () => undefined, today };
    for (const day of days) {
      const found = await fetchFile(context, { provider: account, day }, null);
      lines += found.lines;
      differences += found.differences;
    }
    const open = await readDifferences(database, account, days);
    const kinds = open.map(({ kind }) => kind).toSorted();
    const planted = account === 'reserve' ? days.flatMap(() => plantedKinds).toSorted() : [];
    if (kinds.join() !== planted.join())
      problems.push(
        `the settlement of ${account} has the differences ${JSON.stringify(open)}, not ${planted.join()}`,
      );
    const left = planted.length > 0 ? plantedAmount * days.length : 0;
    const rows = await readLedger(database);
    problems.push(...compareSums(account, expectedOf(books, account), { rows, planted: left }));
  }
  return { problems, line: `${lines} lines of settlement with ${differences} differences` };
}
