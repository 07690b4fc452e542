-- A change of a request waited for the row of its count until others had committed, read the whole workflow to see whether it ends the request, and entered the request into three indexes that another one replaces (decision 0045).

-- Changes of counts are added; a job puts them together. A count is the sum of its rows.
alter table request_counts drop constraint request_counts_pkey;
alter table request_counts drop column slot;
create index request_counts_status on request_counts (status_id, partner_id);
create index request_counts_partner on request_counts (partner_id);
alter table request_counts set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000
);

-- The statuses that end a request, of workflows, which never change.
create table workflow_ends (
  workflow_id integer not null references workflows (id),
  status_id integer not null,
  tone text not null check (tone in ('done', 'refused')),
  primary key (workflow_id, status_id)
);
insert into workflow_ends (workflow_id, status_id, tone)
select workflows.id, (status ->> 'statusId')::integer, status ->> 'tone'
from workflows
cross join lateral jsonb_array_elements(workflows.document -> 'statuses') as status
where status ->> 'tone' in ('done', 'refused');

create function enter_workflow_ends() returns trigger language plpgsql as $$
begin
  insert into workflow_ends (workflow_id, status_id, tone)
  select new.id, (status ->> 'statusId')::integer, status ->> 'tone'
  from jsonb_array_elements(new.document -> 'statuses') as status
  where status ->> 'tone' in ('done', 'refused');
  return null;
end $$;
create trigger workflows_ends after insert on workflows
  for each row execute function enter_workflow_ends();

create or replace function enter_end(request requests, history request_history, scopes integer[])
returns void language plpgsql as $$
declare
  tone text;
  started_at timestamptz;
begin
  select workflow_ends.tone into tone
  from workflow_ends
  where workflow_id = request.workflow_id and status_id = history.to_status_id;
  if tone = 'refused' then
    perform enter_figure(
      scopes, day_in_dubai(history.at), tone, request.service_id, null, null, 1
    );
  elsif tone = 'done' then
    select coalesce(min(paid.at), request.created_at) into started_at
    from request_history paid
    where paid.request_id = request.id and paid.action = 'pay' and paid.at <= history.at;
    perform enter_figure(
      scopes,
      day_in_dubai(history.at),
      tone,
      request.service_id,
      working_days_before(day_in_dubai(history.at) + 1)
        - working_days_before(day_in_dubai(started_at) + 1)
        - request.working_days,
      array[greatest(0, extract(epoch from history.at - started_at))::integer],
      1
    );
  end if;
end $$;

create or replace function figure_ended_request() returns trigger language plpgsql as $$
declare
  request requests;
begin
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

-- A person has few requests: one index answers all questions about them without their rows.
drop index requests_user, requests_user_own, requests_user_own_status, requests_user_own_refundable;
create index requests_user on requests (user_id, created_at desc, id desc)
  include (company_id, status_id, refundable);
