-- Acting for others: a session of one person that somebody else holds, until a moment, as long as their own session goes on. Decision 0028.
alter table sessions
  add column actor_id uuid references users,
  add column actor_session_id uuid references sessions,
  add column acts_until timestamptz,
  add constraint sessions_actor_whole check (num_nulls(actor_id, actor_session_id, acts_until) in (0, 3)),
  add constraint sessions_actor_is_another check (actor_id is distinct from user_id);
create index sessions_actor on sessions (actor_session_id) where actor_session_id is not null;

-- For whom something was done, where it was not for oneself: {"by": "counter" | "company", "name": in three languages}. Beside the request too, for lists.
alter table request_history add column acted_for jsonb;
alter table requests add column sent_by text, add column acted_for jsonb;

-- Who of the staff has opened a person's data; one line within some minutes for the same person and thing.
create table request_reads (
  id bigint generated always as identity primary key,
  request_id bigint not null references requests,
  attachment_id uuid,
  reader_id uuid not null references users,
  reader_name text not null,
  reader_kind text not null check (reader_kind in ('employee', 'admin', 'serviceProvider')),
  office jsonb,
  at timestamptz not null default now()
);
create index request_reads_request on request_reads (request_id, id desc);
create index request_reads_same on request_reads (reader_id, request_id, attachment_id, at desc);
create trigger request_reads_append_only before update or delete on request_reads for each row execute function refuse_change();
