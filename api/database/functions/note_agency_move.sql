-- A service that has moved to another agency, by whatever way: its open requests follow, and those that
-- have ended stay with the agency before.
create or replace function note_agency_move() returns trigger
language plpgsql as $$
begin
  insert into agency_moves (service_id)
  values (new.id)
  on conflict (service_id) do update set noted_at = clock_timestamp();
  insert into former_agencies (service_id, agency_id)
  values (old.id, old.agency_id)
  on conflict do nothing;
  return null;
end $$;
