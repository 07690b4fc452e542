-- Calendars of working days: the portal's, from which agencies inherit, and what agencies declare themselves.
create table calendars (
  -- Null is the portal's.
  agency_id integer references agencies,
  document jsonb not null,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  unique nulls not distinct (agency_id)
);

-- Each version of a calendar as days are counted by it, the portal's days among an agency's. It is never changed: requests refer to the
-- version that they were sent under.
create table calendar_versions (
  id integer primary key generated always as identity,
  agency_id integer references agencies,
  document jsonb not null,
  created_at timestamptz not null default now(),
  superseded_at timestamptz
);
create unique index calendar_versions_current on calendar_versions (agency_id) nulls not distinct where superseded_at is null;
create trigger calendar_versions_announced after insert on calendar_versions for each statement execute function announce_change('diwan_calendars');

-- Days were counted from Monday to Friday without public holidays. Version 1 counts so too; its hours are those of federal agencies.
insert into calendars (document)
values ('{"week": ["off", "full", "full", "full", "full", "half", "off"], "hours": {"full": {"from": "07:30", "until": "15:30"}, "half": {"from": "07:30", "until": "12:00"}}, "days": [], "periods": []}');
insert into calendar_versions (document)
select document
from calendars;

alter table requests add column calendar_id integer not null default 1 references calendar_versions;
alter table requests alter column calendar_id drop default;

-- Finds the open requests whose calendar has changed.
create index requests_calendar on requests (calendar_id) where due_on is not null;

-- The figures count the working days of a request by its calendar.
drop trigger requests_figures on requests;
create trigger requests_figures after update of partner_id, came_to_provider, calendar_id on requests
  for each row
  when (new.partner_id is distinct from old.partner_id or new.came_to_provider is distinct from old.came_to_provider or new.calendar_id is distinct from old.calendar_id)
  execute function announce_figures();
