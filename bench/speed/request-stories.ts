import { sql } from '../../api/src/platform/database/sql.ts';

// The steps of the demo workflow that lead to each status: (step, action, from, to, actor, hours
// after the first).
const stories: Record<number, readonly [string, number | null, number, string, number][]> = (() => {
  const create = (to: number) =>
    ['create', null, to, 'applicant', 0] as [string, number | null, number, string, number];
  const begun: [string, number | null, number, string, number][] = [
    create(2),
    ['pay', 2, 3, 'payment', 1],
  ];
  const held: typeof begun = [...begun, ['receive', 3, 4, 'employee', 20]];
  const approved: typeof begun = [...held, ['approve', 4, 6, 'employee', 24]];
  const accepted: typeof begun = [...approved, ['accept', 6, 7, 'serviceProvider', 40]];
  return {
    2: [create(2)],
    3: begun,
    4: held,
    5: [...held, ['return', 4, 5, 'employee', 26]],
    6: approved,
    7: accepted,
    8: [...held, ['approve', 4, 8, 'employee', 25]],
    9: [...accepted, ['submitted', 7, 9, 'serviceProvider', 70]],
    10: [...held, ['reject', 4, 10, 'employee', 30]],
  };
})();

/** The number of steps to each status. */
export const storyLengths = Object.fromEntries(
  Object.entries(stories).map(([status, story]) => [status, story.length]),
);

const steps = Object.entries(stories).flatMap(([status, story]) =>
  story.map(([action, from, to, kind, hours]) => ({
    status: Number(status),
    action,
    from_id: from,
    to_id: to,
    kind,
    hours,
  })),
);

/**
 * Inserts histories, payments and events of requests without them. Where the status does not
 * determine a step (who rejected), the most frequent one is used.
 */
export const storyRows = [
  sql`
    create unlogged table bench_stories as
    select *
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as row(status int, action text, from_id int, to_id int, kind text, hours int)`,
  // Requests for free services begin as new: they have no payment.
  sql`
    insert into request_history (
      request_id, action, from_status_id, to_status_id, actor_kind, actor_id, actor_name, at
    )
    select requests.id, action, from_id,
      case when action = 'create' and total = 0 then 3 else to_id end, kind,
      case kind
        when 'applicant' then user_id
        when 'employee' then (select id from users where username = 'employee')
      end,
      case kind
        when 'applicant' then applicant_name
        when 'employee' then 'Mariam Al Demo'
        when 'serviceProvider' then 'Omar Al Demo'
        else ''
      end,
      least(
        now(),
        created_at + hours * interval '1 hour' * (0.5 + (requests.id % 7) / 3.0)
      )
    from requests
    join bench_stories on status = status_id
    where requests.id > (select coalesce(max(request_id), 0) from request_history)
      and not (action = 'pay' and total = 0)
    order by requests.id, hours`,
  // As if their documents were issued: the program would issue hundreds of thousands while it is measured.
  sql`
    insert into payments (
      request_id, merchant_reference, amount, currency, status, created_at, checked_at, invoiced_at
    )
    select id, number || '-bench', total, 'AED', 'paid', created_at, created_at, created_at
    from requests
    where total > 0
      and status_id <> 2
      and not exists (select from payments where request_id = requests.id)
    order by id`,
  sql`
    insert into payment_events (
      id, payment_id, kind, amount, currency, occurred_at, received_at
    )
    select merchant_reference || '-paid', id, 'paid', amount, currency,
      created_at + interval '1 hour', created_at + interval '1 hour'
    from payments
    where merchant_reference like '%-bench'`,
  sql`drop table bench_stories`,
];

/** Books the payments in the ledger that the product has not booked meanwhile. */
export const ledgerRows = [
  sql`
    insert into ledger_entries (kind, source, day, currency, occurred_at, request_id, payment_id)
    select entry.kind, entry.source, day_in_dubai(occurred_at), payments.currency, occurred_at,
      request_id, payments.id
    from payments
    join payment_events on payment_id = payments.id
    cross join lateral (
      values ('received', 'received:' || payment_events.id), ('sale', 'sale:' || payments.id)
    ) as entry (kind, source)
    where merchant_reference like '%-bench'
    order by payments.id, entry.kind
    on conflict (source) do nothing`,
  sql`
    insert into ledger_lines (entry_id, account, provider, agency_id, amount)
    select ledger_entries.id, account, line.provider, requests.agency_id, line.amount
    from ledger_entries
    join payments on payments.id = ledger_entries.payment_id
    join requests on requests.id = payments.request_id
    join services on services.id = requests.service_id
    cross join lateral (
      select (requests.quote ->> 'totalAdminstrativeFeesVatValue')::bigint as vat
    ) as quoted
    cross join lateral (
      values
        ('received', 'providerCash', payments.provider, payments.amount),
        ('received', 'receivable', null, -payments.amount),
        ('sale', 'receivable', null, payments.amount),
        ('sale', 'revenue', null, vat - payments.amount),
        ('sale', 'vat', null, -vat)
    ) as line (kind, account, provider, amount)
    where line.kind = ledger_entries.kind
      and line.amount <> 0
      and merchant_reference like '%-bench'
      and not exists (select from ledger_lines where entry_id = ledger_entries.id)
    order by ledger_entries.id`,
];
