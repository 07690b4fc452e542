create or replace function enter_workflow_ends() returns trigger
language plpgsql as $$
begin
  insert into workflow_ends (workflow_id, status_id, tone)
  select new.id, (status ->> 'statusId')::integer, status ->> 'tone'
  from jsonb_array_elements(new.document -> 'statuses') as status
  where status ->> 'tone' in ('done', 'refused');
  return null;
end $$;
