import { sql } from '#platform/database/sql.ts';
import { eligibilityRules } from '@diwan/contract/catalogue/eligibility';
import { findFormProblems } from '@diwan/contract/forms/check-form';
import { attachmentRule, serviceForm } from '@diwan/contract/forms/forms';
import { findFigureProblems } from '../features/reports/fold-figures.actions.ts';
import type { Database } from '../platform/database/database.ts';

const brokenHistories = `
  select 'request ' || id || ' has ' || steps || ' lines of history in version ' || version
    || ', the last to ' || coalesce(last, 0) || ' in status ' || status_id as problem
  from (
    select id, version, status_id,
      (select count(*) from request_history where request_id = requests.id) as steps,
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
  select 'status ' || status_id || ' of partner ' || partner_id || ': ' || actual
    || ' requests, counted ' || counted as problem
  from (
    select status_id, partner_id, sum(actual) as actual, sum(counted) as counted
    from (
      select status_id, coalesce(partner_id, 0) as partner_id, 1 as actual, 0 as counted
      from requests
      union all
      select status_id, partner_id, 0, count
      from request_counts
    ) as both_sides
    group by status_id, partner_id
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

/** Contradictions within the ledger, and between it and payments, refunds and payouts. */
export async function findLedgerProblems(database: Database): Promise<string[]> {
  const problems: string[] = [];
  for (const query of [unbalancedEntries, wrongLedger, wrongPayouts])
    problems.push(...(await select(database, query)));
  return problems;
}

async function select(database: Database, query: string): Promise<string[]> {
  const { rows } = await sql.raw<{ problem: string }>(query).execute(database);
  return rows.map(({ problem }) => problem);
}

/** Contradictions between requests, their histories, counts, figures and documents. */
export async function findRequestProblems(database: Database): Promise<string[]> {
  const problems: string[] = [];
  for (const query of [brokenHistories, wrongCounts, missingUploads])
    problems.push(...(await select(database, query)));
  return [...problems, ...(await findFigureProblems(database))];
}

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

// Forms are checked as the designer and the import check them.
async function findBrokenForms(database: Database): Promise<string[]> {
  const problems: string[] = [];
  let last = 0;
  for (;;) {
    const rows = await database
      .selectFrom('services')
      .select(['id', 'replaced_name', 'form', 'attachments', 'eligibility'])
      .where('deleted_at', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(200)
      .execute();
    if (rows.length === 0) return problems;
    last = rows.at(-1)?.id ?? 0;
    for (const { replaced_name: name, form, attachments, eligibility } of rows) {
      const add = (problem: string) => problems.push(`service ${name}: ${problem}`);
      const isReadable =
        serviceForm.safeParse(form).success &&
        attachmentRule.array().safeParse(attachments).success;
      if (!isReadable) add('its form or its documents cannot be read');
      else
        for (const problem of findFormProblems(
          form,
          attachments.map((rule) => rule.name),
        ))
          add(problem);
      if (!eligibilityRules.safeParse(eligibility).success)
        add('its eligibility rules cannot be read');
    }
  }
}

/**
 * Every contradiction in the database: references and forms of the catalogue, requests, counts,
 * figures, documents and the ledger. Empty when there are none.
 */
export async function findIntegrityProblems(database: Database): Promise<string[]> {
  return [
    ...(await select(database, brokenReferences)),
    ...(await findBrokenForms(database)),
    ...(await findRequestProblems(database)),
    ...(await findLedgerProblems(database)),
  ];
}
