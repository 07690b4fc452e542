-- The stand-ins keep what they know here, apart from the product's own tables.
create schema sandbox;
create table sandbox.payments (
  merchant_reference text primary key,
  provider_reference text not null unique,
  amount bigint not null,
  currency text not null,
  description text not null,
  language text not null,
  return_url text not null,
  status text not null default 'open',
  created_at timestamptz not null default now()
);
create table sandbox.payment_events (
  id text primary key,
  merchant_reference text not null references sandbox.payments,
  kind text not null,
  occurred_at timestamptz not null default now()
);
create table sandbox.messages (
  id bigint generated always as identity primary key,
  channel text not null,
  recipient text not null,
  subject text not null default '',
  body text not null,
  received_at timestamptz not null default now()
);
