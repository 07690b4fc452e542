-- Texts that staff write once and insert into messages to applicants; `texts` has the languages that were written.
-- Shared texts of a service provider belong to its `partner_id`, those of the portal's staff have none.
create table snippets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  partner_id int references partners,
  is_shared boolean not null default false,
  name text not null,
  texts jsonb not null,
  version int not null default 1,
  created_at timestamptz not null default now()
);
create unique index snippets_name on snippets (user_id, lower(name));
create index snippets_shared on snippets (partner_id) where is_shared;
