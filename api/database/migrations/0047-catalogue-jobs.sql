-- Imports and bulk changes of the catalogue: what was prepared, how far it is, and what came of it. The changes themselves are one
-- transaction, so that an interrupted job has changed nothing.
create table catalogue_jobs (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('import', 'bulk')),
  state text not null check (state in ('ready', 'refused', 'running', 'done', 'cancelled', 'failed')),
  created_by uuid references users,
  created_at timestamptz not null default now(),
  -- Set while it runs; a running job without news for a minute was interrupted.
  active_at timestamptz not null default now(),
  -- The version of the catalogue for which it was prepared.
  catalogue_version bigint not null,
  total integer not null,
  done integer not null default 0,
  is_cancelled boolean not null default false,
  -- What to do; removed when it is done.
  plan jsonb,
  -- What the admin sees: counts, changes, problems.
  summary jsonb not null
);
create index catalogue_jobs_created on catalogue_jobs (created_at);
