-- Banners of the portal. A withdrawn one stays, for its history.
create table announcements (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('maintenance', 'holiday', 'news')),
  severity text not null check (severity in ('information', 'warning', 'urgent')),
  title jsonb not null,
  text jsonb not null,
  audience jsonb not null,
  is_dismissible boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  withdrawn_at timestamptz,
  version integer not null default 1,
  changed_at timestamptz not null default now()
);
create trigger announcements_announced after insert or update or delete or truncate on announcements for each statement execute function announce_change('diwan_announcements');

-- Services that take no new requests for a time. The catalogue in memory holds them, so a change counts as one of the catalogue: a
-- request that was read with the older catalogue is not inserted. A row stays when its service opens, so that its version never goes back.
create table service_closures (
  service_id integer primary key references services,
  reason jsonb not null,
  closed_from timestamptz not null,
  closed_until timestamptz check (closed_until > closed_from),
  opened_at timestamptz,
  version integer not null default 1
);
create trigger service_closures_changed after insert or update or delete or truncate on service_closures for each statement execute function count_catalogue_change();
