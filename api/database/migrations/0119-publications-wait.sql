-- Publications that change fees by more than one person may wait for a second one. A service that was
-- never published has no row in `services`, so that `service_id` refers to none.
create table waiting_publications (
  id integer generated always as identity primary key,
  service_id integer not null unique,
  -- Of the draft that is to be published.
  draft_version integer,
  -- The version that is to be published again.
  restored_from integer,
  publish_at timestamptz,
  asked_by uuid not null references users (id),
  asked_at timestamptz not null default now(),
  check ((draft_version is null) <> (restored_from is null))
);

alter table service_drafts add column publish_confirmed_by uuid references users (id);
alter table service_versions add column confirmed_by uuid references users (id);
