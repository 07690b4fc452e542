create or replace function figure_payment_status() returns trigger
language plpgsql as $$
begin
  perform figure_payment(new, (select min(occurred_at) from payment_events where payment_id = new.id and kind = 'paid'), case when new.status = 'paid' then 1 else -1 end);
  return null;
end $$;
