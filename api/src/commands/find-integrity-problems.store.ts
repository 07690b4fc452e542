import { sql } from '#platform/database/sql.ts';
import type { Database } from '../platform/database/database.ts';

// Notes of moved days and agencies leave the version of a request as it is.
const brokenHistories = `
  select 'request ' || id || ' has ' || steps || ' lines of history in version ' || version
    || ', the last to ' || coalesce(last, 0) || ' in status ' || status_id as problem
  from (
    select id, version, status_id,
      (select count(*) from request_history where request_id = requests.id
        and action not in ('reschedule', 'transfer')) as steps,
      (select action from request_history where request_id = requests.id order by id limit 1)
        as first,
      (select to_status_id from request_history where request_id = requests.id
        order by id desc limit 1) as last
    from requests
  ) as compared
  where steps <> version
    or first is distinct from 'create'
    or last is distinct from status_id`;

const wrongCounts = `
  select 'status ' || status_id || ' of partner ' || partner_id || ' and agency ' || agency_id
    || ': ' || actual || ' requests, counted ' || counted as problem
  from (
    select status_id, partner_id, agency_id, sum(actual) as actual, sum(counted) as counted
    from (
      select
        status_id, coalesce(partner_id, 0) as partner_id, agency_id, 1 as actual, 0 as counted
      from requests
      union all
      select status_id, partner_id, agency_id, 0, count
      from request_counts
    ) as both_sides
    group by status_id, partner_id, agency_id
  ) as compared
  where actual <> counted`;

const missingUploads = `
  select 'attachment ' || id || ' is part of a request and was not uploaded' as problem
  from attachments
  where request_id is not null
    and uploaded_at is null`;

const unbalancedEntries = `
  select 'entry ' || ledger_entries.id || ' of the ledger (' || source || ') has '
    || count(ledger_lines.id) || ' lines and a balance of ' || coalesce(sum(amount), 0) as problem
  from ledger_entries
  left join ledger_lines
    on entry_id = ledger_entries.id
  group by ledger_entries.id, source
  having count(ledger_lines.id) < 2
    or sum(amount) <> 0`;

// What the ledger says about each request, and what payments and refunds say.
const wrongLedger = `
  select 'the ledger says that ' || actual || ' ' || currency || ' were ' || kind || ' for request '
    || request_id || ', its payments say ' || expected as problem
  from (
    select request_id, kind, currency, sum(actual) as actual, sum(expected) as expected
    from (
      select request_id, kind, currency, amount as actual, 0 as expected
      from ledger_entries
      join ledger_lines
        on entry_id = ledger_entries.id
      where (kind in ('received', 'refund') and account in ('providerCash', 'bank'))
        or (kind = 'sale' and account = 'receivable')
      union all
      select request_id, 'received', payment_events.currency, 0, payment_events.amount
      from payment_events
      join payments
        on payments.id = payment_id
      where kind = 'paid'
      union all
      select request_id, 'received', currency, 0, amount
      from payments
      where status = 'paid'
        and not exists (
          select
          from payment_events
          where payment_id = payments.id
            and kind in ('paid', 'accepted')
        )
      union all
      select request_id, 'sale', currency, 0, amount
      from payments
      where status = 'paid'
      union all
      select request_id, 'refund', 'AED', 0, -amount
      from request_refunds
      union all
      select request_id, 'refund', currency, 0, -amount
      from refunds
      where state = 'succeeded'
        and reason = 'unexpectedAmount'
    ) as both_sides
    group by request_id, kind, currency
  ) as compared
  where actual <> expected`;

// What was paid out by the ledger, and by the payouts.
const wrongPayouts = `
  select 'payout ' || payouts.id || ' is ' || state || ', and the ledger paid out '
    || coalesce(sum(-ledger_lines.amount), 0) || ' of ' || payouts.amount as problem
  from payouts
  left join ledger_entries
    on source in ('payout:' || payouts.id, 'payoutReturned:' || payouts.id)
  left join ledger_lines
    on entry_id = ledger_entries.id
      and account = 'bank'
  group by payouts.id
  having coalesce(sum(-ledger_lines.amount), 0)
    <> case state when 'booked' then payouts.amount else 0 end`;

// Money that moved an hour ago and has no documents. Younger ones wait for the job.
const missingInvoices = `
  select 'payment ' || merchant_reference || ' is paid and has no ' || missing.kind as problem
  from payments
  cross join (values ('invoice'), ('receipt')) as missing (kind)
  where status = 'paid'
    and created_at < now() - interval '1 hour'
    and not exists (
      select
      from invoices
      where payment_id = payments.id
        and invoices.kind = missing.kind
    )
  union all
  select 'refund ' || reference || ' of request ' || request_id || ' has no credit note'
  from request_refunds
  where at < now() - interval '1 hour'
    and not exists (select from invoices where refund_id = request_refunds.id)
  order by 1`;

// A number that is missing in a series, and was not skipped after a restore.
const invoiceGaps = `
  select 'series ' || invoices.series || ' has ' || count(*) || ' numbers, the last one is '
    || last_sequence as problem
  from invoices
  join invoice_counters
    on invoice_counters.series = invoices.series
  cross join lateral (
    select coalesce(sum(last - first + 1), 0) as count, coalesce(max(last), 0) as last
    from skipped_numbers
    where skipped_numbers.series = invoices.series
  ) as skipped
  group by invoices.series, last_sequence, skipped.count, skipped.last
  having count(*) + skipped.count <> last_sequence
    or greatest(max(sequence), skipped.last) <> last_sequence`;

const brokenReferences = `
  select 'service ' || replaced_name || ': ' || problem as problem
  from (
    select replaced_name, 'it has no account type' as problem
    from services
    where deleted_at is null
      and not exists (select from service_account_types where service_id = services.id)
    union all
    select replaced_name, 'an eligibility rule leads to ' || elsewhere || ', which is not there'
    from services
    cross join lateral (
      select rule ->> 'elsewhere' as elsewhere
      from jsonb_array_elements(eligibility) as rule
    ) as rules
    where deleted_at is null
      and elsewhere is not null
      and not exists (
        select
        from services as other
        where other.replaced_name = elsewhere
          and other.deleted_at is null
      )
  ) as found
  order by 1`;

async function select(database: Database, queries: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const query of queries) {
    const { rows } = await sql.raw<{ problem: string }>(query).execute(database);
    problems.push(...rows.map(({ problem }) => problem));
  }
  return problems;
}

/** Contradictions within the ledger, and between it and payments, refunds and payouts. */
export const findLedgerProblems = (database: Database): Promise<string[]> =>
  select(database, [unbalancedEntries, wrongLedger, wrongPayouts]);

/** Payments and refunds without their documents, and gaps in the numbers of documents. */
export const findInvoiceProblems = (database: Database): Promise<string[]> =>
  select(database, [missingInvoices, invoiceGaps]);

/** Contradictions between requests, their histories, counts and documents. */
export const findWrongRequests = (database: Database): Promise<string[]> =>
  select(database, [brokenHistories, wrongCounts, missingUploads]);

/** References of services to what is not there. */
export const findBrokenReferences = (database: Database): Promise<string[]> =>
  select(database, [brokenReferences]);

/** What applicants of the next services after an id fill in. */
export const selectFormsAfter = (database: Database, id: number) =>
  database
    .selectFrom('services')
    .select(['id', 'replaced_name', 'form', 'attachments', 'fees', 'eligibility'])
    .where('deleted_at', 'is', null)
    .where('id', '>', id)
    .orderBy('id')
    .limit(200)
    .execute();
