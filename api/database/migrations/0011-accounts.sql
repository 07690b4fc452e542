-- An address is proven by a code that was sent to it; only a proven one opens a forgotten account. Those that were there before were put in by whoever runs
-- the portal, or came from UAE PASS.
alter table users
  add column email_verified_at timestamptz,
  add column phone_verified_at timestamptz,
  -- What somebody typed, which proves nothing: see docs/decisions/0016. Not unique, so that nobody keeps another person's number from them.
  add column typed_emirates_id text;
update users set email_verified_at = created_at where email <> '';
update users set phone_verified_at = created_at where phone_number <> '';
create index users_email on users (lower(email)) where email_verified_at is not null;
create index users_phone on users (phone_number) where phone_verified_at is not null;
create index users_typed_emirates_id on users (typed_emirates_id) where typed_emirates_id is not null;

alter table companies add column licence_number text;
create unique index companies_licence on companies (licence_number);

-- One code for each purpose and address: a phone, a mail address, or an account.
alter table verification_codes rename column phone_number to address;
alter table verification_codes add column purpose text not null default 'inquiry';
alter table verification_codes alter column purpose drop default;
alter table verification_codes drop constraint verification_codes_pkey, add primary key (purpose, address);

-- How many codes a network asked for since the first of its day; as a hash.
create table code_askers (
  network_hash text primary key,
  asked integer not null default 1,
  first_at timestamptz not null default now()
);

-- An identity that waits for the password of the account it may belong to; bound to one browser as attempts are.
create table identity_links (
  browser_hash text primary key,
  identity jsonb not null,
  created_at timestamptz not null default now()
);

alter table sessions add column user_agent text not null default '';
alter table sandbox.messages add column language text not null default '';
