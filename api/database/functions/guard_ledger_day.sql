-- A guard: an entry of the ledger is on an open day. Without a day it gets its own, or the first open one.
create or replace function guard_ledger_day() returns trigger
language plpgsql as $$
declare
  first_open date;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger', 0));
  select coalesce(max(day) + 1, '-infinity')
  into first_open
  from ledger_days;
  if new.day is null then
    new.day := greatest(day_in_dubai(new.occurred_at), first_open);
  elsif new.day < first_open then
    raise exception 'the day % of the ledger is closed', new.day
      using errcode = '23514', constraint = 'ledger_day_is_open';
  end if;
  return new;
end $$;
