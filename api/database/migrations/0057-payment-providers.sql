-- Several payment providers, their messages, cases for admins, and refunds through the provider.
-- Decision 0076.
create table payment_providers (
  name text primary key,
  is_enabled boolean not null default true,
  -- The order in which providers are tried where no rule names one.
  position integer not null,
  version integer not null default 1
);
insert into payment_providers (name, position)
values ('paypro', 1), ('reserve', 2), ('n-genius', 3), ('stripe', 4);

create table payment_rules (
  id integer generated always as identity primary key,
  position integer not null,
  agency_id integer references agencies,
  service_id integer references services,
  -- In fils, both included.
  minimum bigint check (minimum >= 0),
  maximum bigint check (maximum >= minimum),
  provider text not null references payment_providers,
  fallback text references payment_providers check (fallback <> provider),
  version integer not null default 1
);

alter table payments
  add column provider text not null default 'paypro' references payment_providers,
  -- The provider's own id of the payment.
  add column provider_reference text,
  add column expires_at timestamptz not null default now() + interval '1 hour',
  -- The provider's page of a closed payment may still be open, until the provider confirms.
  add column is_cancel_wanted boolean not null default false;
create index payments_cancel_wanted on payments (checked_at) where is_cancel_wanted;
create index payments_held on payments (request_id) where status = 'held';

alter table payment_events
  add column source text not null default 'answer',
  add column note text not null default '';

-- Verified messages of a provider, once each.
create table payment_messages (
  id bigint generated always as identity primary key,
  provider text not null references payment_providers,
  digest text not null,
  merchant_reference text,
  payment_id bigint references payments,
  verdict text not null,
  times integer not null default 1,
  received_at timestamptz not null default now(),
  unique (provider, digest)
);
create index payment_messages_payment on payment_messages (payment_id);

-- Refused messages are counted by the hour, so that a flood of them does not fill the table.
create table refused_payment_messages (
  provider text not null,
  reason text not null,
  hour timestamptz not null,
  times integer not null default 1,
  last_at timestamptz not null default now(),
  last_digest text not null,
  last_bytes bigint not null,
  primary key (provider, reason, hour)
);

-- What an admin must decide. One case for each cause.
create table payment_cases (
  id integer generated always as identity primary key,
  kind text not null,
  -- What the case is about: an event, a message or a refund.
  cause text not null,
  payment_id bigint references payments,
  merchant_reference text not null default '',
  provider text not null references payment_providers,
  amount bigint not null default 0,
  currency text not null default 'AED',
  detail text not null default '',
  created_at timestamptz not null default now(),
  decision text,
  note text not null default '',
  decided_by uuid references users,
  decided_at timestamptz,
  version integer not null default 1,
  unique (kind, cause),
  check ((decision is null) = (decided_at is null))
);
create index payment_cases_open on payment_cases (created_at) where decision is null;

-- A refund that the product started has no author.
alter table request_refunds alter column recorded_by drop not null;

create table refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments,
  request_id bigint not null references requests,
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text not null,
  -- waiting for a second person, ready to be sent, sent, and the three ends.
  state text not null check (state in ('waiting', 'ready', 'sent', 'succeeded', 'refused', 'withdrawn')),
  -- The provider recognises a repeated refund by it.
  idempotency_key text not null unique,
  provider_refund_id text,
  requested_by uuid references users,
  decided_by uuid references users,
  note text not null default '',
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text not null default '',
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expected_by date,
  version integer not null default 1,
  check (decided_by is null or decided_by is distinct from requested_by)
);
create index refunds_payment on refunds (payment_id);
create index refunds_request on refunds (request_id);
create index refunds_to_send on refunds (next_attempt_at) where state in ('ready', 'sent');
create index refunds_waiting on refunds (created_at) where state = 'waiting';
-- One refund of a payment is with the provider at a time.
create unique index refunds_one_sent on refunds (payment_id) where state = 'sent';

-- Never more than was received, whatever the code does.
create function refuse_excess_refund() returns trigger language plpgsql as $$
declare
  received bigint;
  returned bigint;
begin
  perform from payments where id = new.payment_id for update;
  select coalesce(sum(amount), 0)
  into received
  from payment_events
  where payment_id = new.payment_id
    and kind = 'paid'
    and currency = new.currency;
  select coalesce(sum(amount), 0)
  into returned
  from refunds
  where payment_id = new.payment_id
    and currency = new.currency
    and state not in ('refused', 'withdrawn');
  if returned > received then
    raise exception 'refunds of payment % exceed what was received', new.payment_id
      using errcode = '23514', constraint = 'refunds_within_received';
  end if;
  return null;
end $$;
create trigger refunds_within_received after insert or update on refunds
  for each row execute function refuse_excess_refund();
create function refuse_changed_refund() returns trigger language plpgsql as $$
begin
  if (new.payment_id, new.request_id, new.amount, new.currency, new.idempotency_key)
    is distinct from
    (old.payment_id, old.request_id, old.amount, old.currency, old.idempotency_key)
    or old.state in ('succeeded', 'refused', 'withdrawn')
  then
    raise exception 'a refund keeps its amount, and its end is final';
  end if;
  return new;
end $$;
create trigger refunds_unchanged before update on refunds
  for each row execute function refuse_changed_refund();
-- A function of its own, because the server loses the right to update where refuse_change is used.
create function refuse_deleted_refund() returns trigger language plpgsql as $$
begin
  raise exception 'refunds are never deleted';
end $$;
create trigger refunds_never_deleted before delete on refunds
  for each row execute function refuse_deleted_refund();

-- The sandbox: two accounts, its switches, the messages that it sends, and its refunds.
alter table sandbox.payments
  add column account text not null default 'paypro',
  add column message_url text not null default '',
  add column fault text not null default 'none',
  add column is_3ds_passed boolean not null default false;
alter table sandbox.payment_events
  add column amount bigint,
  add column currency text;
create table sandbox.payment_switches (
  account text primary key,
  is_slow boolean not null default false,
  is_down boolean not null default false,
  fault text not null default 'none',
  has_settlement_difference boolean not null default false
);
insert into sandbox.payment_switches (account) values ('paypro'), ('reserve');
create table sandbox.payment_messages (
  id bigint generated always as identity primary key,
  account text not null,
  url text not null,
  body text not null,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  delivered_at timestamptz
);
create index sandbox_messages_due on sandbox.payment_messages (due_at) where delivered_at is null;
create table sandbox.payment_refunds (
  id text primary key,
  account text not null,
  merchant_reference text not null references sandbox.payments,
  idempotency_key text not null unique,
  amount bigint not null,
  currency text not null,
  state text not null,
  created_at timestamptz not null default now()
);
