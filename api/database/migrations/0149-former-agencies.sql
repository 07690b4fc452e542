-- The agencies that a service belonged to before: requests that had ended when it moved stay with them.
create table former_agencies (
  service_id integer not null references services,
  agency_id integer not null references agencies,
  primary key (agency_id, service_id)
);
insert into former_agencies (service_id, agency_id)
select distinct requests.service_id, requests.agency_id
from requests
join services on services.id = requests.service_id
where requests.agency_id <> services.agency_id;
