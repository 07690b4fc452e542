-- A company has at least one manager for as long as it has users; the first of each becomes it.
alter table users add column is_company_manager boolean not null default false check (not is_company_manager or company_id is not null);
update users set is_company_manager = true where id in (select distinct on (company_id) id from users where company_id is not null order by company_id, created_at, id);

-- An invitation is its mail: the link holds the token, the table its hash.
create table company_invitations (
  id uuid primary key default gen_random_uuid(),
  company_id integer not null references companies,
  email text not null check (email = lower(email)),
  token_hash text not null unique,
  language text not null,
  invited_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  sent_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid references users,
  cancelled_at timestamptz
);
create unique index company_invitations_open on company_invitations (company_id, email) where accepted_at is null and cancelled_at is null;
create index company_invitations_company on company_invitations (company_id, created_at);

-- Partners that were there before work on. The states and what leads from one to another: contract/src/partner-states.ts.
alter table partners
  add column state text not null default 'active' check (state in ('registered', 'verifying', 'needsDocuments', 'active', 'refused', 'suspended')),
  add column version integer not null default 1,
  add column licence_number text,
  add column contact_name text,
  add column contact_email text,
  add column contact_phone text,
  add column created_at timestamptz not null default now();
create index partners_state on partners (state) where state <> 'active';
-- One licence, one provider; who was refused may come again.
create unique index partners_licence on partners (licence_number) where licence_number is not null and state <> 'refused';

create table partner_agencies (
  partner_id integer not null references partners,
  agency_id integer not null references agencies,
  primary key (partner_id, agency_id)
);

-- Documents of a service provider. One is theirs once partner_id is set; it is history once another of its name replaced it.
create table partner_documents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  partner_id integer references partners,
  name text not null,
  file_name text not null,
  media_type text not null,
  size bigint not null,
  uploaded_at timestamptz,
  replaced_at timestamptz,
  created_at timestamptz not null default now()
);
create index partner_documents_partner on partner_documents (partner_id);
create index partner_documents_user on partner_documents (user_id, created_at);
create unique index partner_documents_current on partner_documents (partner_id, name) where replaced_at is null;

create table partner_history (
  id bigint generated always as identity primary key,
  partner_id integer not null references partners,
  action text not null,
  from_state text,
  to_state text not null,
  actor_id uuid references users,
  actor_name text not null,
  reasons text[] not null default '{}',
  message jsonb,
  at timestamptz not null default now()
);
create index partner_history_partner on partner_history (partner_id, id);
create trigger partner_history_append_only before update or delete on partner_history for each row execute function refuse_change();
create trigger partner_history_never_emptied before truncate on partner_history for each statement execute function refuse_change();

-- Mail that waits to be handed over; written in the transaction of what it tells of, gone once it is on its way.
create table mail_outbox (
  id bigint generated always as identity primary key,
  recipient text not null,
  language text not null,
  subject text not null,
  body text not null,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index mail_outbox_due on mail_outbox (due_at);
