-- Complaints about a service go to its agency, all others to the portal (agency_id is null). Decision 0155.
create table complaints (
  id bigint generated always as identity primary key,
  reference text not null unique,
  subject text not null check (
    subject in ('service', 'request', 'staff', 'privacy', 'accessibility', 'payment', 'other')
  ),
  service_id integer references services,
  agency_id integer references agencies,
  request_number text not null check (length(request_number) <= 40),
  body text not null check (length(body) between 20 and 4000),
  full_name text not null check (length(full_name) between 1 and 200),
  email text not null check (length(email) between 3 and 200),
  language text not null check (language in ('ar-EG', 'en-US', 'ur-PK')),
  user_id uuid references users,
  state text not null default 'received' check (state in ('received', 'answered', 'closed')),
  version integer not null default 1,
  answer_by date not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint complaints_closed check ((state = 'closed') = (closed_at is not null)),
  constraint complaints_of_service check (service_id is null or agency_id is not null)
);
create index complaints_due on complaints (answer_by, id) where state <> 'closed';
create index complaints_of_user on complaints (user_id, id desc) where user_id is not null;
create index complaints_ended on complaints (closed_at) where closed_at is not null;

create table complaint_answers (
  id bigint generated always as identity primary key,
  complaint_id bigint not null references complaints on delete cascade,
  body text not null check (length(body) between 20 and 4000),
  answered_by uuid not null references users,
  answered_at timestamptz not null default now()
);
create index complaint_answers_of on complaint_answers (complaint_id, id);
