-- Files that are sent with a complaint, or with an answer to it. Decision 0155.
create table complaint_documents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  complaint_id bigint references complaints on delete cascade,
  answer_id bigint references complaint_answers on delete cascade,
  file_name text not null,
  media_type text not null,
  size bigint not null,
  uploaded_at timestamptz,
  created_at timestamptz not null default now(),
  scan_state text not null default 'notScanned' check (
    scan_state in ('notScanned', 'waiting', 'clean', 'infected')
  ),
  findings text[] not null default '{}',
  constraint complaint_documents_of_answer check (answer_id is null or complaint_id is not null),
  constraint complaint_documents_sent check (complaint_id is null or uploaded_at is not null)
);
create index complaint_documents_complaint on complaint_documents (complaint_id)
  where complaint_id is not null;
create index complaint_documents_answer on complaint_documents (answer_id)
  where answer_id is not null;
create index complaint_documents_user on complaint_documents (user_id, created_at);
create index complaint_documents_waiting_for_scan on complaint_documents (created_at)
  where scan_state = 'waiting';
