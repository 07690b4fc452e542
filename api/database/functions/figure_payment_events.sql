create or replace function figure_payment_events() returns trigger
language plpgsql as $$
declare moved record;
begin
  for moved in select payments as payment, min(occurred_at) filter (where not exists (select from fresh where fresh.id = payment_events.id)) as before, min(occurred_at) as after
    from payments join payment_events on payment_events.payment_id = payments.id
    where payments.id in (select payment_id from fresh where kind = 'paid') and payments.status = 'paid' and payment_events.kind = 'paid' group by payments
  loop
    if moved.before is distinct from moved.after then
      perform figure_payment(moved.payment, moved.before, -1);
      perform figure_payment(moved.payment, moved.after, 1);
    end if;
  end loop;
  return null;
end $$;
