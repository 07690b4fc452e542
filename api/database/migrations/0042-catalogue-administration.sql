-- Admins edit agencies, categories and account types, put them in order and retire them. Services of a retired agency or category do not
-- exist; requests and deleted services still name it.
alter table agencies
  add column position integer not null default 0,
  add column version integer not null default 1,
  add column retired_at timestamptz;
alter table categories
  add column position integer not null default 0,
  add column version integer not null default 1,
  add column retired_at timestamptz;
alter table account_types
  add column version integer not null default 1;

-- Logos that admins upload. The name is the hash of the content, so that a logo never changes.
create table logos (
  name text primary key check (name ~ '^[0-9a-f]{32}\.(svg|png)$'),
  content bytea not null check (length(content) between 1 and 300000),
  created_by uuid references users,
  created_at timestamptz not null default now()
);
