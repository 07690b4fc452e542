-- The ledger: double entry, append-only. Amounts are in the smallest unit of the entry's currency; a debit is positive, a credit
-- negative. Decision 0079.
create table ledger_accounts (
  name text primary key,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense'))
);
insert into ledger_accounts (name, kind)
values ('receivable', 'asset'), ('providerCash', 'asset'), ('bank', 'asset'), ('vat', 'liability'), ('revenue', 'income'),
  ('refunds', 'income'), ('providerCharges', 'expense'), ('differences', 'expense');

-- Closed days of Asia/Dubai, with the totals of each account on that day.
create table ledger_days (
  day date primary key,
  totals jsonb not null,
  entries integer not null,
  closed_at timestamptz not null default now(),
  -- Null: the job closed it.
  closed_by uuid references users
);

create table ledger_entries (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What the entry books, such as sale:<id of a payment>. A second entry for it is refused.
  source text not null unique,
  -- Left out: the day of the event, or the first open day where that is closed.
  day date not null,
  currency text not null,
  occurred_at timestamptz not null,
  posted_at timestamptz not null default now(),
  request_id bigint references requests,
  payment_id bigint references payments,
  posted_by uuid references users,
  note text not null default '',
  transaction_id bigint not null default txid_current()
);
create index ledger_entries_day on ledger_entries (day, id);
create index ledger_entries_request on ledger_entries (request_id);
create index ledger_entries_payment on ledger_entries (payment_id);

create table ledger_lines (
  id bigint generated always as identity primary key,
  entry_id bigint not null references ledger_entries,
  account text not null references ledger_accounts,
  provider text references payment_providers,
  agency_id integer references agencies,
  amount bigint not null check (amount <> 0),
  check (provider is not null or account not in ('providerCash', 'providerCharges')),
  check (agency_id is not null or account not in ('revenue', 'refunds'))
);
create index ledger_lines_entry on ledger_lines (entry_id);
create index ledger_lines_agency on ledger_lines (agency_id, account);
create index ledger_lines_provider on ledger_lines (provider, account);

create trigger ledger_accounts_append_only before update or delete on ledger_accounts for each row execute function refuse_change();
create trigger ledger_days_append_only before update or delete on ledger_days for each row execute function refuse_change();
create trigger ledger_entries_append_only before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_lines_append_only before update or delete on ledger_lines for each row execute function refuse_change();
create trigger ledger_days_never_emptied before truncate on ledger_days for each statement execute function refuse_change();
create trigger ledger_entries_never_emptied before truncate on ledger_entries for each statement execute function refuse_change();
create trigger ledger_lines_never_emptied before truncate on ledger_lines for each statement execute function refuse_change();

-- Closing a day takes this lock alone: it waits for entries of running transactions, and later ones see the closed day.
create function guard_ledger_day() returns trigger language plpgsql as $$
declare
  first_open date;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger', 0));
  select coalesce(max(day) + 1, '-infinity')
  into first_open
  from ledger_days;
  if new.day is null then
    new.day := greatest(day_in_dubai(new.occurred_at), first_open);
  elsif new.day < first_open then
    raise exception 'the day % of the ledger is closed', new.day
      using errcode = '23514', constraint = 'ledger_day_is_open';
  end if;
  return new;
end $$;
create trigger ledger_day_is_open before insert on ledger_entries for each row execute function guard_ledger_day();

-- An entry is complete when it is committed.
create function guard_ledger_line() returns trigger language plpgsql as $$
begin
  perform from ledger_entries where id = new.entry_id and transaction_id = txid_current();
  if not found then
    raise exception 'lines are written with their entry'
      using errcode = '23514', constraint = 'ledger_line_of_new_entry';
  end if;
  return new;
end $$;
create trigger ledger_line_of_new_entry before insert on ledger_lines for each row execute function guard_ledger_line();

create function check_ledger_balance() returns trigger language plpgsql as $$
declare
  checked bigint;
  line_count bigint;
  balance numeric;
begin
  if tg_table_name = 'ledger_entries' then
    checked := new.id;
  else
    checked := new.entry_id;
  end if;
  select count(*), sum(amount)
  into line_count, balance
  from ledger_lines
  where entry_id = checked;
  if line_count < 2 or balance <> 0 then
    raise exception 'entry % of the ledger has % lines and a balance of %', checked, line_count, balance
      using errcode = '23514', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balances after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_balance();
create constraint trigger ledger_lines_balance after insert on ledger_lines
  deferrable initially deferred for each row execute function check_ledger_balance();
