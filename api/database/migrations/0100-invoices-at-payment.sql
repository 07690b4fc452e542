-- A payment gets its invoice and its receipt after it is paid, in the order of payments. The moment of the
-- issue is stored with the payment, so that the payments without them are found by an index.
alter table payments add column invoiced_at timestamptz;

update payments
set invoiced_at = invoices.issued_at
from invoices
where invoices.payment_id = payments.id
  and invoices.kind = 'receipt';

create index payments_to_invoice on payments (id)
  where status = 'paid' and invoiced_at is null;
