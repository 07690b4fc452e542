-- The fines that a request pays, as their register names them. A fine is in one open request at
-- most: a request that ends without a result releases those that it has not paid. After the payment the register
-- is notified until it answers; `due_at` is the next attempt.
create table request_fines (
  request_id bigint not null references requests,
  register text not null,
  number text not null,
  found_by jsonb not null,
  amount bigint not null check (amount >= 0),
  paid_at timestamptz,
  settled_at timestamptz,
  refused_at timestamptz,
  released_at timestamptz,
  tries integer not null default 0,
  due_at timestamptz,
  primary key (request_id, register, number),
  check ((paid_at is null) = (due_at is null)),
  check (settled_at is null or refused_at is null)
);
create unique index request_fines_open on request_fines (register, number)
  where released_at is null;
create index request_fines_due on request_fines (due_at)
  where settled_at is null and refused_at is null;

-- The register of the demo: what was paid there, by the key of each payment.
create table sandbox.settled_fines (
  key text primary key,
  register text not null,
  number text not null,
  settled_at timestamptz not null default now(),
  unique (register, number)
);
