-- Services that have moved to another agency, until their open requests have followed. Decision 0146.
create table agency_moves (
  service_id integer primary key references services,
  noted_at timestamptz not null default now()
);

create function note_agency_move() returns trigger
language plpgsql as $$
begin
  insert into agency_moves (service_id)
  values (new.id)
  on conflict (service_id) do update set noted_at = clock_timestamp();
  return null;
end $$;

create trigger services_agency_moved after update of agency_id on services
  for each row
  when (new.agency_id is distinct from old.agency_id)
  execute function note_agency_move();

-- Services that moved before.
insert into agency_moves (service_id)
select distinct requests.service_id
from requests
join services on services.id = requests.service_id
where services.agency_id <> requests.agency_id;
