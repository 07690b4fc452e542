-- A guard, at the commit: the lines of an entry balance.
create or replace function check_ledger_balance() returns trigger
language plpgsql as $$
declare
  checked bigint;
  line_count bigint;
  balance numeric;
begin
  if tg_table_name = 'ledger_entries' then
    checked := new.id;
  else
    checked := new.entry_id;
  end if;
  select count(*), sum(amount)
  into line_count, balance
  from ledger_lines
  where entry_id = checked;
  if line_count < 2 or balance <> 0 then
    raise exception 'entry % of the ledger has % lines and a balance of %', checked, line_count, balance
      using errcode = '23514', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;
