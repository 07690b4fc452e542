-- A guard: only the state of a payout changes.
create or replace function guard_payout() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'payouts are never deleted';
  end if;
  if (
    old.agency_id, old.provider, old.amount, old.currency, old.reference, old.paid_on, old.note,
    old.requested_by
  ) is distinct from (
    new.agency_id, new.provider, new.amount, new.currency, new.reference, new.paid_on, new.note,
    new.requested_by
  )
  then
    raise exception 'only the state of a payout changes';
  end if;
  return new;
end $$;
