-- Figures by agency and service: what was collected and rejected is entered by service too, as what was sent and completed is, and the times that requests took by service and day. Decision 0058.

create or replace function figure_entries(day date, kind text, service_id integer, days_late integer)
returns table (grain text, entry_day date, entry_service integer, entry_days_late integer)
language sql immutable parallel safe rows 3 as $$
  select 'total', day, null::integer, null::integer
  union all
  select 'day', day, service_id, days_late
  union all
  select 'month', date_trunc('month', day)::date, service_id, days_late
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
  union all
  select scope, 'day', day, 'time', service_id, null, array_agg(second order by second), 0, true
  from facts
  cross join lateral unnest(seconds) as second
  group by scope, day, service_id
  order by 1, 2, 3;
$$;

create or replace function enter_figure(
  scopes integer[],
  on_day date,
  kind text,
  service_id integer,
  days_late integer,
  seconds integer[],
  amount bigint
) returns void language plpgsql as $$
begin
  insert into request_figures (scope, grain, day, kind, service_id, days_late, seconds, amount)
  select scope,
    entry.grain,
    entry.day,
    enter_figure.kind,
    entry.service_id,
    entry.days_late,
    entry.seconds,
    enter_figure.amount
  from unnest(scopes) as scope
  cross join (values
    ('total', on_day, null::integer, null::integer, enter_figure.seconds),
    ('day', on_day, enter_figure.service_id, enter_figure.days_late, enter_figure.seconds),
    (
      'month',
      date_trunc('month', on_day)::date,
      enter_figure.service_id,
      enter_figure.days_late,
      null
    )
  ) as entry (grain, day, service_id, days_late, seconds);
end $$;

create or replace function figure_payment(payment payments, at timestamptz, sign integer)
returns void language plpgsql as $$
declare
  request requests;
begin
  if at is null then
    return;
  end if;
  select * into request
  from requests
  where id = payment.request_id;
  perform enter_figure(
    figure_scopes(request.partner_id, request.came_to_provider, request.company_id),
    day_in_dubai(at),
    'paid',
    request.service_id,
    null,
    null,
    sign * payment.amount
  );
end $$;

-- The working days after the due day (0 or less: in time) at which something ended a request, as enter_end counts them.
create function days_late(request requests, ended_at timestamptz) returns integer
language sql stable as $$
  select working_days_before(day_in_dubai(ended_at) + 1)
    - working_days_before(
      day_in_dubai(
        coalesce(
          (
            select min(paid.at)
            from request_history paid
            where paid.request_id = request.id and paid.action = 'pay' and paid.at <= ended_at
          ),
          request.created_at
        )
      ) + 1
    )
    - request.working_days
$$;

select fill_request_figures();
analyze request_figures;
