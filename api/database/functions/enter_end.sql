create or replace function enter_end(request requests, history request_history, scopes integer[]) returns void
language plpgsql as $$
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
