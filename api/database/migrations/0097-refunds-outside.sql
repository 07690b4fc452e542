-- A refund that was made outside of the portal and waits for a second person. It belongs to no payment;
-- its reference is the bank's.
alter table refunds
  alter column payment_id drop not null,
  add column outside_reference text,
  add constraint refunds_outside check ((payment_id is null) = (outside_reference is not null)),
  add constraint refunds_outside_state check (
    outside_reference is null or state in ('waiting', 'succeeded', 'withdrawn')
  );

create unique index refunds_outside_reference
  on refunds (request_id, outside_reference)
  where state <> 'withdrawn';
