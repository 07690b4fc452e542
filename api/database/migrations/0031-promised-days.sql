-- A request keeps the working days that its service promised when it was sent. Due dates and figures used the service's current ones, so that a change of a service changed the past.
alter table requests add column working_days integer;
update requests set working_days = services.working_days from services where services.id = requests.service_id;
alter table requests alter column working_days set not null;

-- The figures hold the working days after the due date (0 or less: in time) in place of the working days that a request took.
alter table request_figures rename column working_days to days_late;
alter view request_facts rename column working_days to days_late;
create or replace view request_facts as
  select requests.id as request_id, null::bigint as source_id, scope, day_in_dubai(requests.created_at) as day, 'created' as kind, requests.service_id, null::integer as days_late, null::integer[] as seconds, 1::bigint as amount
  from requests
  cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope
union all
  select requests.id, history.id, scope, day_in_dubai(history.at), tones.tone, requests.service_id,
    case tones.tone when 'done' then working_days_before(day_in_dubai(history.at) + 1) - working_days_before(day_in_dubai(clock.started_at) + 1) - requests.working_days end,
    case tones.tone when 'done' then array[greatest(0, extract(epoch from history.at - clock.started_at))::integer] end,
    1
  from request_history history
  join requests on requests.id = history.request_id
  join (
    select workflows.id as workflow_id, (status ->> 'statusId')::integer as status_id, status ->> 'tone' as tone
    from workflows
    cross join lateral jsonb_array_elements(workflows.document -> 'statuses') as status
  ) as tones
    on tones.workflow_id = requests.workflow_id and tones.status_id = history.to_status_id
  cross join lateral (
    select coalesce(
      (select min(paid.at) from request_history paid where paid.request_id = requests.id and paid.action = 'pay' and paid.at <= history.at),
      requests.created_at
    ) as started_at
  ) as clock
  cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope
  where history.from_status_id is distinct from history.to_status_id
    and tones.tone in ('done', 'refused')
union all
  select requests.id, payments.id, scope, day_in_dubai(first.at), 'paid', requests.service_id, null, null, payments.amount
  from payments
  join requests on requests.id = payments.request_id
  cross join lateral (select min(occurred_at) as at from payment_events where payment_id = payments.id and kind = 'paid') as first
  cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope
  where payments.status = 'paid'
    and first.at is not null;

drop function figure_entries;
create function figure_entries(day date, kind text, service_id integer, days_late integer)
returns table (grain text, entry_day date, entry_service integer, entry_days_late integer)
language sql immutable parallel safe rows 3 as $$
  select 'total', day, null::integer, null::integer
  union all
  select 'day', day, service_id, days_late
  where kind in ('created', 'done')
  union all
  select 'month', date_trunc('month', day)::date, service_id, days_late
  where kind in ('created', 'done')
$$;

create or replace function fill_request_figures() returns void language sql as $$
  truncate request_figures;
  with facts as materialized (
    select scope, day, kind, service_id, days_late, seconds, amount
    from request_facts
  ), by_day as materialized (
    select scope, day, kind, service_id, days_late, sum(amount) as amount
    from facts
    group by scope, day, kind, service_id, days_late
  )
  insert into request_figures (scope, grain, day, kind, service_id, days_late, seconds, amount, is_sum)
  select scope, grain, entry_day, kind, entry_service, entry_days_late, null, sum(amount), true
  from by_day
  cross join lateral figure_entries(day, kind, service_id, days_late)
  group by scope, grain, entry_day, kind, entry_service, entry_days_late
  union all
  select scope, 'total', day, 'time', null, null, array_agg(second order by second), 0, true
  from facts
  cross join lateral unnest(seconds) as second
  group by scope, day
  order by 1, 2, 3;
$$;

create or replace function enter_figures(id bigint, source bigint, kinds text[], in_all boolean) returns void language sql as $$
  insert into request_figures (scope, grain, day, kind, service_id, days_late, seconds, amount)
  select scope, grain, entry_day, kind, entry_service, entry_days_late, case grain when 'total' then seconds end, amount
  from request_facts
  cross join lateral figure_entries(day, kind, service_id, days_late)
  where request_id = id
    and (source is null or source_id = source)
    and kind = any(kinds)
    and (in_all or scope > 0)
$$;

select fill_request_figures();
analyze request_figures;
