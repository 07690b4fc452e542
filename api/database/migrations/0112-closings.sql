-- Who closed which days, and what their statement says. Without `asked_by` the portal closed them.
create table ledger_closings (
  id int primary key generated always as identity,
  from_day date not null,
  until_day date not null check (until_day >= from_day),
  state text not null check (state in ('waiting', 'closed', 'refused')),
  asked_by uuid references users (id),
  asked_at timestamptz not null default now(),
  decided_by uuid references users (id),
  decided_at timestamptz,
  content jsonb,
  check ((state = 'closed') = (content is not null)),
  check (state <> 'closed' or decided_by is null or decided_by <> asked_by)
);
create unique index ledger_closings_waiting on ledger_closings (state)
  where state = 'waiting';
create index ledger_closings_until on ledger_closings (until_day)
  where state = 'closed';
