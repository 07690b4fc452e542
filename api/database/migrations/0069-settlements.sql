-- Settlement files of payment providers, their lines, and what differs from the ledger. Decision 0079.

-- What a provider charges for a payment; without a row any charge is accepted.
create table provider_charge_rates (
  provider text primary key references payment_providers,
  -- Basis points of the amount, rounded to the fils, plus a fixed part in fils.
  rate integer not null check (rate between 0 and 10000),
  fixed integer not null check (fixed between 0 and 1000000),
  version integer not null default 1
);

create table settlement_files (
  id integer generated always as identity primary key,
  provider text not null references payment_providers,
  -- The day in Asia/Dubai that the file is about.
  day date not null,
  digest text not null,
  lines integer not null,
  imported_at timestamptz not null default now(),
  -- Null: the job fetched it.
  imported_by uuid references users,
  -- The same file again changes nothing.
  unique (provider, digest)
);
create index settlement_files_day on settlement_files (day, provider);

create table settlement_lines (
  id bigint generated always as identity primary key,
  file_id integer not null references settlement_files,
  -- The row of the file, counted from 1 with its header.
  row integer not null,
  line_id text not null,
  kind text not null check (kind in ('payment', 'refund')),
  merchant_reference text not null,
  refund_id text not null,
  amount bigint not null check (amount >= 0),
  charge bigint not null check (charge >= 0),
  currency text not null,
  occurred_at timestamptz not null,
  payment_id bigint references payments,
  -- The receipt or refund of the ledger that the line settles; one line settles it.
  entry_id bigint unique references ledger_entries,
  unique (file_id, row)
);
create index settlement_lines_name on settlement_lines (line_id);
create index settlement_lines_reference on settlement_lines (merchant_reference);

create table settlement_differences (
  id integer generated always as identity primary key,
  kind text not null,
  provider text not null references payment_providers,
  day date not null,
  file_id integer not null references settlement_files,
  line_id bigint references settlement_lines,
  entry_id bigint references ledger_entries,
  -- What the ledger and what the file says, with its sign, in the smallest unit of the currency.
  expected bigint,
  actual bigint,
  currency text not null,
  state text not null default 'open' check (state in ('open', 'waiting', 'resolved')),
  decision text,
  note text not null default '',
  proposed_by uuid references users,
  decided_by uuid references users,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  version integer not null default 1,
  unique (kind, line_id, entry_id),
  check ((state = 'resolved') = (decided_at is not null)),
  -- A second person, where one is needed.
  check (decided_by is null or decided_by is distinct from proposed_by)
);
-- What is missing is named once.
create unique index settlement_differences_missing on settlement_differences (entry_id) where kind = 'missingThere';
create index settlement_differences_open on settlement_differences (day) where state <> 'resolved';
create index settlement_differences_entry on settlement_differences (entry_id);

create trigger settlement_files_append_only before update or delete on settlement_files for each row execute function refuse_change();
create trigger settlement_lines_append_only before update or delete on settlement_lines for each row execute function refuse_change();
create trigger settlement_files_never_emptied before truncate on settlement_files for each statement execute function refuse_change();
create trigger settlement_lines_never_emptied before truncate on settlement_lines for each statement execute function refuse_change();
create function refuse_deleted_difference() returns trigger language plpgsql as $$
begin
  raise exception 'differences are never deleted';
end $$;
create trigger settlement_differences_never_deleted before delete on settlement_differences
  for each row execute function refuse_deleted_difference();
