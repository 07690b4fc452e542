-- What admins change: who, when, from where, and each field before and after. Never changed or
-- deleted.
create table changes (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  entity text not null,
  entity_id text not null,
  name jsonb,
  action text not null,
  actor_id uuid references users,
  actor_name text not null,
  session_id uuid,
  address text,
  fields jsonb not null default '[]'
);
create index changes_at on changes (at desc, id desc);
create index changes_entity on changes (entity, entity_id, id desc);
create index changes_actor on changes (actor_id, id desc);
create trigger changes_append_only
  before update or delete on changes
  for each row execute function refuse_change();
create trigger changes_never_emptied
  before truncate on changes
  for each statement execute function refuse_change();
