-- A guard: differences between a settlement file and the ledger are never deleted.
create or replace function refuse_deleted_difference() returns trigger
language plpgsql as $$
begin
  raise exception 'differences are never deleted';
end $$;
