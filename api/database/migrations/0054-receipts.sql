-- A receipt beside the invoice of each payment, and credit notes for refunds.
alter table invoices
  drop constraint invoices_kind_check,
  drop constraint invoices_check,
  drop constraint invoices_payment_id_key;
alter table invoices disable trigger user;
update invoices
set kind = 'creditNote'
where kind = 'refund';
alter table invoices enable trigger user;
alter table invoices
  add constraint invoices_kind_check check (kind in ('invoice', 'receipt', 'creditNote')),
  add constraint invoices_check check ((kind = 'creditNote') = (refund_id is not null) and (kind <> 'creditNote') = (payment_id is not null)),
  add constraint invoices_payment_id_kind_key unique (payment_id, kind);
