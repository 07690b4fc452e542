create or replace function figure_sent_request() returns trigger
language plpgsql as $$
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
