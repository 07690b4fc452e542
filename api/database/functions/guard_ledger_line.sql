-- A guard: the lines of an entry are written in its transaction.
create or replace function guard_ledger_line() returns trigger
language plpgsql as $$
begin
  perform from ledger_entries where id = new.entry_id and transaction_id = txid_current();
  if not found then
    raise exception 'lines are written with their entry'
      using errcode = '23514', constraint = 'ledger_line_of_new_entry';
  end if;
  return new;
end $$;
