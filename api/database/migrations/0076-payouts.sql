-- Payouts to agencies and payment providers. Decision 0088.
insert into ledger_accounts (name, kind) values ('payouts', 'income');
alter table ledger_lines
  add constraint ledger_lines_payout_agency check (agency_id is not null or account <> 'payouts');

create table payouts (
  id integer generated always as identity primary key,
  agency_id integer references agencies,
  provider text references payment_providers,
  -- In the smallest unit of the currency.
  amount bigint not null check (amount > 0),
  currency text not null,
  -- The bank's reference of the transfer, and its day in Asia/Dubai.
  reference text not null,
  paid_on date not null,
  note text not null default '',
  state text not null check (state in ('waiting', 'booked', 'refused', 'returned')),
  requested_by uuid not null references users,
  requested_at timestamptz not null default now(),
  -- Null: its amount needs no second person.
  decided_by uuid references users,
  decided_at timestamptz,
  version integer not null default 1,
  check ((agency_id is null) <> (provider is null)),
  check (state = 'refused' or decided_by is null or decided_by <> requested_by)
);
-- The same transfer is recorded once.
create unique index payouts_reference on payouts (coalesce(agency_id::text, provider), lower(reference))
  where state <> 'refused';
create index payouts_newest on payouts ((state <> 'waiting'), paid_on desc, id desc);

create function guard_payout() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'payouts are never deleted';
  end if;
  if (old.agency_id, old.provider, old.amount, old.currency, old.reference, old.paid_on, old.note, old.requested_by)
    is distinct from (new.agency_id, new.provider, new.amount, new.currency, new.reference, new.paid_on, new.note, new.requested_by)
  then
    raise exception 'only the state of a payout changes';
  end if;
  return new;
end $$;
create trigger payouts_keep before update or delete on payouts for each row execute function guard_payout();
create trigger payouts_never_emptied before truncate on payouts for each statement execute function guard_payout();
