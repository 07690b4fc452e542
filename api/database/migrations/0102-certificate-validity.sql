-- Certificates end on a day that a rule of their template gives, and staff can revoke them.
alter table certificate_templates add column validity jsonb not null default '{"kind": "none"}';
-- The last day in Asia/Dubai; null without end.
alter table certificates add column valid_until date;
create index certificates_by_sequence on certificates (sequence);
create table certificate_events (
  id bigint generated always as identity primary key,
  certificate_id bigint not null references certificates,
  action text not null check (action in ('revoked', 'restored')),
  reason text not null,
  note text not null,
  actor_id uuid not null references users,
  at timestamptz not null
);
create index certificate_events_of_certificate on certificate_events (certificate_id, id);
create trigger certificate_events_append_only before update or delete on certificate_events for each row execute function refuse_change();
create trigger certificate_events_never_emptied before truncate on certificate_events for each statement execute function refuse_change();
