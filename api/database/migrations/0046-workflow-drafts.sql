-- The workflow that admins edit, before it is activated: one for services in general and one for each service. It is not validated (decision 0059).
create table workflow_drafts (
  id integer generated always as identity primary key,
  service_id integer references services (id) on delete cascade,
  document jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null,
  unique nulls not distinct (service_id)
);
