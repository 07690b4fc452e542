-- A guard: refunds of a payment are never more than what was received.
create or replace function refuse_excess_refund() returns trigger
language plpgsql as $$
declare
  received bigint;
  returned bigint;
begin
  -- What was paid back outside of the portal has no payment; the request limits it.
  if new.payment_id is null then
    return null;
  end if;
  -- Without its key, as `lockPayment`: a stored message refers to the payment and waits for the request.
  perform from payments where id = new.payment_id for no key update;
  select coalesce(sum(amount), 0)
  into received
  from payment_events
  where payment_id = new.payment_id
    and kind = 'paid'
    and currency = new.currency;
  select coalesce(sum(amount), 0)
  into returned
  from refunds
  where payment_id = new.payment_id
    and currency = new.currency
    and state not in ('refused', 'withdrawn');
  if returned > received then
    raise exception 'refunds of payment % exceed what was received', new.payment_id
      using errcode = '23514', constraint = 'refunds_within_received';
  end if;
  return null;
end $$;
