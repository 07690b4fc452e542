-- A guard: a refund keeps its amount, and its end is final.
create or replace function refuse_changed_refund() returns trigger
language plpgsql as $$
begin
  if (
      new.payment_id, new.request_id, new.amount, new.currency, new.idempotency_key,
      new.outside_reference
    ) is distinct from (
      old.payment_id, old.request_id, old.amount, old.currency, old.idempotency_key,
      old.outside_reference
    )
    or old.state in ('succeeded', 'refused', 'withdrawn')
  then
    raise exception 'a refund keeps its amount, and its end is final';
  end if;
  return new;
end $$;
