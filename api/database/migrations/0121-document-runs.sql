-- A run makes the documents of a period, by the day of their payment or refund, and no longer only receipts.
alter table receipt_runs
  add column kind text check (kind in ('invoice', 'receipt', 'creditNote')),
  add column with_xml boolean not null default false;

update receipt_runs
set kind = 'receipt',
  state = case state when 'running' then 'failed' else state end,
  finished_at = coalesce(finished_at, now());

alter table receipt_runs
  rename column last_payment_id to last_document_id;

drop index invoices_supplied;
create index invoices_supplied on invoices ((content -> 'transfer' ->> 'day'), id);
