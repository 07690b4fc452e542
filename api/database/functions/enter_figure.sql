create or replace function enter_figure(scopes integer[], on_day date, kind text, service_id integer, days_late integer, seconds integer[], amount bigint) returns void
language plpgsql as $$
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
