-- The journal lists the entries of a day by their time.
drop index ledger_entries_day;
create index ledger_entries_day on ledger_entries (day, occurred_at, id);
