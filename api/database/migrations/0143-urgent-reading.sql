-- The urgent right: one request outside of the own scope, for a short time, loud and reviewed. Decision 0154.
alter table users add column reads_urgently boolean not null default false;
alter table users add constraint users_reads_urgently
  check (not reads_urgently or 'Employee' = any(roles));

alter table request_reads drop constraint request_reads_reason_check;
alter table request_reads add constraint request_reads_reason_check
  check (reason in (
    'number', 'enquiry', 'complaint', 'quality', 'audit', 'authority', 'money', 'other', 'urgent'
  ));

-- agency_id is the agency of the request when it was opened: it reviews, also after the request has moved.
create table urgent_openings (
  id bigint generated always as identity primary key,
  request_id bigint not null references requests,
  agency_id integer not null references agencies,
  reader_id uuid not null references users,
  session_id uuid not null references sessions,
  reason text not null check (reason in ('danger', 'deadline', 'authority', 'other')),
  reason_text text not null check (length(reason_text) between 20 and 300),
  opened_at timestamptz not null default now(),
  until timestamptz not null check (until > opened_at)
);
create index urgent_openings_request on urgent_openings (request_id, session_id, until);
create index urgent_openings_opened on urgent_openings (opened_at desc, id desc);
create trigger urgent_openings_append_only before update or delete on urgent_openings
  for each row execute function refuse_change();
create trigger urgent_openings_never_emptied before truncate on urgent_openings
  for each statement execute function refuse_change();

create table urgent_reviews (
  opening_id bigint primary key references urgent_openings,
  finding text not null check (finding in ('justified', 'notJustified')),
  finding_text text not null check (length(finding_text) between 10 and 1000),
  reviewed_by uuid not null references users,
  reviewed_at timestamptz not null default now()
);
create trigger urgent_reviews_append_only before update or delete on urgent_reviews
  for each row execute function refuse_change();
create trigger urgent_reviews_never_emptied before truncate on urgent_reviews
  for each statement execute function refuse_change();
