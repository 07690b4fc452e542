-- Every change of the catalogue gets a new version, by which processes notice it.
create or replace function count_catalogue_change() returns trigger
language plpgsql as $$
begin
  update catalogue_version set version = version + 1;
  return null;
end $$;
