-- Invoices of paid requests and receipts of their refunds. The counter of a series is locked from the issue to the commit, so that numbers
-- have no gap: a transaction that rolls back gives its number back.
create table invoice_counters (
  series text primary key,
  last_sequence bigint not null check (last_sequence > 0)
);
create table invoices (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('invoice', 'refund')),
  series text not null references invoice_counters,
  sequence bigint not null,
  number text not null unique,
  request_id bigint not null references requests,
  payment_id bigint unique references payments,
  refund_id bigint unique references request_refunds,
  total bigint not null check (total > 0),
  -- Everything that the document shows, as it was when it was issued.
  content jsonb not null,
  issued_at timestamptz not null,
  unique (series, sequence),
  check ((kind = 'invoice') = (payment_id is not null) and (kind = 'refund') = (refund_id is not null))
);
create index invoices_request on invoices (request_id, id);
create trigger invoices_append_only before update or delete on invoices for each row execute function refuse_change();
create trigger invoices_never_emptied before truncate on invoices for each statement execute function refuse_change();
