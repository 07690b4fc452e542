-- What a deployment says about itself: its name, logo, support, links and banner. No row until an administrator saves the page; fields that
-- are missing are those of configuration.json and of the texts.
create table portal_details (
  is_only boolean primary key default true check (is_only),
  content jsonb not null,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  -- When an administrator hid the list of what is to be done on the first day.
  first_day_hidden_at timestamptz
);
create trigger portal_details_announced after insert or update or delete or truncate on portal_details for each statement execute function announce_change('diwan_portal');

-- Portals that were used before keep the name that they had. The letters of the Arabic and the Urdu name are written as numbers.
insert into portal_details (content, first_day_hidden_at)
select jsonb_build_object('name', jsonb_build_object('ar-EG', E'\u062F\u064A\u0648\u0627\u0646', 'en-US', 'Diwan', 'ur-PK', E'\u062F\u06CC\u0648\u0627\u0646')), now()
where exists (select from users);
