-- A person's own filters of the lists of requests; `choice` has the contract's shape filterChoice. One default a list.
create table saved_filters (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  list text not null check (list in ('new', 'processing', 'all')),
  name text not null,
  choice jsonb not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index saved_filters_name on saved_filters (user_id, list, lower(name));
create unique index saved_filters_default on saved_filters (user_id, list) where is_default;

-- What somebody holds, newest first.
create index requests_holder on requests (holder_id, created_at desc, id desc) where holder_id is not null;
