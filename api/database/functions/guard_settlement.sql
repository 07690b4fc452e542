-- A guard: settlement files and their lines are never deleted, and nothing of them changes but that they
-- are withdrawn, once.
create or replace function guard_settlement() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception '% are never deleted', tg_table_name;
  end if;
  if old.withdrawn_at is not null
    or new.withdrawn_at is null
    or to_jsonb(old) - 'withdrawn_at' is distinct from to_jsonb(new) - 'withdrawn_at'
  then
    raise exception '% are only withdrawn', tg_table_name;
  end if;
  return new;
end $$;
