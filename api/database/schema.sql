-- Written by `npm run database:types` from the migrated database. Do not edit.
-- Hash of the migrations: 64ce230ea26977c169c297a819b51e55baee962445edd0b39bf27b47d8ddc07f
-- Hash of this text: c1a67ac51483af9e8dfe533ff1664768c2df8070f67c5dd592176c6ebdb4ca66

create extension pg_trgm;

create schema sandbox;

-- Functions, each in functions/<name>.sql:
--   announce_change() returns trigger
--   announce_figures() returns trigger
--   audit_user_change() returns trigger
--   check_ledger_balance() returns trigger
--   count_catalogue_change() returns trigger
--   count_user_version() returns trigger
--   day_in_dubai(instant timestamp with time zone) returns date
--   fold_text(value text) returns text
--   guard_ledger_day() returns trigger
--   guard_ledger_line() returns trigger
--   guard_payout() returns trigger
--   guard_settlement() returns trigger
--   note_agency_move() returns trigger
--   note_team_work() returns trigger
--   plain_number(value text) returns text
--   refuse_change() returns trigger
--   refuse_changed_refund() returns trigger
--   refuse_deleted_difference() returns trigger
--   refuse_deleted_refund() returns trigger
--   refuse_excess_refund() returns trigger
--   search_key(value text) returns text

create table access_losses (
  user_id uuid not null,
  noted_at timestamp with time zone not null default now(),
  constraint access_losses_pkey primary key (user_id),
  constraint access_losses_user_id_fkey foreign key (user_id) references users(id)
);

create table account_types (
  id integer not null,
  slug text not null,
  name jsonb not null,
  alt jsonb not null,
  description jsonb not null,
  logo text not null,
  version integer not null default 1,
  constraint account_types_pkey primary key (id),
  constraint account_types_slug_key unique (slug)
);
create trigger account_types_changed after insert or delete or update or truncate on account_types
  for each statement
  execute function count_catalogue_change();

create table administrator_losses (
  agency_id integer not null,
  lost_at timestamp with time zone not null default now(),
  constraint administrator_losses_pkey primary key (agency_id),
  constraint administrator_losses_agency_id_fkey foreign key (agency_id) references agencies(id)
);

create table agencies (
  id integer not null generated always as identity,
  slug text not null,
  name jsonb not null,
  logo text not null,
  ours_in text[] not null default '{}'::text[],
  "position" integer not null default 0,
  version integer not null default 1,
  retired_at timestamp with time zone,
  discounts jsonb not null default '[]'::jsonb,
  centres jsonb,
  emirate text,
  constraint agencies_pkey primary key (id),
  constraint agencies_slug_key unique (slug),
  constraint agencies_discounts_check check (jsonb_typeof(discounts) = 'array'::text),
  constraint agencies_emirate_check check (emirate = any (array['abuDhabi'::text, 'dubai'::text, 'sharjah'::text, 'ajman'::text, 'ummAlQuwain'::text, 'rasAlKhaimah'::text, 'fujairah'::text]))
);
create trigger agencies_changed after insert or delete or update or truncate on agencies
  for each statement
  execute function count_catalogue_change();

create table agency_moves (
  service_id integer not null,
  noted_at timestamp with time zone not null default now(),
  constraint agency_moves_pkey primary key (service_id),
  constraint agency_moves_service_id_fkey foreign key (service_id) references services(id)
);

create table announcements (
  id integer not null generated always as identity,
  kind text not null,
  severity text not null,
  title jsonb not null,
  text jsonb not null,
  audience jsonb not null,
  is_dismissible boolean not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  version integer not null default 1,
  changed_at timestamp with time zone not null default now(),
  constraint announcements_pkey primary key (id),
  constraint announcements_check check (ends_at > starts_at),
  constraint announcements_kind_check check (kind = any (array['maintenance'::text, 'holiday'::text, 'news'::text])),
  constraint announcements_severity_check check (severity = any (array['information'::text, 'warning'::text, 'urgent'::text]))
);
create trigger announcements_announced after insert or delete or update or truncate on announcements
  for each statement
  execute function announce_change('diwan_announcements');

create table attachment_types (
  id integer not null generated always as identity,
  name jsonb not null,
  description jsonb,
  media_types text[] not null,
  maximum_bytes integer not null,
  maximum_count integer not null,
  "position" integer not null,
  version integer not null default 1,
  retired_at timestamp with time zone,
  constraint attachment_types_pkey primary key (id),
  constraint attachment_types_maximum_bytes_check check (maximum_bytes > 0),
  constraint attachment_types_maximum_count_check check (maximum_count >= 1 and maximum_count <= 10),
  constraint attachment_types_media_types_check check (media_types <> '{}'::text[])
);

create table attachments (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  service_id integer not null,
  request_id bigint,
  name text not null,
  file_name text not null,
  media_type text not null,
  size bigint not null,
  is_result boolean not null default false,
  uploaded_at timestamp with time zone,
  viewed_at timestamp with time zone,
  viewed_by uuid,
  created_at timestamp with time zone not null default now(),
  announced_for bigint,
  scan_state text not null default 'notScanned'::text,
  findings text[] not null default '{}'::text[],
  provider_title text,
  is_hidden boolean not null default false,
  superseded_at timestamp with time zone,
  constraint attachments_pkey primary key (id),
  constraint attachments_hidden check (not is_hidden or provider_title is not null),
  constraint attachments_scan_state_check check (scan_state = any (array['notScanned'::text, 'waiting'::text, 'clean'::text, 'infected'::text])),
  constraint attachments_announced_for_fkey foreign key (announced_for) references requests(id),
  constraint attachments_request_id_fkey foreign key (request_id) references requests(id),
  constraint attachments_service_id_fkey foreign key (service_id) references services(id),
  constraint attachments_user_id_fkey foreign key (user_id) references users(id),
  constraint attachments_viewed_by_fkey foreign key (viewed_by) references users(id)
);
create index attachments_created on attachments using btree (created_at desc, id desc);
create index attachments_request on attachments using btree (request_id);
create index attachments_search on attachments using gin (fold_text(file_name) gin_trgm_ops);
create index attachments_search_key on attachments
  using gin (search_key(fold_text(file_name)) gin_trgm_ops);
create index attachments_user on attachments using btree (user_id, created_at);
create index attachments_waiting_for_scan on attachments using btree (created_at)
  where (scan_state = 'waiting'::text);

create table audit_events (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  kind text not null,
  user_id uuid,
  session_id uuid,
  address text,
  detail jsonb not null default '{}'::jsonb,
  constraint audit_events_pkey primary key (id),
  constraint audit_events_user_id_fkey foreign key (user_id) references users(id)
);
create index audit_events_at on audit_events using btree (at desc, id desc);
create index audit_events_kind on audit_events using btree (kind, at desc, id desc);
create index audit_events_user on audit_events using btree (user_id, at desc, id desc);
create trigger audit_events_append_only before delete or update on audit_events
  for each row
  execute function refuse_change();
create trigger audit_events_never_emptied before truncate on audit_events
  for each statement
  execute function refuse_change();

create table calendar_versions (
  id integer not null generated always as identity,
  agency_id integer,
  document jsonb not null,
  created_at timestamp with time zone not null default now(),
  superseded_at timestamp with time zone,
  constraint calendar_versions_pkey primary key (id),
  constraint calendar_versions_agency_id_fkey foreign key (agency_id) references agencies(id)
);
create unique index calendar_versions_current on calendar_versions using btree (agency_id) nulls not distinct
  where (superseded_at is null);
create trigger calendar_versions_announced after insert on calendar_versions
  for each statement
  execute function announce_change('diwan_calendars');

create table calendars (
  agency_id integer,
  document jsonb not null,
  version integer not null default 1,
  changed_at timestamp with time zone not null default now(),
  constraint calendars_agency_id_key unique nulls not distinct (agency_id),
  constraint calendars_agency_id_fkey foreign key (agency_id) references agencies(id)
);

create table call_answers (
  user_id uuid not null,
  key uuid not null,
  call text not null,
  input_hash text not null,
  answer text not null,
  created_at timestamp with time zone not null default now(),
  constraint call_answers_pkey primary key (user_id, key)
);
create index call_answers_created_at on call_answers using brin (created_at);

create table catalogue_job_parts (
  job_id uuid not null,
  "position" integer not null,
  list text not null,
  entries jsonb not null,
  rows jsonb not null,
  constraint catalogue_job_parts_pkey primary key (job_id, "position"),
  constraint catalogue_job_parts_job_id_fkey foreign key (job_id) references catalogue_jobs(id) on delete cascade
);

create table catalogue_jobs (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  state text not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  active_at timestamp with time zone not null default now(),
  catalogue_version bigint not null,
  total integer not null,
  done integer not null default 0,
  is_cancelled boolean not null default false,
  plan jsonb,
  summary jsonb not null,
  agency_ids integer[],
  constraint catalogue_jobs_pkey primary key (id),
  constraint catalogue_jobs_kind_check check (kind = any (array['import'::text, 'bulk'::text])),
  constraint catalogue_jobs_state_check check (state = any (array['ready'::text, 'refused'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text])),
  constraint catalogue_jobs_created_by_fkey foreign key (created_by) references users(id)
);
create index catalogue_jobs_created on catalogue_jobs using btree (created_at);

create table catalogue_version (
  only_row boolean not null default true,
  version bigint not null,
  constraint catalogue_version_pkey primary key (only_row),
  constraint catalogue_version_only_row_check check (only_row)
);
create trigger catalogue_version_announced after update on catalogue_version
  for each statement
  execute function announce_change('diwan_catalogue');

create table categories (
  id integer not null generated always as identity,
  slug text not null,
  name jsonb not null,
  description jsonb not null,
  logo text not null,
  ours_in text[] not null default '{}'::text[],
  "position" integer not null default 0,
  version integer not null default 1,
  retired_at timestamp with time zone,
  constraint categories_pkey primary key (id),
  constraint categories_slug_key unique (slug)
);
create trigger categories_changed after insert or delete or update or truncate on categories
  for each statement
  execute function count_catalogue_change();

create table certificate_events (
  id bigint not null generated always as identity,
  certificate_id bigint not null,
  action text not null,
  reason text not null,
  note text not null,
  actor_id uuid not null,
  at timestamp with time zone not null,
  constraint certificate_events_pkey primary key (id),
  constraint certificate_events_action_check check (action = any (array['revoked'::text, 'restored'::text])),
  constraint certificate_events_actor_id_fkey foreign key (actor_id) references users(id),
  constraint certificate_events_certificate_id_fkey foreign key (certificate_id) references certificates(id)
);
create index certificate_events_of_certificate on certificate_events using btree (certificate_id, id);
create trigger certificate_events_append_only before delete or update on certificate_events
  for each row
  execute function refuse_change();
create trigger certificate_events_never_emptied before truncate on certificate_events
  for each statement
  execute function refuse_change();

create table certificate_templates (
  service_id integer not null,
  title jsonb not null,
  body jsonb not null,
  is_active boolean not null,
  version integer not null default 1,
  validity jsonb not null default '{"kind": "none"}'::jsonb,
  constraint certificate_templates_pkey primary key (service_id),
  constraint certificate_templates_service_id_fkey foreign key (service_id) references services(id)
);

create table certificates (
  id bigint not null generated always as identity,
  request_id bigint not null,
  series text not null,
  sequence bigint not null,
  number text not null,
  content jsonb not null,
  issued_at timestamp with time zone not null,
  valid_until date,
  constraint certificates_pkey primary key (id),
  constraint certificates_number_key unique (number),
  constraint certificates_request_id_key unique (request_id),
  constraint certificates_series_sequence_key unique (series, sequence),
  constraint certificates_request_id_fkey foreign key (request_id) references requests(id),
  constraint certificates_series_fkey foreign key (series) references invoice_counters(series)
);
create index certificates_by_sequence on certificates using btree (sequence);
create index certificates_number_plain on certificates using gin (plain_number(number) gin_trgm_ops);
create trigger certificates_append_only before delete or update on certificates
  for each row
  execute function refuse_change();
create trigger certificates_never_emptied before truncate on certificates
  for each statement
  execute function refuse_change();

create table changes (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  entity text not null,
  entity_id text not null,
  name jsonb,
  action text not null,
  actor_id uuid,
  actor_name text not null,
  session_id uuid,
  address text,
  fields jsonb not null default '[]'::jsonb,
  constraint changes_pkey primary key (id),
  constraint changes_actor_id_fkey foreign key (actor_id) references users(id)
);
create index changes_actor on changes using btree (actor_id, at desc, id desc);
create index changes_at on changes using btree (at desc, id desc);
create index changes_entity on changes using btree (entity, entity_id, id desc);
create index changes_entity_at on changes using btree (entity, at desc, id desc);
create index changes_money on changes using btree (name, at desc, id desc)
  where (entity = any (array['refund'::text, 'paymentCase'::text, 'settlementDifference'::text]));
create trigger changes_append_only before delete or update on changes
  for each row
  execute function refuse_change();
create trigger changes_never_emptied before truncate on changes
  for each statement
  execute function refuse_change();

create table code_askers (
  network_hash text not null,
  asked integer not null default 1,
  first_at timestamp with time zone not null default now(),
  constraint code_askers_pkey primary key (network_hash)
);

create table communication_types (
  id integer not null,
  key text not null,
  name jsonb not null,
  channels text[] not null,
  constraint communication_types_pkey primary key (id),
  constraint communication_types_key_key unique (key),
  constraint communication_types_channels_check check (cardinality(channels) > 0 and channels <@ array['email'::text, 'sms'::text])
);

create table companies (
  id integer not null generated always as identity,
  name jsonb not null,
  licence_number text,
  version integer not null default 1,
  suspended_at timestamp with time zone,
  suspension_reason text,
  created_at timestamp with time zone not null default now(),
  street text not null default ''::text,
  city text not null default ''::text,
  emirate text not null default ''::text,
  trn text not null default ''::text,
  licence_authority text not null default ''::text,
  licence_expires_on date,
  constraint companies_pkey primary key (id),
  constraint companies_trn_check check (trn ~ '^(1[0-9]{12}03)?$'::text)
);
create index companies_by_arabic_name on companies using btree (fold_text((name ->> 'ar-EG'::text)), id);
create index companies_by_english_name on companies using btree (fold_text((name ->> 'en-US'::text)), id);
create index companies_by_urdu_name on companies using btree (fold_text((name ->> 'ur-PK'::text)), id);
create unique index companies_licence on companies using btree (licence_number);
create index companies_newest on companies using btree (created_at desc, id desc);
create index companies_search on companies
  using gin (replace(fold_text((((((((name ->> 'ar-EG'::text) || ' '::text) || (name ->> 'en-US'::text)) || ' '::text) || (name ->> 'ur-PK'::text)) || ' '::text) || coalesce(licence_number, ''::text))), ' '::text, ''::text) gin_trgm_ops);
create index companies_suspended on companies using btree (id) where (suspended_at is not null);

create table company_invitations (
  id uuid not null default gen_random_uuid(),
  company_id integer not null,
  email text not null,
  token_hash text not null,
  language text not null,
  invited_by uuid not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  cancelled_at timestamp with time zone,
  constraint company_invitations_pkey primary key (id),
  constraint company_invitations_token_hash_key unique (token_hash),
  constraint company_invitations_email_check check (email = lower(email)),
  constraint company_invitations_accepted_by_fkey foreign key (accepted_by) references users(id),
  constraint company_invitations_company_id_fkey foreign key (company_id) references companies(id),
  constraint company_invitations_invited_by_fkey foreign key (invited_by) references users(id)
);
create index company_invitations_company on company_invitations using btree (company_id, created_at);
create unique index company_invitations_open on company_invitations using btree (company_id, email)
  where ((accepted_at is null) and (cancelled_at is null));

create table complaint_answers (
  id bigint not null generated always as identity,
  complaint_id bigint not null,
  body text not null,
  answered_by uuid not null,
  answered_at timestamp with time zone not null default now(),
  constraint complaint_answers_pkey primary key (id),
  constraint complaint_answers_body_check check (length(body) >= 20 and length(body) <= 4000),
  constraint complaint_answers_answered_by_fkey foreign key (answered_by) references users(id),
  constraint complaint_answers_complaint_id_fkey foreign key (complaint_id) references complaints(id) on delete cascade
);
create index complaint_answers_of on complaint_answers using btree (complaint_id, id);

create table complaint_documents (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  complaint_id bigint,
  answer_id bigint,
  file_name text not null,
  media_type text not null,
  size bigint not null,
  uploaded_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  scan_state text not null default 'notScanned'::text,
  findings text[] not null default '{}'::text[],
  constraint complaint_documents_pkey primary key (id),
  constraint complaint_documents_of_answer check (answer_id is null or complaint_id is not null),
  constraint complaint_documents_scan_state_check check (scan_state = any (array['notScanned'::text, 'waiting'::text, 'clean'::text, 'infected'::text])),
  constraint complaint_documents_sent check (complaint_id is null or uploaded_at is not null),
  constraint complaint_documents_answer_id_fkey foreign key (answer_id) references complaint_answers(id) on delete cascade,
  constraint complaint_documents_complaint_id_fkey foreign key (complaint_id) references complaints(id) on delete cascade,
  constraint complaint_documents_user_id_fkey foreign key (user_id) references users(id)
);
create index complaint_documents_answer on complaint_documents using btree (answer_id)
  where (answer_id is not null);
create index complaint_documents_complaint on complaint_documents using btree (complaint_id)
  where (complaint_id is not null);
create index complaint_documents_user on complaint_documents using btree (user_id, created_at);
create index complaint_documents_waiting_for_scan on complaint_documents using btree (created_at)
  where (scan_state = 'waiting'::text);

create table complaints (
  id bigint not null generated always as identity,
  reference text not null,
  subject text not null,
  service_id integer,
  agency_id integer,
  request_number text not null,
  body text not null,
  full_name text not null,
  email text not null,
  language text not null,
  user_id uuid,
  state text not null default 'received'::text,
  version integer not null default 1,
  answer_by date not null,
  created_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  constraint complaints_pkey primary key (id),
  constraint complaints_reference_key unique (reference),
  constraint complaints_body_check check (length(body) >= 20 and length(body) <= 4000),
  constraint complaints_closed check ((state = 'closed'::text) = (closed_at is not null)),
  constraint complaints_email_check check (length(email) >= 3 and length(email) <= 200),
  constraint complaints_full_name_check check (length(full_name) >= 1 and length(full_name) <= 200),
  constraint complaints_language_check check (language = any (array['ar-EG'::text, 'en-US'::text, 'ur-PK'::text])),
  constraint complaints_of_service check (service_id is null or agency_id is not null),
  constraint complaints_request_number_check check (length(request_number) <= 40),
  constraint complaints_state_check check (state = any (array['received'::text, 'answered'::text, 'closed'::text])),
  constraint complaints_subject_check check (subject = any (array['service'::text, 'request'::text, 'staff'::text, 'privacy'::text, 'accessibility'::text, 'payment'::text, 'other'::text])),
  constraint complaints_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint complaints_service_id_fkey foreign key (service_id) references services(id),
  constraint complaints_user_id_fkey foreign key (user_id) references users(id)
);
create index complaints_due on complaints using btree (answer_by, id)
  where (state <> 'closed'::text);
create index complaints_ended on complaints using btree (closed_at) where (closed_at is not null);
create index complaints_of_user on complaints using btree (user_id, id desc)
  where (user_id is not null);

create table drafts (
  user_id uuid not null,
  id uuid not null,
  company_id integer,
  service_id integer not null,
  revision integer not null default 1,
  form jsonb not null,
  answers jsonb not null,
  attachment_ids uuid[] not null,
  passed text[] not null,
  created_at timestamp with time zone not null default now(),
  saved_at timestamp with time zone not null default now(),
  discarded_at timestamp with time zone,
  request_id bigint,
  corrects_request_id bigint,
  explanations jsonb not null default '{}'::jsonb,
  constraint drafts_pkey primary key (user_id, id),
  constraint drafts_revision_check check (revision > 0),
  constraint drafts_company_id_fkey foreign key (company_id) references companies(id),
  constraint drafts_mends_request_id_fkey foreign key (corrects_request_id) references requests(id),
  constraint drafts_request_id_fkey foreign key (request_id) references requests(id),
  constraint drafts_service_id_fkey foreign key (service_id) references services(id),
  constraint drafts_user_id_fkey foreign key (user_id) references users(id)
);
create unique index drafts_alive on drafts using btree (user_id, service_id, coalesce(company_id, 0), coalesce(corrects_request_id, (0)::bigint))
  where ((request_id is null) and (discarded_at is null));
create index drafts_attachments on drafts using gin (attachment_ids) where (request_id is null);
create index drafts_corrects on drafts using btree (corrects_request_id)
  where (corrects_request_id is not null);
create index drafts_saved on drafts using btree (saved_at);

create table figure_changes (
  request_id bigint not null,
  at timestamp with time zone not null default now()
);
alter table figure_changes set (autovacuum_vacuum_scale_factor = 0);
alter table figure_changes set (autovacuum_vacuum_threshold = 2000);

create table former_agencies (
  service_id integer not null,
  agency_id integer not null,
  constraint former_agencies_pkey primary key (agency_id, service_id),
  constraint former_agencies_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint former_agencies_service_id_fkey foreign key (service_id) references services(id)
);

create table forms (
  id integer not null generated always as identity,
  content jsonb not null,
  attachment_rules jsonb not null,
  hash text not null,
  constraint forms_pkey primary key (id),
  constraint forms_hash_key unique (hash)
);
create trigger forms_append_only before delete or update on forms
  for each row
  execute function refuse_change();
create trigger forms_never_emptied before truncate on forms
  for each statement
  execute function refuse_change();

create table held_actions (
  id integer not null generated always as identity,
  request_id bigint not null,
  user_id uuid not null,
  action text not null,
  version integer not null,
  is_silent boolean not null,
  sent json not null,
  sent_hash text,
  acts_at timestamp with time zone not null,
  refusal text,
  session_id uuid,
  added bigint not null default 0,
  waits_for_second boolean not null default false,
  confirmed_by uuid,
  constraint held_actions_pkey primary key (id),
  constraint held_actions_confirmed_by_fkey foreign key (confirmed_by) references users(id),
  constraint held_actions_request_id_fkey foreign key (request_id) references requests(id) on delete cascade,
  constraint held_actions_session_id_fkey foreign key (session_id) references sessions(id) on delete set null,
  constraint held_actions_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index held_actions_due on held_actions using btree (acts_at)
  where ((refusal is null) and (not waits_for_second));
create unique index held_actions_request on held_actions using btree (request_id)
  where (refusal is null);
create index held_actions_second on held_actions using btree (id)
  where ((refusal is null) and waits_for_second);
create index held_actions_user on held_actions using btree (user_id);

create table hub_news (
  id bigint not null generated always as identity,
  hub text not null,
  event text not null,
  audiences text[] not null,
  constraint hub_news_pkey primary key (id)
);

create table hub_positions (
  hub text not null,
  audience text not null,
  "position" bigint not null,
  constraint hub_positions_pkey primary key (hub, audience)
);

create table identity_attempts (
  state_hash text not null,
  browser_hash text not null,
  verifier text,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint identity_attempts_pkey primary key (state_hash)
);
create index identity_attempts_created on identity_attempts using btree (created_at);

create table identity_links (
  browser_hash text not null,
  identity jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint identity_links_pkey primary key (browser_hash)
);

create table incidents (
  id integer not null generated always as identity,
  part text not null,
  state text not null,
  began_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint incidents_pkey primary key (id),
  constraint incidents_check check (seen_at >= began_at),
  constraint incidents_check1 check (ended_at >= began_at),
  constraint incidents_part_check check (part = any (array['portal'::text, 'requests'::text, 'documents'::text, 'payments'::text, 'messages'::text, 'uaePass'::text])),
  constraint incidents_state_check check (state = any (array['limited'::text, 'down'::text]))
);
create unique index incidents_open on incidents using btree (part) where (ended_at is null);
create index incidents_seen on incidents using btree (seen_at desc);

create table invoice_counters (
  series text not null,
  last_sequence bigint not null,
  constraint invoice_counters_pkey primary key (series),
  constraint invoice_counters_last_sequence_check check (last_sequence > 0)
);

create table invoices (
  id bigint not null generated always as identity,
  kind text not null,
  series text not null,
  sequence bigint not null,
  number text not null,
  request_id bigint not null,
  payment_id bigint,
  refund_id bigint,
  total bigint not null,
  content jsonb not null,
  issued_at timestamp with time zone not null,
  constraint invoices_pkey primary key (id),
  constraint invoices_number_key unique (number),
  constraint invoices_payment_series unique (payment_id, series),
  constraint invoices_refund_series unique (refund_id, series),
  constraint invoices_series_sequence_key unique (series, sequence),
  constraint invoices_check check ((kind = 'creditNote'::text) = (refund_id is not null) and (kind <> 'creditNote'::text) = (payment_id is not null)),
  constraint invoices_kind_check check (kind = any (array['invoice'::text, 'receipt'::text, 'creditNote'::text])),
  constraint invoices_total_check check (total > 0),
  constraint invoices_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint invoices_refund_id_fkey foreign key (refund_id) references request_refunds(id),
  constraint invoices_request_id_fkey foreign key (request_id) references requests(id),
  constraint invoices_series_fkey foreign key (series) references invoice_counters(series)
);
create index invoices_number_plain on invoices using gin (plain_number(number) gin_trgm_ops);
create index invoices_request on invoices using btree (request_id, id);
create index invoices_supplied on invoices using btree ((((content -> 'transfer'::text) ->> 'day'::text)), id);
create trigger invoices_append_only before delete or update on invoices
  for each row
  execute function refuse_change();
create trigger invoices_never_emptied before truncate on invoices
  for each statement
  execute function refuse_change();

create table ledger_accounts (
  name text not null,
  kind text not null,
  constraint ledger_accounts_pkey primary key (name),
  constraint ledger_accounts_kind_check check (kind = any (array['asset'::text, 'liability'::text, 'income'::text, 'expense'::text]))
);
create trigger ledger_accounts_append_only before delete or update on ledger_accounts
  for each row
  execute function refuse_change();

create table ledger_closings (
  id integer not null generated always as identity,
  from_day date not null,
  until_day date not null,
  state text not null,
  asked_by uuid,
  asked_at timestamp with time zone not null default now(),
  decided_by uuid,
  decided_at timestamp with time zone,
  content jsonb,
  constraint ledger_closings_pkey primary key (id),
  constraint ledger_closings_check check (until_day >= from_day),
  constraint ledger_closings_check1 check ((state = 'closed'::text) = (content is not null)),
  constraint ledger_closings_check2 check (state <> 'closed'::text or decided_by is null or decided_by <> asked_by),
  constraint ledger_closings_state_check check (state = any (array['waiting'::text, 'closed'::text, 'refused'::text])),
  constraint ledger_closings_asked_by_fkey foreign key (asked_by) references users(id),
  constraint ledger_closings_decided_by_fkey foreign key (decided_by) references users(id)
);
create index ledger_closings_until on ledger_closings using btree (until_day)
  where (state = 'closed'::text);
create unique index ledger_closings_waiting on ledger_closings using btree (state)
  where (state = 'waiting'::text);

create table ledger_days (
  day date not null,
  totals jsonb not null,
  entries integer not null,
  closed_at timestamp with time zone not null default now(),
  closed_by uuid,
  constraint ledger_days_pkey primary key (day),
  constraint ledger_days_closed_by_fkey foreign key (closed_by) references users(id)
);
create trigger ledger_days_append_only before delete or update on ledger_days
  for each row
  execute function refuse_change();
create trigger ledger_days_never_emptied before truncate on ledger_days
  for each statement
  execute function refuse_change();

create table ledger_entries (
  id bigint not null generated always as identity,
  kind text not null,
  source text not null,
  day date not null,
  currency text not null,
  occurred_at timestamp with time zone not null,
  posted_at timestamp with time zone not null default now(),
  request_id bigint,
  payment_id bigint,
  posted_by uuid,
  note text not null default ''::text,
  transaction_id bigint not null default txid_current(),
  constraint ledger_entries_pkey primary key (id),
  constraint ledger_entries_source_key unique (source),
  constraint ledger_entries_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint ledger_entries_posted_by_fkey foreign key (posted_by) references users(id),
  constraint ledger_entries_request_id_fkey foreign key (request_id) references requests(id)
);
create index ledger_entries_day on ledger_entries using btree (day, occurred_at, id);
create index ledger_entries_payment on ledger_entries using btree (payment_id);
create index ledger_entries_request on ledger_entries using btree (request_id);
create trigger ledger_day_is_open before insert on ledger_entries
  for each row
  execute function guard_ledger_day();
create trigger ledger_entries_append_only before delete or update on ledger_entries
  for each row
  execute function refuse_change();
create trigger ledger_entries_never_emptied before truncate on ledger_entries
  for each statement
  execute function refuse_change();
create constraint trigger ledger_entry_balances after insert on ledger_entries deferrable initially deferred
  for each row
  execute function check_ledger_balance();

create table ledger_lines (
  id bigint not null generated always as identity,
  entry_id bigint not null,
  account text not null,
  provider text,
  agency_id integer,
  amount bigint not null,
  constraint ledger_lines_pkey primary key (id),
  constraint ledger_lines_amount_check check (amount <> 0),
  constraint ledger_lines_check check (provider is not null or (account <> all (array['providerCash'::text, 'providerCharges'::text]))),
  constraint ledger_lines_check1 check (agency_id is not null or (account <> all (array['revenue'::text, 'refunds'::text]))),
  constraint ledger_lines_payout_agency check (agency_id is not null or account <> 'payouts'::text),
  constraint ledger_lines_account_fkey foreign key (account) references ledger_accounts(name),
  constraint ledger_lines_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint ledger_lines_entry_id_fkey foreign key (entry_id) references ledger_entries(id),
  constraint ledger_lines_provider_fkey foreign key (provider) references payment_providers(name)
);
create index ledger_lines_agency on ledger_lines using btree (agency_id, account);
create index ledger_lines_entry on ledger_lines using btree (entry_id);
create index ledger_lines_provider on ledger_lines using btree (provider, account);
create trigger ledger_line_of_new_entry before insert on ledger_lines
  for each row
  execute function guard_ledger_line();
create trigger ledger_lines_append_only before delete or update on ledger_lines
  for each row
  execute function refuse_change();
create constraint trigger ledger_lines_balance after insert on ledger_lines deferrable initially deferred
  for each row
  execute function check_ledger_balance();
create trigger ledger_lines_never_emptied before truncate on ledger_lines
  for each statement
  execute function refuse_change();

create table legal_page_orders (
  page text not null,
  shown jsonb not null,
  removed jsonb not null,
  version integer not null,
  changed_at timestamp with time zone not null default now(),
  constraint legal_page_orders_pkey primary key (page)
);

create table legal_page_versions (
  id integer not null generated always as identity,
  page text not null,
  sections jsonb not null,
  hash text not null,
  published_at timestamp with time zone not null default now(),
  constraint legal_page_versions_pkey primary key (id)
);
create index legal_page_versions_page on legal_page_versions using btree (page, id desc);
create trigger legal_page_versions_append_only before delete or update or truncate on legal_page_versions
  for each statement
  execute function refuse_change();

create table logos (
  name text not null,
  content bytea not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  constraint logos_pkey primary key (name),
  constraint logos_content_check check (length(content) >= 1 and length(content) <= 300000),
  constraint logos_name_check check (name ~ '^[0-9a-f]{32}\.(svg|png)$'::text),
  constraint logos_created_by_fkey foreign key (created_by) references users(id)
);

create table long_changes (
  name text not null,
  "position" text,
  finished_at timestamp with time zone,
  constraint long_changes_pkey primary key (name)
);

create table messages (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  channel text not null,
  recipient text not null,
  language text not null,
  subject text not null default ''::text,
  body text not null,
  user_id uuid,
  request_id bigint,
  history_id bigint,
  state text not null default 'waiting'::text,
  tries integer not null default 0,
  due_at timestamp with time zone not null default now(),
  lease uuid,
  leased_until timestamp with time zone,
  fault text,
  fault_detail text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  news text,
  link text,
  constraint messages_pkey primary key (id),
  constraint messages_channel_check check (channel = any (array['email'::text, 'sms'::text, 'push'::text])),
  constraint messages_state_check check (state = any (array['waiting'::text, 'paused'::text, 'sent'::text, 'failed'::text, 'givenUp'::text])),
  constraint messages_history_id_fkey foreign key (history_id) references request_history(id),
  constraint messages_request_id_fkey foreign key (request_id) references requests(id),
  constraint messages_user_id_fkey foreign key (user_id) references users(id)
);
create index messages_due on messages using btree (channel, due_at) where (state = 'waiting'::text);
create index messages_ended on messages using btree (ended_at) where (state <> 'waiting'::text);
create index messages_history on messages using btree (history_id) where (history_id is not null);
create index messages_news on messages using btree (request_id, news)
  where ((state = any (array['waiting'::text, 'paused'::text])) and (news is not null));
create index messages_open on messages using btree (created_at desc, id)
  where (state = any (array['waiting'::text, 'paused'::text, 'failed'::text]));
create index messages_request on messages using btree (request_id, created_at)
  where (request_id is not null);
create index messages_state on messages using btree (state, created_at desc, id);

create table notification_settings (
  user_id uuid not null,
  kind text not null,
  in_portal boolean not null,
  by_mail boolean not null,
  by_sms boolean not null default false,
  by_push boolean not null default true,
  constraint notification_settings_pkey primary key (user_id, kind),
  constraint notification_settings_user_id_fkey foreign key (user_id) references users(id)
);

create table notifications (
  id bigint not null generated always as identity,
  user_id uuid not null,
  kind text not null,
  request_id bigint not null,
  actor_name text not null,
  created_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  is_hidden boolean not null,
  due_at timestamp with time zone,
  actor_id uuid,
  constraint notifications_pkey primary key (id),
  constraint notifications_actor_id_fkey foreign key (actor_id) references users(id),
  constraint notifications_request_id_fkey foreign key (request_id) references requests(id),
  constraint notifications_user_id_fkey foreign key (user_id) references users(id)
);
create index notifications_due on notifications using btree (id) where (due_at is not null);
create index notifications_unread on notifications using btree (user_id)
  where ((read_at is null) and (not is_hidden));
create index notifications_user on notifications using btree (user_id, id desc)
  where (not is_hidden);

create table partner_agencies (
  partner_id integer not null,
  agency_id integer not null,
  constraint partner_agencies_pkey primary key (partner_id, agency_id),
  constraint partner_agencies_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint partner_agencies_partner_id_fkey foreign key (partner_id) references partners(id)
);

create table partner_documents (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  partner_id integer,
  name text not null,
  file_name text not null,
  media_type text not null,
  size bigint not null,
  uploaded_at timestamp with time zone,
  replaced_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  scan_state text not null default 'notScanned'::text,
  findings text[] not null default '{}'::text[],
  constraint partner_documents_pkey primary key (id),
  constraint partner_documents_scan_state_check check (scan_state = any (array['notScanned'::text, 'waiting'::text, 'clean'::text, 'infected'::text])),
  constraint partner_documents_partner_id_fkey foreign key (partner_id) references partners(id),
  constraint partner_documents_user_id_fkey foreign key (user_id) references users(id)
);
create unique index partner_documents_current on partner_documents using btree (partner_id, name)
  where (replaced_at is null);
create index partner_documents_partner on partner_documents using btree (partner_id);
create index partner_documents_user on partner_documents using btree (user_id, created_at);
create index partner_documents_waiting_for_scan on partner_documents using btree (created_at)
  where (scan_state = 'waiting'::text);

create table partner_history (
  id bigint not null generated always as identity,
  partner_id integer not null,
  action text not null,
  from_state text,
  to_state text not null,
  actor_id uuid,
  actor_name text not null,
  reasons text[] not null default '{}'::text[],
  message jsonb,
  at timestamp with time zone not null default now(),
  constraint partner_history_pkey primary key (id),
  constraint partner_history_actor_id_fkey foreign key (actor_id) references users(id),
  constraint partner_history_partner_id_fkey foreign key (partner_id) references partners(id)
);
create index partner_history_partner on partner_history using btree (partner_id, id);
create trigger partner_history_append_only before delete or update on partner_history
  for each row
  execute function refuse_change();
create trigger partner_history_never_emptied before truncate on partner_history
  for each statement
  execute function refuse_change();

create table partners (
  id integer not null generated always as identity,
  name jsonb not null,
  state text not null default 'active'::text,
  version integer not null default 1,
  licence_number text,
  contact_name text,
  contact_email text,
  contact_phone text,
  created_at timestamp with time zone not null default now(),
  constraint partners_pkey primary key (id),
  constraint partners_state_check check (state = any (array['registered'::text, 'verifying'::text, 'needsDocuments'::text, 'active'::text, 'refused'::text, 'suspended'::text]))
);
create unique index partners_licence on partners using btree (licence_number)
  where ((licence_number is not null) and (state <> 'refused'::text));
create index partners_state on partners using btree (state) where (state <> 'active'::text);

create table payment_cases (
  id integer not null generated always as identity,
  kind text not null,
  cause text not null,
  payment_id bigint,
  merchant_reference text not null default ''::text,
  provider text not null,
  amount bigint not null default 0,
  currency text not null default 'AED'::text,
  detail text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  decision text,
  note text not null default ''::text,
  decided_by uuid,
  decided_at timestamp with time zone,
  version integer not null default 1,
  constraint payment_cases_pkey primary key (id),
  constraint payment_cases_kind_cause_key unique (kind, cause),
  constraint payment_cases_check check ((decision is null) = (decided_at is null)),
  constraint payment_cases_decided_by_fkey foreign key (decided_by) references users(id),
  constraint payment_cases_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint payment_cases_provider_fkey foreign key (provider) references payment_providers(name)
);
create index payment_cases_created on payment_cases using btree (created_at, id);
create index payment_cases_open on payment_cases using btree (created_at) where (decision is null);

create table payment_events (
  id text not null,
  payment_id bigint not null,
  kind text not null,
  amount bigint not null,
  currency text not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  source text not null default 'answer'::text,
  note text not null default ''::text,
  constraint payment_events_pkey primary key (id),
  constraint payment_events_payment_id_fkey foreign key (payment_id) references payments(id)
);
create index payment_events_paid_at on payment_events using btree (occurred_at)
  where (kind = 'paid'::text);
create index payment_events_payment on payment_events using btree (payment_id);
create trigger payment_events_append_only before delete or update on payment_events
  for each row
  execute function refuse_change();
create trigger payment_events_figures after insert on payment_events
  for each row
  when (new.kind = 'paid'::text)
  execute function announce_figures();
create trigger payment_events_never_emptied before truncate on payment_events
  for each statement
  execute function refuse_change();

create table payment_messages (
  id bigint not null generated always as identity,
  provider text not null,
  digest text not null,
  merchant_reference text,
  payment_id bigint,
  verdict text not null,
  times integer not null default 1,
  received_at timestamp with time zone not null default now(),
  constraint payment_messages_pkey primary key (id),
  constraint payment_messages_provider_digest_key unique (provider, digest),
  constraint payment_messages_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint payment_messages_provider_fkey foreign key (provider) references payment_providers(name)
);
create index payment_messages_payment on payment_messages using btree (payment_id);

create table payment_providers (
  name text not null,
  is_enabled boolean not null default true,
  "position" integer not null,
  version integer not null default 1,
  constraint payment_providers_pkey primary key (name)
);

create table payment_rules (
  id integer not null generated always as identity,
  "position" integer not null,
  agency_id integer,
  service_id integer,
  minimum bigint,
  maximum bigint,
  provider text not null,
  fallback text,
  version integer not null default 1,
  method text,
  constraint payment_rules_pkey primary key (id),
  constraint payment_rules_check check (maximum >= minimum),
  constraint payment_rules_check1 check (fallback <> provider),
  constraint payment_rules_method_check check (method = any (array['card'::text, 'bankAccount'::text])),
  constraint payment_rules_minimum_check check (minimum >= 0),
  constraint payment_rules_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint payment_rules_fallback_fkey foreign key (fallback) references payment_providers(name),
  constraint payment_rules_provider_fkey foreign key (provider) references payment_providers(name),
  constraint payment_rules_service_id_fkey foreign key (service_id) references services(id)
);

create table payments (
  id bigint not null generated always as identity,
  request_id bigint not null,
  merchant_reference text not null,
  amount bigint not null,
  currency text not null,
  status text not null default 'pending'::text,
  payment_url text,
  created_at timestamp with time zone not null default now(),
  checked_at timestamp with time zone not null default now(),
  round integer not null default 1,
  provider text not null default 'paypro'::text,
  provider_reference text,
  expires_at timestamp with time zone not null default (now() + '01:00:00'::interval),
  is_cancel_wanted boolean not null default false,
  method text not null default 'card'::text,
  invoiced_at timestamp with time zone,
  constraint payments_pkey primary key (id),
  constraint payments_merchant_reference_key unique (merchant_reference),
  constraint payments_amount_check check (amount > 0),
  constraint payments_method_check check (method = any (array['card'::text, 'bankAccount'::text])),
  constraint payments_provider_fkey foreign key (provider) references payment_providers(name),
  constraint payments_request_id_fkey foreign key (request_id) references requests(id)
);
create index payments_amount on payments using btree (amount);
create index payments_cancel_wanted on payments using btree (checked_at) where is_cancel_wanted;
create index payments_closed on payments using btree (created_at)
  where (status = any (array['declined'::text, 'cancelled'::text, 'expired'::text]));
create index payments_held on payments using btree (request_id) where (status = 'held'::text);
create index payments_newest on payments using btree (created_at desc, id desc);
create index payments_number on payments using gin (plain_number(merchant_reference) gin_trgm_ops);
create unique index payments_one_alive on payments using btree (request_id, round)
  where (status = any (array['pending'::text, 'paid'::text]));
create index payments_paid on payments using btree (request_id)
  include (amount)
  where (status = 'paid'::text);
create index payments_pending on payments using btree (checked_at) where (status = 'pending'::text);
create index payments_provider on payments using btree (provider);
create index payments_provider_number on payments
  using gin (plain_number(provider_reference) gin_trgm_ops)
  where (provider_reference is not null);
create index payments_request on payments using btree (request_id);
create index payments_second_look on payments using btree (created_at)
  where ((status = any (array['paid'::text, 'held'::text, 'returned'::text])) and ((checked_at - created_at) < '00:10:00'::interval));
create index payments_to_invoice on payments using btree (id)
  where ((status = 'paid'::text) and (invoiced_at is null));
create trigger payments_figures after update of status, amount on payments
  for each row
  when (new.status is distinct from old.status or new.amount <> old.amount)
  execute function announce_figures();

create table payouts (
  id integer not null generated always as identity,
  agency_id integer,
  provider text,
  amount bigint not null,
  currency text not null,
  reference text not null,
  paid_on date not null,
  note text not null default ''::text,
  state text not null,
  requested_by uuid not null,
  requested_at timestamp with time zone not null default now(),
  decided_by uuid,
  decided_at timestamp with time zone,
  version integer not null default 1,
  constraint payouts_pkey primary key (id),
  constraint payouts_amount_check check (amount > 0),
  constraint payouts_check check ((agency_id is null) <> (provider is null)),
  constraint payouts_check1 check (state = 'refused'::text or decided_by is null or decided_by <> requested_by),
  constraint payouts_state_check check (state = any (array['waiting'::text, 'booked'::text, 'refused'::text, 'returned'::text])),
  constraint payouts_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint payouts_decided_by_fkey foreign key (decided_by) references users(id),
  constraint payouts_provider_fkey foreign key (provider) references payment_providers(name),
  constraint payouts_requested_by_fkey foreign key (requested_by) references users(id)
);
create index payouts_newest on payouts using btree (((state <> 'waiting'::text)), paid_on desc, id desc);
create unique index payouts_reference on payouts using btree (coalesce((agency_id)::text, provider), lower(reference))
  where (state <> 'refused'::text);
create trigger payouts_keep before delete or update on payouts
  for each row
  execute function guard_payout();
create trigger payouts_never_emptied before truncate on payouts
  for each statement
  execute function guard_payout();

create table portal_details (
  is_only boolean not null default true,
  content jsonb not null,
  version integer not null default 1,
  changed_at timestamp with time zone not null default now(),
  first_day_hidden_at timestamp with time zone,
  constraint portal_details_pkey primary key (is_only),
  constraint portal_details_is_only_check check (is_only)
);
create trigger portal_details_announced after insert or delete or update or truncate on portal_details
  for each statement
  execute function announce_change('diwan_portal');

create table prefill_consents (
  user_id uuid not null,
  agreed_at timestamp with time zone not null default now(),
  constraint prefill_consents_pkey primary key (user_id),
  constraint prefill_consents_user_id_fkey foreign key (user_id) references users(id)
);

create table provider_charge_rates (
  provider text not null,
  rate integer not null,
  fixed integer not null,
  version integer not null default 1,
  constraint provider_charge_rates_pkey primary key (provider),
  constraint provider_charge_rates_fixed_check check (fixed >= 0 and fixed <= 1000000),
  constraint provider_charge_rates_rate_check check (rate >= 0 and rate <= 10000),
  constraint provider_charge_rates_provider_fkey foreign key (provider) references payment_providers(name)
);

create table push_subscriptions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  session_id uuid not null,
  endpoint text not null,
  public_key text not null,
  secret text not null,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_endpoint_key unique (endpoint),
  constraint push_subscriptions_user_id_fkey foreign key (user_id) references users(id)
);
create index push_subscriptions_user on push_subscriptions using btree (user_id, seen_at desc);

create table receipt_run_parts (
  run_id integer not null,
  number integer not null,
  file_id uuid not null,
  receipts integer not null,
  size bigint not null,
  constraint receipt_run_parts_pkey primary key (run_id, number),
  constraint receipt_run_parts_receipts_check check (receipts > 0),
  constraint receipt_run_parts_run_id_fkey foreign key (run_id) references receipt_runs(id) on delete cascade
);

create table receipt_runs (
  id integer not null generated always as identity,
  from_day date not null,
  until_day date not null,
  state text not null default 'running'::text,
  total integer not null,
  done integer not null default 0,
  last_document_id bigint not null default 0,
  created_by uuid not null,
  creator_name text not null,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  worker uuid,
  worked_at timestamp with time zone not null default now(),
  kind text,
  with_xml boolean not null default false,
  constraint receipt_runs_pkey primary key (id),
  constraint receipt_runs_check check (until_day >= from_day),
  constraint receipt_runs_kind_check check (kind = any (array['invoice'::text, 'receipt'::text, 'creditNote'::text])),
  constraint receipt_runs_state_check check (state = any (array['running'::text, 'done'::text, 'cancelled'::text, 'failed'::text])),
  constraint receipt_runs_total_check check (total > 0),
  constraint receipt_runs_created_by_fkey foreign key (created_by) references users(id)
);
create unique index receipt_runs_one_running on receipt_runs using btree (state)
  where (state = 'running'::text);

create table recovery_codes (
  user_id uuid not null,
  code_hash text not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey primary key (user_id, code_hash),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references users(id)
);

create table referral_codes (
  code text not null,
  name jsonb not null,
  valid_from timestamp with time zone not null default now(),
  valid_until timestamp with time zone,
  most_uses integer,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint referral_codes_pkey primary key (code),
  constraint referral_codes_check check (valid_until is null or valid_until > valid_from),
  constraint referral_codes_code_check check (code = upper(code) and code ~ '^[A-Z0-9][A-Z0-9-]{2,39}$'::text),
  constraint referral_codes_most_uses_check check (most_uses > 0)
);

create table refunds (
  id bigint not null generated always as identity,
  payment_id bigint,
  request_id bigint not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  state text not null,
  idempotency_key text not null,
  provider_refund_id text,
  requested_by uuid,
  decided_by uuid,
  note text not null default ''::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  last_error text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  expected_by date,
  version integer not null default 1,
  outside_reference text,
  earlier_refunds text[],
  constraint refunds_pkey primary key (id),
  constraint refunds_idempotency_key_key unique (idempotency_key),
  constraint refunds_amount_check check (amount > 0),
  constraint refunds_check check (decided_by is null or decided_by is distinct from requested_by),
  constraint refunds_outside check ((payment_id is null) = (outside_reference is not null)),
  constraint refunds_outside_state check (outside_reference is null or (state = any (array['waiting'::text, 'succeeded'::text, 'withdrawn'::text]))),
  constraint refunds_state_check check (state = any (array['waiting'::text, 'ready'::text, 'sent'::text, 'succeeded'::text, 'refused'::text, 'withdrawn'::text])),
  constraint refunds_decided_by_fkey foreign key (decided_by) references users(id),
  constraint refunds_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint refunds_request_id_fkey foreign key (request_id) references requests(id),
  constraint refunds_requested_by_fkey foreign key (requested_by) references users(id)
);
create index refunds_newest on refunds using btree (created_at desc, id desc);
create unique index refunds_one_sent on refunds using btree (payment_id)
  where (state = 'sent'::text);
create unique index refunds_outside_reference on refunds using btree (request_id, outside_reference)
  where (state <> 'withdrawn'::text);
create index refunds_payment on refunds using btree (payment_id);
create index refunds_request on refunds using btree (request_id);
create index refunds_to_send on refunds using btree (next_attempt_at)
  where (state = any (array['ready'::text, 'sent'::text]));
create index refunds_waiting on refunds using btree (created_at) where (state = 'waiting'::text);
create trigger refunds_never_deleted before delete on refunds
  for each row
  execute function refuse_deleted_refund();
create trigger refunds_unchanged before update on refunds
  for each row
  execute function refuse_changed_refund();
create trigger refunds_within_received after insert or update on refunds
  for each row
  execute function refuse_excess_refund();

create table refused_payment_messages (
  provider text not null,
  reason text not null,
  hour timestamp with time zone not null,
  times integer not null default 1,
  last_at timestamp with time zone not null default now(),
  last_digest text not null,
  last_bytes bigint not null,
  constraint refused_payment_messages_pkey primary key (provider, reason, hour)
);

create table rejection_reasons (
  id integer not null generated always as identity,
  name jsonb not null,
  retired_at timestamp with time zone,
  version integer not null default 1,
  kind text not null default 'correction'::text,
  agency_id integer,
  about text,
  constraint rejection_reasons_pkey primary key (id),
  constraint rejection_reasons_about_check check (about is null or (about = any (array['answer'::text, 'document'::text, 'request'::text])) and kind = 'correction'::text),
  constraint rejection_reasons_kind_check check (kind = any (array['correction'::text, 'fine'::text, 'fee'::text])),
  constraint rejection_reasons_agency_id_fkey foreign key (agency_id) references agencies(id)
);

create table request_counts (
  status_id integer not null,
  partner_id integer not null,
  count bigint not null,
  agency_id integer not null
);
alter table request_counts set (autovacuum_vacuum_scale_factor = 0);
alter table request_counts set (autovacuum_vacuum_threshold = 2000);
create index request_counts_agency on request_counts using btree (agency_id, status_id);
create index request_counts_partner on request_counts using btree (partner_id);
create index request_counts_status on request_counts using btree (status_id, partner_id);

create table request_facts (
  request_id bigint not null,
  source_id bigint,
  scope integer not null,
  day date not null,
  kind text not null,
  service_id integer not null,
  days_late integer,
  seconds integer,
  amount bigint not null,
  agency_id integer not null,
  constraint request_facts_kind_check check (kind = any (array['created'::text, 'done'::text, 'refused'::text, 'paid'::text])),
  constraint request_facts_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint request_facts_request_id_fkey foreign key (request_id) references requests(id),
  constraint request_facts_service_id_fkey foreign key (service_id) references services(id)
);
create index request_facts_request on request_facts using btree (request_id);

create table request_figures (
  scope integer not null,
  grain text not null,
  day date not null,
  kind text not null,
  service_id integer,
  days_late integer,
  seconds integer[],
  amount bigint not null,
  is_sum boolean not null default false,
  agency_id integer,
  constraint request_figures_grain_check check (grain = any (array['total'::text, 'day'::text, 'month'::text])),
  constraint request_figures_kind_check check (kind = any (array['created'::text, 'done'::text, 'refused'::text, 'paid'::text, 'time'::text]))
);
create index request_figures_day on request_figures using btree (scope, grain, day);
create index request_figures_loose on request_figures using btree (scope, grain, day)
  where (not is_sum);

create table request_fines (
  request_id bigint not null,
  register text not null,
  number text not null,
  found_by jsonb not null,
  amount bigint not null,
  paid_at timestamp with time zone,
  settled_at timestamp with time zone,
  refused_at timestamp with time zone,
  released_at timestamp with time zone,
  tries integer not null default 0,
  due_at timestamp with time zone,
  constraint request_fines_pkey primary key (request_id, register, number),
  constraint request_fines_amount_check check (amount >= 0),
  constraint request_fines_check check ((paid_at is null) = (due_at is null)),
  constraint request_fines_check1 check (settled_at is null or refused_at is null),
  constraint request_fines_request_id_fkey foreign key (request_id) references requests(id)
);
create index request_fines_due on request_fines using btree (due_at)
  where ((settled_at is null) and (refused_at is null));
create unique index request_fines_open on request_fines using btree (register, number)
  where (released_at is null);

create table request_history (
  id bigint not null generated always as identity,
  request_id bigint not null,
  action text not null,
  from_status_id integer,
  to_status_id integer not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  reasons jsonb not null default '[]'::jsonb,
  message jsonb,
  at timestamp with time zone not null default now(),
  charged bigint not null default 0,
  notice text,
  marks jsonb not null default '[]'::jsonb,
  correction jsonb,
  reason_texts jsonb not null default '[]'::jsonb,
  sent_hash text,
  acted_for jsonb,
  hold_until date,
  added bigint not null default 0,
  confirmed_by uuid,
  constraint request_history_pkey primary key (id),
  constraint request_history_added_check check (added >= 0),
  constraint request_history_charged_check check (charged >= 0),
  constraint request_history_notice_check check (notice = any (array['sent'::text, 'switchedOff'::text, 'unreachable'::text, 'unwanted'::text])) not valid,
  constraint request_history_actor_id_fkey foreign key (actor_id) references users(id),
  constraint request_history_confirmed_by_fkey foreign key (confirmed_by) references users(id),
  constraint request_history_request_id_fkey foreign key (request_id) references requests(id)
);
create index request_history_paid on request_history using btree (request_id, at)
  where (action = 'pay'::text);
create index request_history_request on request_history using btree (request_id, id);
create index request_history_staff on request_history using btree (actor_id, at desc, id desc)
  where ((actor_kind = any (array['employee'::text, 'serviceProvider'::text])) or ((acted_for ->> 'by'::text) = 'counter'::text));
create index request_history_staff_at on request_history using btree (at desc, id desc)
  where ((actor_kind = any (array['employee'::text, 'serviceProvider'::text])) or ((acted_for ->> 'by'::text) = 'counter'::text));
create index request_history_status_at on request_history using btree (to_status_id, at);
create trigger request_history_append_only before delete or update on request_history
  for each row
  execute function refuse_change();
create trigger request_history_figures after insert on request_history
  for each row
  when (new.from_status_id is distinct from new.to_status_id)
  execute function announce_figures();
create trigger request_history_never_emptied before truncate on request_history
  for each statement
  execute function refuse_change();

create view request_holds as
 select held.request_id,
    held.id as history_id,
    held.at as begun_at,
    ended.at as ended_at
   from request_history held
     left join lateral ( select later.at
           from request_history later
          where later.request_id = held.request_id and later.id > held.id and (later.from_status_id is distinct from later.to_status_id or later.hold_until is not null)
          order by later.id
         limit 1) ended on true
  where held.hold_until is not null;

create table request_reads (
  id bigint not null generated always as identity,
  request_id bigint not null,
  attachment_id uuid,
  reader_id uuid not null,
  reader_name text not null,
  reader_kind text not null,
  office jsonb,
  at timestamp with time zone not null default now(),
  reason text,
  reason_text text not null default ''::text,
  constraint request_reads_pkey primary key (id),
  constraint request_reads_reader_kind_check check (reader_kind = any (array['employee'::text, 'admin'::text, 'finance'::text, 'auditor'::text, 'serviceProvider'::text])),
  constraint request_reads_reason_check check (reason = any (array['number'::text, 'enquiry'::text, 'complaint'::text, 'quality'::text, 'audit'::text, 'authority'::text, 'money'::text, 'other'::text, 'urgent'::text])),
  constraint request_reads_reason_text_check check (length(reason_text) <= 300 and (reason <> 'other'::text or reason_text <> ''::text)),
  constraint request_reads_reader_id_fkey foreign key (reader_id) references users(id),
  constraint request_reads_request_id_fkey foreign key (request_id) references requests(id)
);
create index request_reads_at on request_reads using btree (at desc, id desc);
create index request_reads_reader on request_reads using btree (reader_id, at desc, id desc);
create index request_reads_request on request_reads using btree (request_id, id desc);
create index request_reads_same on request_reads using btree (reader_id, request_id, attachment_id, at desc);
create trigger request_reads_append_only before delete or update on request_reads
  for each row
  execute function refuse_change();
create trigger request_reads_never_emptied before truncate on request_reads
  for each statement
  execute function refuse_change();

create table request_refunds (
  id bigint not null generated always as identity,
  request_id bigint not null,
  amount bigint not null,
  reference text not null,
  recorded_by uuid,
  recorder_name text not null,
  at timestamp with time zone not null default now(),
  constraint request_refunds_pkey primary key (id),
  constraint request_refunds_request_id_reference_key unique (request_id, reference),
  constraint request_refunds_amount_check check (amount > 0),
  constraint request_refunds_recorded_by_fkey foreign key (recorded_by) references users(id),
  constraint request_refunds_request_id_fkey foreign key (request_id) references requests(id)
);
create trigger request_refunds_append_only before delete or update on request_refunds
  for each row
  execute function refuse_change();
create trigger request_refunds_never_emptied before truncate on request_refunds
  for each statement
  execute function refuse_change();

create table request_viewers (
  connection_id uuid not null,
  request_id bigint not null,
  user_id uuid not null,
  opened_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint request_viewers_pkey primary key (connection_id, request_id),
  constraint request_viewers_request_id_fkey foreign key (request_id) references requests(id),
  constraint request_viewers_user_id_fkey foreign key (user_id) references users(id)
);
create index request_viewers_request on request_viewers using btree (request_id);

create table requests (
  id bigint not null generated always as identity,
  number text not null,
  service_id integer not null,
  partner_id integer,
  user_id uuid not null,
  company_id integer,
  workflow_id integer not null,
  status_id integer not null,
  version integer not null default 1,
  form_id integer not null,
  evidence_rules jsonb,
  answers jsonb not null,
  quote jsonb not null,
  total bigint not null,
  applicant_name text not null,
  phone_number text not null,
  search_text text not null,
  holder_id uuid,
  service_provider_request_number text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  payment_round integer not null default 1,
  language text,
  came_to_provider boolean not null default false,
  refundable bigint not null default 0,
  refunded bigint not null default 0,
  referral_code text,
  sent_by text,
  acted_for jsonb,
  working_days integer not null,
  due_on date,
  promised_on date,
  hold_until date,
  hold_reason jsonb,
  paid_status_id integer,
  approver_id uuid,
  calendar_id integer not null,
  withdrawal jsonb,
  objection_until date,
  agency_id integer not null,
  terms_version_id integer,
  privacy_version_id integer,
  special_consents jsonb,
  fined_by uuid,
  constraint requests_pkey primary key (id),
  constraint requests_number_key unique (number),
  constraint requests_check check (refunded >= 0 and refunded <= refundable),
  constraint requests_hold check ((hold_until is null) = (hold_reason is null)),
  constraint requests_refundable_check check (refundable >= 0),
  constraint requests_search_text_short check (length(search_text) <= 500),
  constraint requests_total_check check (total >= 0),
  constraint requests_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint requests_approver_id_fkey foreign key (approver_id) references users(id),
  constraint requests_calendar_id_fkey foreign key (calendar_id) references calendar_versions(id),
  constraint requests_company_id_fkey foreign key (company_id) references companies(id),
  constraint requests_fined_by_fkey foreign key (fined_by) references users(id),
  constraint requests_form_id_fkey foreign key (form_id) references forms(id),
  constraint requests_holder_id_fkey foreign key (holder_id) references users(id),
  constraint requests_partner_id_fkey foreign key (partner_id) references partners(id),
  constraint requests_privacy_version_id_fkey foreign key (privacy_version_id) references legal_page_versions(id),
  constraint requests_referral_code_fkey foreign key (referral_code) references referral_codes(code),
  constraint requests_service_id_fkey foreign key (service_id) references services(id),
  constraint requests_terms_version_id_fkey foreign key (terms_version_id) references legal_page_versions(id),
  constraint requests_user_id_fkey foreign key (user_id) references users(id),
  constraint requests_workflow_id_fkey foreign key (workflow_id) references workflows(id)
);
alter table requests set (toast_tuple_target = 256);
alter table requests set (autovacuum_vacuum_insert_scale_factor = 0.01);
alter table requests set (autovacuum_vacuum_scale_factor = 0.02);
alter table requests set (autovacuum_analyze_scale_factor = 0.02);
alter table requests alter column form_id set statistics 0;
alter table requests alter column evidence_rules set statistics 0;
alter table requests alter column answers set statistics 0;
alter table requests alter column quote set statistics 0;
alter table requests alter column search_text set storage main;
alter table requests alter column search_text set statistics 100;
create index requests_agency on requests using btree (agency_id, created_at desc, id desc)
  include (service_id, search_text);
create index requests_agency_status on requests using btree (agency_id, status_id, created_at desc, id desc)
  include (service_id, holder_id, total, number, applicant_name, search_text);
create index requests_calendar on requests using btree (calendar_id)
  where ((due_on is not null) and (calendar_id > 0));
create index requests_company on requests using btree (company_id, created_at desc, id desc)
  include (service_id, search_text)
  where (company_id is not null);
create index requests_company_refundable on requests using btree (company_id, created_at desc, id desc)
  where ((company_id is not null) and (refundable > 0));
create index requests_company_status on requests using btree (company_id, status_id, created_at desc, id desc)
  include (service_id, search_text)
  where (company_id is not null);
create index requests_created on requests using btree (created_at desc, id desc)
  include (service_id, search_text);
create index requests_due on requests using btree (due_on, created_at desc, id desc)
  include (status_id, service_id, partner_id, holder_id, agency_id)
  where (due_on is not null);
create index requests_hold on requests using btree (hold_until) where (hold_until is not null);
create index requests_holder on requests using btree (holder_id, created_at desc, id desc)
  where (holder_id is not null);
create index requests_number_plain on requests using gin (plain_number(number) gin_trgm_ops);
create index requests_partner on requests using btree (partner_id, created_at desc, id desc)
  include (service_id, search_text)
  where came_to_provider;
create index requests_partner_refundable on requests using btree (partner_id, created_at desc, id desc)
  where (came_to_provider and (refundable > 0));
create index requests_partner_status on requests using btree (partner_id, status_id, created_at desc, id desc)
  include (service_id, search_text)
  where came_to_provider;
create index requests_phone on requests using btree (phone_number, created_at desc);
create index requests_referral on requests using btree (referral_code)
  where (referral_code is not null);
create index requests_refundable on requests using btree (created_at desc, id desc)
  where (refundable > 0);
create index requests_refunded on requests using btree (created_at desc, id desc)
  where ((refundable > 0) and (refunded = refundable));
create index requests_search on requests
  using gin (replace(search_text, ' '::text, ''::text) gin_trgm_ops);
alter index requests_search alter column 1 set statistics 100;
create index requests_search_key on requests
  using gin (search_key(replace(search_text, ' '::text, ''::text)) gin_trgm_ops);
alter index requests_search_key alter column 1 set statistics 100;
create index requests_service on requests using btree (service_id, created_at desc, id desc);
create index requests_status on requests using btree (status_id, created_at desc, id desc)
  include (service_id, agency_id, holder_id, total, number, applicant_name, search_text);
create index requests_user on requests using btree (user_id, created_at desc, id desc)
  include (company_id, status_id, refundable);
create index requests_workflow on requests using btree (workflow_id);
create trigger requests_figures after update of partner_id, came_to_provider, calendar_id, agency_id on requests
  for each row
  when (new.partner_id is distinct from old.partner_id or new.came_to_provider is distinct from old.came_to_provider or new.calendar_id is distinct from old.calendar_id or new.agency_id is distinct from old.agency_id)
  execute function announce_figures();

create table restores (
  id integer not null generated always as identity,
  restored_to timestamp with time zone not null,
  marked_at timestamp with time zone not null default now(),
  reconciled_at timestamp with time zone,
  constraint restores_pkey primary key (id)
);

create table role_changes (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  user_id uuid,
  user_version integer,
  invitation_id uuid,
  before jsonb not null default '{}'::jsonb,
  after jsonb not null default '{}'::jsonb,
  asked_by uuid not null,
  asked_at timestamp with time zone not null default now(),
  decision text,
  decided_by uuid,
  decided_at timestamp with time zone,
  constraint role_changes_pkey primary key (id),
  constraint role_changes_check check ((kind = 'roles'::text) = (user_id is not null)),
  constraint role_changes_check1 check ((kind = 'invitation'::text) = (invitation_id is not null)),
  constraint role_changes_check2 check (num_nulls(decision, decided_by, decided_at) = any (array[0, 3])),
  constraint role_changes_decision_check check (decision = any (array['confirmed'::text, 'refused'::text, 'withdrawn'::text])),
  constraint role_changes_kind_check check (kind = any (array['roles'::text, 'invitation'::text, 'confirmationOff'::text])),
  constraint role_changes_second_person check (decision is distinct from 'confirmed'::text or decided_by <> asked_by),
  constraint role_changes_asked_by_fkey foreign key (asked_by) references users(id),
  constraint role_changes_decided_by_fkey foreign key (decided_by) references users(id),
  constraint role_changes_invitation_id_fkey foreign key (invitation_id) references staff_invitations(id),
  constraint role_changes_user_id_fkey foreign key (user_id) references users(id)
);
create unique index role_changes_invitation on role_changes using btree (invitation_id)
  where (decision is null);
create unique index role_changes_off on role_changes using btree (kind)
  where ((decision is null) and (kind = 'confirmationOff'::text));
create unique index role_changes_user on role_changes using btree (user_id) where (decision is null);

create table saved_filters (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  list text not null,
  name text not null,
  choice jsonb not null,
  is_default boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint saved_filters_pkey primary key (id),
  constraint saved_filters_list_check check (list = any (array['new'::text, 'processing'::text, 'all'::text])),
  constraint saved_filters_user_id_fkey foreign key (user_id) references users(id)
);
create unique index saved_filters_default on saved_filters using btree (user_id, list)
  where is_default;
create unique index saved_filters_name on saved_filters using btree (user_id, list, lower(name));

create table seal_certificates (
  fingerprint text not null,
  certificate text not null,
  first_used_at timestamp with time zone not null default now(),
  constraint seal_certificates_pkey primary key (fingerprint)
);
create trigger seal_certificates_append_only before delete or update on seal_certificates
  for each row
  execute function refuse_change();
create trigger seal_certificates_never_emptied before truncate on seal_certificates
  for each statement
  execute function refuse_change();

create table search_openings (
  day date not null,
  language text not null,
  text text not null,
  service_id integer not null,
  openings integer not null,
  constraint search_openings_pkey primary key (day, language, text, service_id),
  constraint search_openings_service_id_fkey foreign key (service_id) references services(id)
);

create table search_questions (
  id integer not null generated always as identity,
  language text not null,
  text text not null,
  service_id integer not null,
  constraint search_questions_pkey primary key (id),
  constraint search_questions_language_text_service_id_key unique (language, text, service_id),
  constraint search_questions_service_id_fkey foreign key (service_id) references services(id)
);

create table search_synonyms (
  id integer not null generated always as identity,
  words text[] not null,
  agency_id integer,
  constraint search_synonyms_pkey primary key (id),
  constraint search_synonyms_words_check check (cardinality(words) >= 2),
  constraint search_synonyms_agency_id_fkey foreign key (agency_id) references agencies(id)
);
create trigger search_synonyms_changed after insert or delete or update or truncate on search_synonyms
  for each statement
  execute function count_catalogue_change();

create table search_terms (
  day date not null,
  language text not null,
  text text not null,
  searches integer not null default 0,
  results integer not null,
  constraint search_terms_pkey primary key (day, language, text)
);

create table second_factors (
  user_id uuid not null,
  secret text,
  last_step bigint not null default 0,
  confirmed_at timestamp with time zone,
  pending_secret text,
  pending_session uuid,
  pending_since timestamp with time zone,
  constraint second_factors_pkey primary key (user_id),
  constraint second_factors_check check ((secret is null) = (confirmed_at is null)),
  constraint second_factors_check1 check ((pending_secret is null) = (pending_session is null) and (pending_secret is null) = (pending_since is null)),
  constraint second_factors_user_id_fkey foreign key (user_id) references users(id)
);

create table secret_successors (
  name text not null,
  value text not null,
  activates_at timestamp with time zone not null,
  constraint secret_successors_pkey primary key (name, activates_at),
  constraint secret_successors_name_fkey foreign key (name) references secrets(name)
);

create table secrets (
  name text not null,
  value text not null,
  constraint secrets_pkey primary key (name)
);

create table sellers (
  id integer not null generated always as identity,
  agency_id integer,
  is_own_seller boolean not null,
  legal_name jsonb not null,
  street text not null,
  city text not null,
  emirate text not null,
  trn text not null,
  registration_kind text not null,
  registration_number text not null,
  registration_authority text not null,
  version integer not null default 1,
  constraint sellers_pkey primary key (id),
  constraint sellers_agency unique nulls not distinct (agency_id),
  constraint sellers_check check (not is_own_seller or agency_id is not null),
  constraint sellers_registration_kind_check check (registration_kind = any (array[''::text, 'tradeLicence'::text, 'cabinetDecision'::text])),
  constraint sellers_trn_check check (trn ~ '^(1[0-9]{12}03)?$'::text),
  constraint sellers_agency_id_fkey foreign key (agency_id) references agencies(id)
);

create table service_account_types (
  service_id integer not null,
  account_type_id integer not null,
  constraint service_account_types_pkey primary key (service_id, account_type_id),
  constraint service_account_types_account_type_id_fkey foreign key (account_type_id) references account_types(id),
  constraint service_account_types_service_id_fkey foreign key (service_id) references services(id)
);
create trigger service_account_types_changed after insert or delete or update or truncate on service_account_types
  for each statement
  execute function count_catalogue_change();

create table service_closures (
  service_id integer not null,
  reason jsonb not null,
  closed_from timestamp with time zone not null,
  closed_until timestamp with time zone,
  opened_at timestamp with time zone,
  version integer not null default 1,
  constraint service_closures_pkey primary key (service_id),
  constraint service_closures_check check (closed_until > closed_from),
  constraint service_closures_service_id_fkey foreign key (service_id) references services(id)
);
create trigger service_closures_changed after insert or delete or update or truncate on service_closures
  for each statement
  execute function count_catalogue_change();

create table service_drafts (
  service_id integer not null,
  document jsonb not null,
  base jsonb,
  version integer not null default 1,
  saved_by uuid,
  saved_at timestamp with time zone not null default now(),
  publish_at timestamp with time zone,
  publish_by uuid,
  publish_problem text,
  publish_confirmed_by uuid,
  publish_asked_at timestamp with time zone,
  publish_confirmed_at timestamp with time zone,
  constraint service_drafts_pkey primary key (service_id),
  constraint service_drafts_version_check check (version > 0),
  constraint service_drafts_publish_by_fkey foreign key (publish_by) references users(id),
  constraint service_drafts_publish_confirmed_by_fkey foreign key (publish_confirmed_by) references users(id),
  constraint service_drafts_saved_by_fkey foreign key (saved_by) references users(id)
);
create index service_drafts_due on service_drafts using btree (publish_at)
  where (publish_at is not null);

create table service_versions (
  service_id integer not null,
  number integer not null,
  document jsonb not null,
  origin text not null,
  restored_from integer,
  published_by uuid,
  published_at timestamp with time zone not null default now(),
  confirmed_by uuid,
  asked_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  constraint service_versions_pkey primary key (service_id, number),
  constraint service_versions_number_check check (number > 0),
  constraint service_versions_origin_check check (origin = any (array['designer'::text, 'outside'::text, 'restored'::text])),
  constraint service_versions_confirmed_by_fkey foreign key (confirmed_by) references users(id),
  constraint service_versions_published_by_fkey foreign key (published_by) references users(id),
  constraint service_versions_service_id_fkey foreign key (service_id) references services(id)
);
create trigger service_versions_append_only before delete or update on service_versions
  for each row
  execute function refuse_change();

create table services (
  id integer not null generated by default as identity,
  replaced_name text not null,
  name jsonb not null,
  description jsonb not null,
  agency_id integer not null,
  category_id integer not null,
  partner_id integer,
  form jsonb not null,
  attachments jsonb not null,
  fees jsonb not null,
  working_days integer not null,
  terms jsonb not null,
  steps jsonb not null,
  result jsonb not null,
  popular_rank integer,
  ours_in text[] not null default '{}'::text[],
  deleted_at timestamp with time zone,
  eligibility jsonb not null default '[]'::jsonb,
  issues_document boolean not null default false,
  available_from date,
  available_until date,
  withdrawal jsonb not null default '{"afterWork": "part", "beforeWork": "full"}'::jsonb,
  objection_days integer not null default 30,
  constraint services_pkey primary key (id),
  constraint services_replaced_name_key unique (replaced_name),
  constraint services_eligibility_check check (jsonb_typeof(eligibility) = 'array'::text),
  constraint services_objection_days_check check (objection_days >= 0 and objection_days <= 365),
  constraint services_working_days_check check (working_days >= 0),
  constraint services_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint services_category_id_fkey foreign key (category_id) references categories(id),
  constraint services_partner_id_fkey foreign key (partner_id) references partners(id)
);
create index services_category on services using btree (category_id, agency_id);
create index services_partner on services using btree (partner_id);
create trigger services_agency_moved after update of agency_id on services
  for each row
  when (new.agency_id is distinct from old.agency_id)
  execute function note_agency_move();
create trigger services_changed after insert or delete or update or truncate on services
  for each statement
  execute function count_catalogue_change();
create trigger services_team_work after insert or update of agency_id, category_id on services
  for each row
  execute function note_team_work();

create table sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_id uuid not null,
  previous_token_id uuid,
  rotated_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  is_uae_pass boolean not null default false,
  user_agent text not null default ''::text,
  actor_id uuid,
  actor_session_id uuid,
  acts_until timestamp with time zone,
  used_at timestamp with time zone not null default now(),
  constraint sessions_pkey primary key (id),
  constraint sessions_actor_is_another check (actor_id is distinct from user_id),
  constraint sessions_actor_whole check (num_nulls(actor_id, actor_session_id, acts_until) = any (array[0, 3])),
  constraint sessions_actor_id_fkey foreign key (actor_id) references users(id),
  constraint sessions_actor_session_id_fkey foreign key (actor_session_id) references sessions(id),
  constraint sessions_user_id_fkey foreign key (user_id) references users(id)
);
create index sessions_actor on sessions using btree (actor_session_id)
  where (actor_session_id is not null);
create index sessions_user on sessions using btree (user_id, created_at);

create table settings (
  name text not null,
  value jsonb not null,
  changed_at timestamp with time zone not null default now(),
  constraint settings_pkey primary key (name)
);

create table settlement_differences (
  id integer not null generated always as identity,
  kind text not null,
  provider text not null,
  day date not null,
  file_id integer not null,
  line_id bigint,
  entry_id bigint,
  expected bigint,
  actual bigint,
  currency text not null,
  state text not null default 'open'::text,
  decision text,
  note text not null default ''::text,
  proposed_by uuid,
  decided_by uuid,
  created_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  version integer not null default 1,
  withdrawn_at timestamp with time zone,
  constraint settlement_differences_pkey primary key (id),
  constraint settlement_differences_kind_line_id_entry_id_key unique (kind, line_id, entry_id),
  constraint settlement_differences_check check ((state = 'resolved'::text) = (decided_at is not null)),
  constraint settlement_differences_check1 check (decided_by is null or decided_by is distinct from proposed_by),
  constraint settlement_differences_state_check check (state = any (array['open'::text, 'waiting'::text, 'resolved'::text])),
  constraint settlement_differences_decided_by_fkey foreign key (decided_by) references users(id),
  constraint settlement_differences_entry_id_fkey foreign key (entry_id) references ledger_entries(id),
  constraint settlement_differences_file_id_fkey foreign key (file_id) references settlement_files(id),
  constraint settlement_differences_line_id_fkey foreign key (line_id) references settlement_lines(id),
  constraint settlement_differences_proposed_by_fkey foreign key (proposed_by) references users(id),
  constraint settlement_differences_provider_fkey foreign key (provider) references payment_providers(name)
);
create index settlement_differences_day on settlement_differences using btree (day, id);
create index settlement_differences_entry on settlement_differences using btree (entry_id);
create index settlement_differences_file on settlement_differences using btree (file_id);
create unique index settlement_differences_missing on settlement_differences using btree (entry_id)
  where ((kind = 'missingThere'::text) and (withdrawn_at is null));
create index settlement_differences_open on settlement_differences using btree (day)
  where (state <> 'resolved'::text);
create trigger settlement_differences_never_deleted before delete on settlement_differences
  for each row
  execute function refuse_deleted_difference();

create table settlement_files (
  id integer not null generated always as identity,
  provider text not null,
  day date not null,
  digest text not null,
  lines integer not null,
  imported_at timestamp with time zone not null default now(),
  imported_by uuid,
  withdrawn_at timestamp with time zone,
  constraint settlement_files_pkey primary key (id),
  constraint settlement_files_imported_by_fkey foreign key (imported_by) references users(id),
  constraint settlement_files_provider_fkey foreign key (provider) references payment_providers(name)
);
create index settlement_files_day on settlement_files using btree (day, provider);
create unique index settlement_files_digest on settlement_files using btree (provider, digest)
  where (withdrawn_at is null);
create index settlement_files_newest on settlement_files using btree (imported_at desc, id desc);
create trigger settlement_files_never_emptied before truncate on settlement_files
  for each statement
  execute function guard_settlement();
create trigger settlement_files_withdrawn before delete or update on settlement_files
  for each row
  execute function guard_settlement();

create table settlement_lines (
  id bigint not null generated always as identity,
  file_id integer not null,
  "row" integer not null,
  line_id text not null,
  kind text not null,
  merchant_reference text not null,
  refund_id text not null,
  amount bigint not null,
  charge bigint not null,
  currency text not null,
  occurred_at timestamp with time zone not null,
  payment_id bigint,
  entry_id bigint,
  withdrawn_at timestamp with time zone,
  constraint settlement_lines_pkey primary key (id),
  constraint settlement_lines_file_id_row_key unique (file_id, "row"),
  constraint settlement_lines_amount_check check (amount >= 0),
  constraint settlement_lines_charge_check check (charge >= 0),
  constraint settlement_lines_kind_check check (kind = any (array['payment'::text, 'refund'::text])),
  constraint settlement_lines_entry_id_fkey foreign key (entry_id) references ledger_entries(id),
  constraint settlement_lines_file_id_fkey foreign key (file_id) references settlement_files(id),
  constraint settlement_lines_payment_id_fkey foreign key (payment_id) references payments(id)
);
create unique index settlement_lines_entry on settlement_lines using btree (entry_id)
  where (withdrawn_at is null);
create index settlement_lines_name on settlement_lines using btree (line_id);
create index settlement_lines_newest on settlement_lines using btree (occurred_at desc, id desc);
create index settlement_lines_number on settlement_lines
  using gin (plain_number(merchant_reference) gin_trgm_ops)
  where (payment_id is null);
create index settlement_lines_payment on settlement_lines using btree (payment_id);
create index settlement_lines_reference on settlement_lines using btree (merchant_reference);
create trigger settlement_lines_never_emptied before truncate on settlement_lines
  for each statement
  execute function guard_settlement();
create trigger settlement_lines_withdrawn before delete or update on settlement_lines
  for each row
  execute function guard_settlement();

create table settlement_withdrawals (
  id integer not null generated always as identity,
  file_id integer not null,
  reason text not null,
  state text not null,
  asked_by uuid not null,
  asked_at timestamp with time zone not null default now(),
  decided_by uuid,
  decided_at timestamp with time zone,
  constraint settlement_withdrawals_pkey primary key (id),
  constraint settlement_withdrawals_check check (state = 'refused'::text or decided_by is null or decided_by <> asked_by),
  constraint settlement_withdrawals_state_check check (state = any (array['waiting'::text, 'done'::text, 'refused'::text])),
  constraint settlement_withdrawals_asked_by_fkey foreign key (asked_by) references users(id),
  constraint settlement_withdrawals_decided_by_fkey foreign key (decided_by) references users(id),
  constraint settlement_withdrawals_file_id_fkey foreign key (file_id) references settlement_files(id)
);
create index settlement_withdrawals_file on settlement_withdrawals using btree (file_id, id);
create unique index settlement_withdrawals_one on settlement_withdrawals using btree (file_id)
  where (state <> 'refused'::text);

create table sign_in_tries (
  key text not null,
  tries integer not null,
  wait_until timestamp with time zone not null,
  last_at timestamp with time zone not null default now(),
  constraint sign_in_tries_pkey primary key (key)
);
create index sign_in_tries_last on sign_in_tries using btree (last_at);

create table signing_keys (
  id text not null,
  private_jwk jsonb not null,
  created_at timestamp with time zone not null default now(),
  activates_at timestamp with time zone not null default now(),
  constraint signing_keys_pkey primary key (id)
);

create table skipped_numbers (
  series text not null,
  first bigint not null,
  last bigint not null,
  restore_id integer not null,
  constraint skipped_numbers_pkey primary key (series, first),
  constraint skipped_numbers_check check (last >= first),
  constraint skipped_numbers_restore_id_fkey foreign key (restore_id) references restores(id),
  constraint skipped_numbers_series_fkey foreign key (series) references invoice_counters(series)
);
create trigger skipped_numbers_append_only before delete or update on skipped_numbers
  for each row
  execute function refuse_change();
create trigger skipped_numbers_never_emptied before truncate on skipped_numbers
  for each statement
  execute function refuse_change();

create table snippets (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  partner_id integer,
  is_shared boolean not null default false,
  name text not null,
  texts jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  constraint snippets_pkey primary key (id),
  constraint snippets_partner_id_fkey foreign key (partner_id) references partners(id),
  constraint snippets_user_id_fkey foreign key (user_id) references users(id)
);
create unique index snippets_name on snippets using btree (user_id, lower(name));
create index snippets_shared on snippets using btree (partner_id) where is_shared;

create table staff_agencies (
  user_id uuid not null,
  agency_id integer not null,
  teams_only boolean not null default false,
  constraint staff_agencies_pkey primary key (user_id, agency_id),
  constraint staff_agencies_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint staff_agencies_user_id_fkey foreign key (user_id) references users(id)
);
create index staff_agencies_agency on staff_agencies using btree (agency_id);

create table staff_digests (
  user_id uuid not null,
  day date not null,
  constraint staff_digests_pkey primary key (user_id, day),
  constraint staff_digests_user_id_fkey foreign key (user_id) references users(id)
);
create index staff_digests_day on staff_digests using btree (day);

create table staff_invitations (
  id uuid not null default gen_random_uuid(),
  email text not null,
  full_name text not null,
  roles text[] not null,
  partner_id integer,
  language text not null,
  token_hash text,
  invited_by uuid not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  sent_at timestamp with time zone,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  cancelled_at timestamp with time zone,
  all_agencies boolean not null default false,
  agency_ids integer[] not null default '{}'::integer[],
  constraint staff_invitations_pkey primary key (id),
  constraint staff_invitations_token_hash_key unique (token_hash),
  constraint staff_invitations_agency_administrator check (not (all_agencies and ('AgencyAdmin'::text = any (roles)))),
  constraint staff_invitations_email_check check (email = lower(email)),
  constraint staff_invitations_roles_check check (cardinality(roles) > 0),
  constraint staff_invitations_accepted_by_fkey foreign key (accepted_by) references users(id),
  constraint staff_invitations_invited_by_fkey foreign key (invited_by) references users(id),
  constraint staff_invitations_partner_id_fkey foreign key (partner_id) references partners(id)
);
create unique index staff_invitations_open on staff_invitations using btree (email)
  where ((accepted_at is null) and (cancelled_at is null));

create table team_categories (
  team_id integer not null,
  category_id integer not null,
  constraint team_categories_pkey primary key (team_id, category_id),
  constraint team_categories_category_id_fkey foreign key (category_id) references categories(id),
  constraint team_categories_team_id_fkey foreign key (team_id) references teams(id) on delete cascade
);
create index team_categories_category on team_categories using btree (category_id);

create table team_members (
  team_id integer not null,
  agency_id integer not null,
  user_id uuid not null,
  constraint team_members_pkey primary key (team_id, user_id),
  constraint team_members_team foreign key (team_id, agency_id) references teams(id, agency_id) on delete cascade,
  constraint team_members_user foreign key (user_id, agency_id) references staff_agencies(user_id, agency_id) on delete cascade
);
create index team_members_agency on team_members using btree (user_id, agency_id);

create table team_services (
  team_id integer not null,
  service_id integer not null,
  constraint team_services_pkey primary key (team_id, service_id),
  constraint team_services_service_id_fkey foreign key (service_id) references services(id),
  constraint team_services_team_id_fkey foreign key (team_id) references teams(id) on delete cascade
);
create index team_services_service on team_services using btree (service_id);

create view team_work as
 select teams.id as team_id,
    teams.agency_id,
    services.id as service_id
   from teams
     join team_services on team_services.team_id = teams.id
     join services on services.id = team_services.service_id and services.agency_id = teams.agency_id
union
 select teams.id as team_id,
    teams.agency_id,
    services.id as service_id
   from teams
     join team_categories on team_categories.team_id = teams.id
     join services on services.category_id = team_categories.category_id and services.agency_id = teams.agency_id;

create table teams (
  id integer not null generated always as identity,
  agency_id integer not null,
  name text not null,
  version integer not null default 1,
  constraint teams_pkey primary key (id),
  constraint teams_id_agency unique (id, agency_id),
  constraint teams_agency_id_fkey foreign key (agency_id) references agencies(id)
);
create unique index teams_name on teams using btree (agency_id, lower(name));

create table text_overrides (
  noun text not null,
  key text not null,
  texts jsonb not null,
  version integer not null default 1,
  changed_at timestamp with time zone not null default now(),
  constraint text_overrides_pkey primary key (noun, key)
);
create trigger text_overrides_announced after insert or delete or update or truncate on text_overrides
  for each statement
  execute function announce_change('diwan_texts');

create table urgent_openings (
  id bigint not null generated always as identity,
  request_id bigint not null,
  agency_id integer not null,
  reader_id uuid not null,
  session_id uuid not null,
  reason text not null,
  reason_text text not null,
  opened_at timestamp with time zone not null default now(),
  until timestamp with time zone not null,
  constraint urgent_openings_pkey primary key (id),
  constraint urgent_openings_check check (until > opened_at),
  constraint urgent_openings_reason_check check (reason = any (array['danger'::text, 'deadline'::text, 'authority'::text, 'other'::text])),
  constraint urgent_openings_reason_text_check check (length(reason_text) >= 20 and length(reason_text) <= 300),
  constraint urgent_openings_agency_id_fkey foreign key (agency_id) references agencies(id),
  constraint urgent_openings_reader_id_fkey foreign key (reader_id) references users(id),
  constraint urgent_openings_request_id_fkey foreign key (request_id) references requests(id),
  constraint urgent_openings_session_id_fkey foreign key (session_id) references sessions(id)
);
create index urgent_openings_opened on urgent_openings using btree (opened_at desc, id desc);
create index urgent_openings_request on urgent_openings using btree (request_id, session_id, until);
create trigger urgent_openings_append_only before delete or update on urgent_openings
  for each row
  execute function refuse_change();
create trigger urgent_openings_never_emptied before truncate on urgent_openings
  for each statement
  execute function refuse_change();

create table urgent_reviews (
  opening_id bigint not null,
  finding text not null,
  finding_text text not null,
  reviewed_by uuid not null,
  reviewed_at timestamp with time zone not null default now(),
  constraint urgent_reviews_pkey primary key (opening_id),
  constraint urgent_reviews_finding_check check (finding = any (array['justified'::text, 'notJustified'::text])),
  constraint urgent_reviews_finding_text_check check (length(finding_text) >= 10 and length(finding_text) <= 1000),
  constraint urgent_reviews_opening_id_fkey foreign key (opening_id) references urgent_openings(id),
  constraint urgent_reviews_reviewed_by_fkey foreign key (reviewed_by) references users(id)
);
create trigger urgent_reviews_append_only before delete or update on urgent_reviews
  for each row
  execute function refuse_change();
create trigger urgent_reviews_never_emptied before truncate on urgent_reviews
  for each statement
  execute function refuse_change();

create table users (
  id uuid not null default gen_random_uuid(),
  username text not null,
  password_hash text,
  full_name text not null,
  phone_number text not null,
  email text not null,
  roles text[] not null default '{}'::text[],
  company_id integer,
  partner_id integer,
  created_at timestamp with time zone not null default now(),
  emirates_id text,
  uaepass_id text,
  full_name_ar text,
  suspended_at timestamp with time zone,
  language text,
  email_verified_at timestamp with time zone,
  phone_verified_at timestamp with time zone,
  typed_emirates_id text,
  is_company_manager boolean not null default false,
  communication_type_id integer,
  nationality text,
  linked_by_password boolean not null default false,
  version integer not null default 1,
  suspension_reason text,
  last_sign_in_at timestamp with time zone,
  admin_by uuid,
  admin_since timestamp with time zone,
  search_text text not null generated always as (((fold_text(((((((username || ' '::text) || email) || ' '::text) || phone_number) || ' '::text) || regexp_replace(phone_number, '^\+971'::text, '0'::text))) || ' '::text) || translate(fold_text(full_name), ' .,-_/()·‐–—'::text, ''::text))) stored,
  full_name_en text,
  all_agencies boolean not null default false,
  reads_urgently boolean not null default false,
  constraint users_pkey primary key (id),
  constraint users_emirates_id_key unique (emirates_id),
  constraint users_uaepass_id_key unique (uaepass_id),
  constraint users_username_key unique (username),
  constraint users_agency_administrator check (not (all_agencies and ('AgencyAdmin'::text = any (roles)))),
  constraint users_all_agencies check (all_agencies or not roles && array['Admin'::text, 'Finance'::text, 'Content'::text, 'Auditor'::text]),
  constraint users_check check (not is_company_manager or company_id is not null),
  constraint users_language_check check (language = any (array['ar-EG'::text, 'en-US'::text, 'ur-PK'::text])),
  constraint users_nationality_check check (nationality ~ '^[A-Z]{2}$'::text),
  constraint users_reads_urgently check (not reads_urgently or ('Employee'::text = any (roles))),
  constraint users_username_check check (username = lower(username)),
  constraint users_admin_by_fkey foreign key (admin_by) references users(id),
  constraint users_communication_type_id_fkey foreign key (communication_type_id) references communication_types(id),
  constraint users_company_id_fkey foreign key (company_id) references companies(id),
  constraint users_partner_id_fkey foreign key (partner_id) references partners(id)
);
create index users_admins on users using btree (id) where ('Admin'::text = any (roles));
create index users_all_agencies on users using btree (id) where all_agencies;
create index users_by_name on users using btree (full_name, id);
create index users_company on users using btree (company_id) where (company_id is not null);
create index users_email on users using btree (lower(email)) where (email_verified_at is not null);
create index users_last_sign_in on users using btree (last_sign_in_at desc nulls last, id desc);
create index users_newest on users using btree (created_at desc, id desc);
create index users_partner on users using btree (partner_id) where (partner_id is not null);
create index users_phone on users using btree (phone_number) where (phone_verified_at is not null);
create index users_roles on users using gin (roles) where (cardinality(roles) > 0);
create index users_search on users using gin (search_text gin_trgm_ops);
create index users_search_key on users using gin (search_key(search_text) gin_trgm_ops);
create index users_suspended on users using btree (created_at desc, id desc)
  where (suspended_at is not null);
create index users_typed_emirates_id on users using btree (typed_emirates_id)
  where (typed_emirates_id is not null);
create trigger users_audited after update on users for each row execute function audit_user_change();
create trigger users_version before update on users
  for each row
  execute function count_user_version();

create table verification_codes (
  address text not null,
  code_hash text not null,
  attempts integer not null default 0,
  expires_at timestamp with time zone not null,
  sent integer not null default 1,
  first_sent_at timestamp with time zone not null default now(),
  purpose text not null,
  constraint verification_codes_pkey primary key (purpose, address)
);

create table waiting_publications (
  id integer not null generated always as identity,
  service_id integer not null,
  draft_version integer,
  restored_from integer,
  publish_at timestamp with time zone,
  asked_by uuid not null,
  asked_at timestamp with time zone not null default now(),
  constraint waiting_publications_pkey primary key (id),
  constraint waiting_publications_service_id_key unique (service_id),
  constraint waiting_publications_check check ((draft_version is null) <> (restored_from is null)),
  constraint waiting_publications_asked_by_fkey foreign key (asked_by) references users(id)
);

create table workflow_choices (
  id bigint not null generated always as identity,
  service_id integer,
  workflow_id integer,
  chosen_by uuid,
  at timestamp with time zone not null default now(),
  constraint workflow_choices_pkey primary key (id),
  constraint workflow_choices_chosen_by_fkey foreign key (chosen_by) references users(id),
  constraint workflow_choices_service_id_fkey foreign key (service_id) references services(id),
  constraint workflow_choices_workflow_id_fkey foreign key (workflow_id) references workflows(id)
);
create index workflow_choices_service on workflow_choices using btree (service_id, id desc);
create trigger workflow_choices_announced after insert on workflow_choices
  for each statement
  execute function announce_change('diwan_workflows');
create trigger workflow_choices_append_only before delete or update on workflow_choices
  for each row
  execute function refuse_change();
create trigger workflow_choices_never_emptied before truncate on workflow_choices
  for each statement
  execute function refuse_change();

create table workflow_drafts (
  id integer not null generated always as identity,
  service_id integer,
  document jsonb not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  updated_by uuid,
  constraint workflow_drafts_pkey primary key (id),
  constraint workflow_drafts_service_id_key unique nulls not distinct (service_id),
  constraint workflow_drafts_service_id_fkey foreign key (service_id) references services(id) on delete cascade,
  constraint workflow_drafts_updated_by_fkey foreign key (updated_by) references users(id) on delete set null
);

create table workflow_ends (
  workflow_id integer not null,
  status_id integer not null,
  tone text not null,
  constraint workflow_ends_pkey primary key (status_id, workflow_id),
  constraint workflow_ends_tone_check check (tone = any (array['done'::text, 'refused'::text, 'withdrawn'::text])),
  constraint workflow_ends_workflow_id_fkey foreign key (workflow_id) references workflows(id)
);

create table workflows (
  id integer not null generated always as identity,
  document jsonb not null,
  hash text not null,
  created_at timestamp with time zone not null default now(),
  constraint workflows_pkey primary key (id),
  constraint workflows_hash_key unique (hash)
);
create trigger workflows_announced after insert on workflows
  for each statement
  execute function announce_change('diwan_workflows');

create table sandbox.message_faults (
  recipient text not null,
  kind text not null,
  constraint message_faults_pkey primary key (recipient),
  constraint message_faults_kind_check check (kind = any (array['refuse'::text, 'fail'::text, 'slow'::text]))
);

create table sandbox.messages (
  id bigint not null generated always as identity,
  channel text not null,
  recipient text not null,
  subject text not null default ''::text,
  body text not null,
  received_at timestamp with time zone not null default now(),
  language text not null default ''::text,
  key text,
  constraint messages_pkey primary key (id),
  constraint messages_key_key unique (key)
);

create table sandbox.settled_fines (
  key text not null,
  register text not null,
  number text not null,
  settled_at timestamp with time zone not null default now(),
  constraint settled_fines_pkey primary key (key),
  constraint settled_fines_register_number_key unique (register, number)
);
