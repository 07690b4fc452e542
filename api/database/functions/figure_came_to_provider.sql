create or replace function figure_came_to_provider() returns trigger
language plpgsql as $$
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
