-- Lists over a million requests: every question is a walk along an index that holds its answer in order. Decision 0026.

-- Whether a request has come to its service provider, who sees it from then on: it was in a status that a provider takes requests out of.
alter table requests add column came_to_provider boolean not null default false;
update requests set came_to_provider = true where exists (
  select from request_history history join workflows on workflows.id = requests.workflow_id
    cross join lateral jsonb_array_elements(workflows.document -> 'transitions') as cell
  where history.request_id = requests.id and (cell ->> 'from')::int = history.to_status_id and cell -> 'who' ? 'ServiceProvider');

-- In fils: what of the fees that were paid is given back because the request was refused, and what has been.
alter table requests add column refundable bigint not null default 0 check (refundable >= 0), add column refunded bigint not null default 0 check (refunded >= 0 and refunded <= refundable);

-- What staff wrote down of money that was given back. Never changed or deleted.
create table request_refunds (
  id bigint generated always as identity primary key,
  request_id bigint not null references requests,
  amount bigint not null check (amount > 0),
  reference text not null,
  recorded_by uuid not null references users,
  recorder_name text not null,
  at timestamptz not null default now(),
  unique (request_id, reference)
);
create trigger request_refunds_append_only before update or delete on request_refunds for each row execute function refuse_change();
create trigger request_refunds_never_emptied before truncate on request_refunds for each statement execute function refuse_change();

-- A request is searched by its number, its person and its phone; the names of services and agencies are looked up in the catalogue, which has a
-- thousand of them and not a million. The same letters count as one as in normalizeText; later writes come from there.
alter table requests alter column search_text set storage main;
update requests set search_text = trim(regexp_replace(fold_text(number || ' ' || replace(number, '-', '') || ' ' || applicant_name || ' ' || phone_number || ' ' || regexp_replace(phone_number, '^\+971', '0')), '[[:punct:][:space:]]+', ' ', 'g'));

-- Form, rules, answers and quote are kept beside the row: lists read many rows and none of these. What is searched stays in it.
alter table requests set (toast_tuple_target = 256);

drop index requests_partner;
create index requests_partner on requests (partner_id, created_at desc, id desc) where came_to_provider;
create index requests_partner_status on requests (partner_id, status_id, created_at desc, id desc) where came_to_provider;
create index requests_company_status on requests (company_id, status_id, created_at desc, id desc) where company_id is not null;
create index requests_user_own on requests (user_id, created_at desc, id desc) where company_id is null;
create index requests_service on requests (service_id, created_at desc, id desc);
create index requests_refundable on requests (created_at desc, id desc) where refundable > 0;
create index payments_paid on payments (request_id) include (amount) where status = 'paid';

-- Documents that an applicant has put beside a request that was returned, before sending it again.
alter table requests add column kept_attachments uuid[];
create index requests_kept_attachments on requests using gin (kept_attachments) where kept_attachments is not null;

-- Codes by which somebody was sent to the portal. Which there are is not shown, so they are data. Source: specification §7 ReferralCode.
create table referral_codes (
  code text primary key check (code = upper(code) and code ~ '^[A-Z0-9][A-Z0-9-]{2,39}$'),
  name jsonb not null,
  valid_from timestamptz not null default now(),
  valid_until timestamptz,
  most_uses integer check (most_uses > 0),
  created_at timestamptz not null default now(),
  check (valid_until is null or valid_until > valid_from)
);
alter table requests add column referral_code text references referral_codes;
create index requests_referral on requests (referral_code) where referral_code is not null;

-- Documents that staff or the service provider keep with a request at any step. A title makes one of them; hidden ones are not the applicant's to see.
alter table attachments
  add column provider_title text,
  add column is_hidden boolean not null default false,
  add constraint attachments_hidden check (not is_hidden or provider_title is not null);
