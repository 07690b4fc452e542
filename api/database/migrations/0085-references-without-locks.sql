-- Decision 0098. A foreign key locks the row that it refers to until the commit. All new requests of
-- a service locked the same three rows, and each kept a list of those that shared the lock.
-- Services, providers and workflows are never deleted and keep their ids (those of the last two are
-- generated always), so that no lock is needed.
alter table requests
  drop constraint requests_service_id_fkey,
  drop constraint requests_partner_id_fkey,
  drop constraint requests_workflow_id_fkey;

create function refuse_deletion() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never deleted and keep their id', tg_table_name
    using errcode = 'foreign_key_violation';
end $$;

create trigger services_never_deleted before delete on services
  for each row execute function refuse_deletion();
create trigger services_keep_id before update of id on services
  for each row when (old.id <> new.id) execute function refuse_deletion();
create trigger services_never_emptied before truncate on services
  for each statement execute function refuse_deletion();

create trigger partners_never_deleted before delete on partners
  for each row execute function refuse_deletion();
create trigger partners_never_emptied before truncate on partners
  for each statement execute function refuse_deletion();

create trigger workflows_never_deleted before delete on workflows
  for each row execute function refuse_deletion();
create trigger workflows_never_emptied before truncate on workflows
  for each statement execute function refuse_deletion();
