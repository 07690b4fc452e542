-- Who sells: the operator of the portal (without an agency), and each agency. An agency is the seller of its
-- own fees where `is_own_seller`. Empty texts are not given.
create table sellers (
  id integer primary key generated always as identity,
  agency_id integer references agencies (id),
  is_own_seller boolean not null,
  legal_name jsonb not null,
  street text not null,
  city text not null,
  emirate text not null,
  trn text not null check (trn ~ '^(1[0-9]{12}03)?$'),
  registration_kind text not null check (registration_kind in ('', 'tradeLicence', 'cabinetDecision')),
  registration_number text not null,
  registration_authority text not null,
  version integer not null default 1,
  constraint sellers_agency unique nulls not distinct (agency_id),
  check (not is_own_seller or agency_id is not null)
);

-- A payment for lines of two sellers has an invoice of each, in the series of each.
alter table invoices
  drop constraint invoices_payment_id_kind_key,
  drop constraint invoices_refund_id_key,
  add constraint invoices_payment_series unique (payment_id, series),
  add constraint invoices_refund_series unique (refund_id, series);

-- What an invoice for a company shows.
alter table companies
  add column street text not null default '',
  add column city text not null default '',
  add column emirate text not null default '',
  add column trn text not null default '' check (trn ~ '^(1[0-9]{12}03)?$'),
  add column licence_authority text not null default '',
  add column licence_expires_on date;
