create or replace function fill_request_figures() returns void
language sql as $$
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
