-- Processes hear at once of a changed catalogue or workflow, whoever changes it. PostgreSQL sends a notification with the commit, and
-- one notification for all changes of a transaction.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end $$;
create trigger catalogue_version_announced after update on catalogue_version for each statement execute function announce_change('diwan_catalogue');
create trigger workflows_announced after insert on workflows for each statement execute function announce_change('diwan_workflows');
create trigger workflow_choices_announced after insert on workflow_choices for each statement execute function announce_change('diwan_workflows');
