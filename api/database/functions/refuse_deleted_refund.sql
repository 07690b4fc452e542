-- A guard: refunds are never deleted.
create or replace function refuse_deleted_refund() returns trigger
language plpgsql as $$
begin
  raise exception 'refunds are never deleted';
end $$;
