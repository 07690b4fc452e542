-- What a person has begun to fill in for a service. Its id is made by their browser, so it means something only together with the person: decision 0021.
create table drafts (
  user_id uuid not null references users,
  id uuid not null,
  company_id integer references companies,
  service_id integer not null references services,
  revision integer not null default 1 check (revision > 0),
  -- The form that the answers were written for, to tell what has changed since.
  form jsonb not null,
  answers jsonb not null,
  attachment_ids uuid[] not null,
  passed text[] not null,
  created_at timestamptz not null default now(),
  saved_at timestamptz not null default now(),
  discarded_at timestamptz,
  -- The request that it became. The row stays for a while, so that sending it once more answers the same request.
  request_id bigint references requests,
  primary key (user_id, id)
);
create unique index drafts_alive on drafts (user_id, service_id, coalesce(company_id, 0)) where request_id is null and discarded_at is null;
create index drafts_saved on drafts (saved_at);
create index drafts_attachments on drafts using gin (attachment_ids) where request_id is null;

-- Who agreed that what they gave with earlier requests is suggested again.
create table prefill_consents (
  user_id uuid primary key references users,
  agreed_at timestamptz not null default now()
);
