-- People and their sessions
create table companies (
  id integer generated always as identity primary key,
  name jsonb not null
);

create table partners (
  id integer generated always as identity primary key,
  name jsonb not null
);

create table users (
  id uuid primary key default gen_random_uuid(),
  username text not null unique check (username = lower(username)),
  password_hash text not null,
  full_name text not null,
  phone_number text not null,
  email text not null,
  roles text[] not null default '{}',
  company_id integer references companies,
  partner_id integer references partners,
  created_at timestamptz not null default now()
);

-- One row a sign-in. token_id is the token in force; previous_token_id the one before it, for the grace of two tabs and to notice a stolen one.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  token_id uuid not null,
  previous_token_id uuid,
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz
);

create table signing_keys (
  id text primary key,
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);

-- Secrets that the product makes for itself, shared by all its processes
create table secrets (
  name text primary key,
  value text not null
);

-- The catalogue
create table account_types (
  id integer primary key,
  slug text not null unique,
  name jsonb not null,
  alt jsonb not null,
  description jsonb not null,
  logo text not null
);

create table agencies (
  id integer generated always as identity primary key,
  slug text not null unique,
  name jsonb not null,
  logo text not null,
  ours_in text[] not null default '{}'
);

create table categories (
  id integer generated always as identity primary key,
  slug text not null unique,
  name jsonb not null,
  description jsonb not null,
  logo text not null,
  ours_in text[] not null default '{}'
);

create table services (
  id integer generated always as identity primary key,
  replaced_name text not null unique,
  name jsonb not null,
  description jsonb not null,
  agency_id integer not null references agencies,
  category_id integer not null references categories,
  partner_id integer references partners,
  form jsonb not null,
  attachments jsonb not null,
  fees jsonb not null,
  working_days integer not null check (working_days >= 0),
  terms jsonb not null,
  steps jsonb not null,
  result jsonb not null,
  popular_rank integer,
  ours_in text[] not null default '{}',
  deleted_at timestamptz
);
create index services_partner on services (partner_id);

create table service_account_types (
  service_id integer not null references services,
  account_type_id integer not null references account_types,
  primary key (service_id, account_type_id)
);

create table rejection_reasons (
  id integer generated always as identity primary key,
  name jsonb not null
);

-- Requests
create table workflows (
  id integer generated always as identity primary key,
  document jsonb not null,
  hash text not null unique,
  created_at timestamptz not null default now()
);

create table requests (
  id bigint generated always as identity primary key,
  number text not null unique,
  service_id integer not null references services,
  partner_id integer references partners,
  user_id uuid not null references users,
  company_id integer references companies,
  workflow_id integer not null references workflows,
  status_id integer not null,
  version integer not null default 1,
  form jsonb not null,
  attachment_rules jsonb not null,
  answers jsonb not null,
  quote jsonb not null,
  total bigint not null check (total >= 0),
  applicant_name text not null,
  phone_number text not null,
  search_text text not null,
  holder_id uuid references users,
  service_provider_request_number text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create extension if not exists pg_trgm;
create index requests_status on requests (status_id, created_at desc, id desc);
create index requests_created on requests (created_at desc, id desc);
create index requests_user on requests (user_id, created_at desc, id desc);
create index requests_company on requests (company_id, created_at desc, id desc) where company_id is not null;
create index requests_partner on requests (partner_id, status_id, created_at desc, id desc) where partner_id is not null;
create index requests_phone on requests (phone_number, created_at desc);
create index requests_search on requests using gin (search_text gin_trgm_ops);

-- Counts are maintained, not counted; slots keep two clerks from waiting for one row. The count of a status is the sum over its slots.
create table request_counts (
  status_id integer not null,
  partner_id integer not null,
  slot integer not null,
  count bigint not null,
  primary key (status_id, partner_id, slot)
);

create table request_history (
  id bigint generated always as identity primary key,
  request_id bigint not null references requests,
  action text not null,
  from_status_id integer,
  to_status_id integer not null,
  actor_kind text not null,
  actor_id uuid references users,
  actor_name text not null,
  reasons jsonb not null default '[]',
  message jsonb,
  at timestamptz not null default now()
);
create index request_history_request on request_history (request_id, id);

-- Documents. A file is visible once uploaded_at is set; it belongs to a request once request_id is set.
create table attachments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  service_id integer not null references services,
  request_id bigint references requests,
  name text not null,
  file_name text not null,
  media_type text not null,
  size bigint not null,
  is_result boolean not null default false,
  uploaded_at timestamptz,
  viewed_at timestamptz,
  viewed_by uuid references users,
  created_at timestamptz not null default now()
);
create index attachments_request on attachments (request_id);
create index attachments_user on attachments (user_id, created_at);

-- Money: a payment is pending before the visitor leaves; what the provider says is appended once and never changed.
create table payments (
  id bigint generated always as identity primary key,
  request_id bigint not null references requests,
  merchant_reference text not null unique,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null default 'pending',
  payment_url text,
  created_at timestamptz not null default now(),
  checked_at timestamptz not null default now()
);
create index payments_request on payments (request_id);
create index payments_pending on payments (checked_at) where status = 'pending';
-- One open or paid payment a request, whatever two browsers do at once
create unique index payments_one_alive on payments (request_id) where status in ('pending', 'paid');

create table payment_events (
  id text primary key,
  payment_id bigint not null references payments,
  kind text not null,
  amount bigint not null,
  currency text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now()
);
create index payment_events_payment on payment_events (payment_id);

-- One-time codes for an inquiry by mobile number
create table verification_codes (
  phone_number text primary key,
  code_hash text not null,
  attempts integer not null default 0,
  expires_at timestamptz not null
);

-- What history and the provider said is never changed or deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger request_history_append_only before update or delete on request_history for each row execute function refuse_change();
create trigger payment_events_append_only before update or delete on payment_events for each row execute function refuse_change();
