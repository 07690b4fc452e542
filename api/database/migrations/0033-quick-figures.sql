-- The figures of a request were entered through the view request_facts, which PostgreSQL planned
-- each time (2 to 9 ms). These functions enter the same facts from the row itself with plans that a
-- connection keeps. The view stays: fill_request_figures and the consistency check read it.

create function enter_figure(
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
    ('day', on_day, enter_figure.service_id, enter_figure.days_late, null),
    (
      'month',
      date_trunc('month', on_day)::date,
      enter_figure.service_id,
      enter_figure.days_late,
      null
    )
  ) as entry (grain, day, service_id, days_late, seconds)
  where entry.grain = 'total' or enter_figure.kind in ('created', 'done');
end $$;

-- The end of a request by a line of its history, if the line is one.
create function enter_end(request requests, history request_history, scopes integer[])
returns void language plpgsql as $$
declare
  tone text;
  started_at timestamptz;
begin
  select jsonb_path_query_first(
      document,
      '$.statuses[*] ? (@.statusId == $id).tone',
      jsonb_build_object('id', history.to_status_id)
    ) #>> '{}' into tone
  from workflows
  where id = request.workflow_id;
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

create or replace function figure_sent_request() returns trigger language plpgsql as $$
begin
  perform enter_figure(
    figure_scopes(new.partner_id, new.came_to_provider, new.company_id),
    day_in_dubai(new.created_at),
    'created',
    new.service_id,
    null,
    null,
    1
  );
  return null;
end $$;

create or replace function figure_ended_request() returns trigger language plpgsql as $$
declare
  request requests;
begin
  select * into request
  from requests
  where id = new.request_id;
  perform enter_end(
    request,
    new,
    figure_scopes(request.partner_id, request.came_to_provider, request.company_id)
  );
  return null;
end $$;

create or replace function figure_came_to_provider() returns trigger language plpgsql as $$
declare
  scopes integer[] = array[new.partner_id];
  history request_history;
  paid record;
begin
  if new.partner_id is null then
    return null;
  end if;
  perform enter_figure(
    scopes, day_in_dubai(new.created_at), 'created', new.service_id, null, null, 1
  );
  for history in
    select *
    from request_history
    where request_id = new.id and from_status_id is distinct from to_status_id
  loop
    perform enter_end(new, history, scopes);
  end loop;
  for paid in
    select payments.amount, min(payment_events.occurred_at) as at
    from payments
    join payment_events
      on payment_events.payment_id = payments.id and payment_events.kind = 'paid'
    where payments.request_id = new.id and payments.status = 'paid'
    group by payments.id
  loop
    perform enter_figure(
      scopes, day_in_dubai(paid.at), 'paid', new.service_id, null, null, paid.amount
    );
  end loop;
  return null;
end $$;
drop function enter_figures;
