-- A guard of tables that are append-only. The server may not update or delete rows of tables with it
-- (`roles.ts`).
create or replace function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
