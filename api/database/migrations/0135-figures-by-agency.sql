-- Figures are grouped by the agency of each request, which stays when its service moves. Until now they
-- were grouped by that of the service: requests with another one are folded again. Decision 0148.
create function agency_of_service(service integer) returns integer language sql stable strict as $$
  select agency_id from services where id = service
$$;
alter table request_facts add column agency_id integer;
alter table request_facts alter column agency_id type integer using agency_of_service(service_id);
alter table request_facts alter column agency_id set not null;
alter table request_facts add foreign key (agency_id) references agencies;
drop function agency_of_service;

alter table request_figures add column agency_id integer;
update request_figures
set agency_id = services.agency_id
from services
where services.id = request_figures.service_id;

insert into figure_changes (request_id)
select requests.id
from requests
join services on services.id = requests.service_id
where requests.agency_id <> services.agency_id;

drop trigger requests_figures on requests;
create trigger requests_figures
  after update of partner_id, came_to_provider, calendar_id, agency_id on requests
  for each row when (
    new.partner_id is distinct from old.partner_id
    or new.came_to_provider is distinct from old.came_to_provider
    or new.calendar_id is distinct from old.calendar_id
    or new.agency_id is distinct from old.agency_id
  )
  execute function announce_figures();
