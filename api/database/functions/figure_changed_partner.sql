create or replace function figure_changed_partner() returns trigger
language plpgsql as $$
declare
  side record;
  paid record;
begin
  for side in
    select array[partner] as scopes, sign
    from (values (old.partner_id, -1), (new.partner_id, 1)) as sides (partner, sign)
    where partner is not null
  loop
    perform enter_figure(
      side.scopes, day_in_dubai(new.created_at), 'created', new.service_id, null, null, side.sign
    );
    for paid in
      select payments.amount, min(payment_events.occurred_at) as at
      from payments
      join payment_events
        on payment_events.payment_id = payments.id and payment_events.kind = 'paid'
      where payments.request_id = new.id and payments.status = 'paid'
      group by payments.id
    loop
      perform enter_figure(
        side.scopes, day_in_dubai(paid.at), 'paid', new.service_id, null, null,
        side.sign * paid.amount
      );
    end loop;
  end loop;
  return null;
end $$;
