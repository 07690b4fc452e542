-- Teams within an agency: their members, and the services that they work on. Decision 0153.
create table teams (
  id integer primary key generated always as identity,
  agency_id integer not null references agencies,
  name text not null,
  version integer not null default 1,
  constraint teams_id_agency unique (id, agency_id)
);
create unique index teams_name on teams (agency_id, lower(name));

-- Of an agency, an employee sees the work of their teams only, or all of it. Nobody has a team yet.
alter table staff_agencies add column teams_only boolean not null default false;

-- Who loses an agency leaves its teams.
create table team_members (
  team_id integer not null,
  agency_id integer not null,
  user_id uuid not null,
  primary key (team_id, user_id),
  constraint team_members_team foreign key (team_id, agency_id)
    references teams (id, agency_id) on delete cascade,
  constraint team_members_user foreign key (user_id, agency_id)
    references staff_agencies (user_id, agency_id) on delete cascade
);
create index team_members_agency on team_members (user_id, agency_id);

create table team_services (
  team_id integer not null references teams on delete cascade,
  service_id integer not null references services,
  primary key (team_id, service_id)
);
create index team_services_service on team_services (service_id);

create table team_categories (
  team_id integer not null references teams on delete cascade,
  category_id integer not null references categories,
  primary key (team_id, category_id)
);
create index team_categories_category on team_categories (category_id);

-- The services of the agency of a team that it works on: single ones, and those of whole categories.
create view team_work as
select teams.id as team_id, teams.agency_id, services.id as service_id
from teams
join team_services on team_services.team_id = teams.id
join services on services.id = team_services.service_id and services.agency_id = teams.agency_id
union
select teams.id, teams.agency_id, services.id
from teams
join team_categories on team_categories.team_id = teams.id
join services
  on services.category_id = team_categories.category_id
  and services.agency_id = teams.agency_id;
create index services_category on services (category_id, agency_id);

create function note_team_work() returns trigger
language plpgsql as $$
begin
  return null;
end $$;

create trigger services_team_work after insert or update of agency_id, category_id on services
  for each row
  execute function note_team_work();
