-- A new request enters its figures by one statement of its trigger, and a line of the history that
-- leads to no end reads one small table (decision 0042).
create or replace function figure_sent_request() returns trigger language plpgsql as $$
declare
  on_day constant date = day_in_dubai(new.created_at);
begin
  insert into request_figures (scope, grain, day, kind, service_id, amount)
  select scope, entry.grain, entry.day, 'created', entry.service_id, 1
  from unnest(figure_scopes(new.partner_id, new.came_to_provider, new.company_id)) as scope
  cross join (values
    ('total', on_day, null::integer),
    ('day', on_day, new.service_id),
    ('month', date_trunc('month', on_day)::date, new.service_id)
  ) as entry (grain, day, service_id);
  return null;
end $$;

alter table workflow_ends
  drop constraint workflow_ends_pkey,
  add primary key (status_id, workflow_id);

create or replace function figure_ended_request() returns trigger language plpgsql as $$
declare
  request requests;
begin
  if not exists (select from workflow_ends where status_id = new.to_status_id) then
    return null;
  end if;
  select requests.* into request
  from requests
  join workflow_ends
    on workflow_ends.workflow_id = requests.workflow_id
    and workflow_ends.status_id = new.to_status_id
  where requests.id = new.request_id;
  if found then
    perform enter_end(
      request,
      new,
      figure_scopes(request.partner_id, request.came_to_provider, request.company_id)
    );
  end if;
  return null;
end $$;
