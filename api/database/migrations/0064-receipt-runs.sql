-- Runs that make the receipts of all payments of a period, in files of many. Decision 0085.
create table receipt_runs (
  id integer generated always as identity primary key,
  from_day date not null,
  until_day date not null check (until_day >= from_day),
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  total integer not null check (total > 0),
  done integer not null default 0,
  -- Everything up to this payment is in a finished file.
  last_payment_id bigint not null default 0,
  created_by uuid not null references users,
  creator_name text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The process that works on it. Another one takes over when it has been silent for a minute.
  worker uuid,
  worked_at timestamptz not null default now()
);
create unique index receipt_runs_one_running on receipt_runs (state) where state = 'running';

create table receipt_run_parts (
  run_id integer not null references receipt_runs on delete cascade,
  number integer not null,
  file_id uuid not null,
  receipts integer not null check (receipts > 0),
  size bigint not null,
  primary key (run_id, number)
);
