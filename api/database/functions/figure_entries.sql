create or replace function figure_entries(day date, kind text, service_id integer, days_late integer) returns TABLE(grain text, entry_day date, entry_service integer, entry_days_late integer)
language sql immutable parallel safe rows 3 as $$
  select 'total', day, null::integer, null::integer
  union all
  select 'day', day, service_id, days_late
  union all
  select 'month', date_trunc('month', day)::date, service_id, days_late
$$;
