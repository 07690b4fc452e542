-- The refunds of the payment that the provider knew before this one was sent: none of them is this one.
-- Null: it was not sent, or its provider knows it by its key.
alter table refunds add column earlier_refunds text[];

-- Those whose answer is unknown were sent after the ones that have succeeded.
update refunds
set earlier_refunds = array(
  select provider_refund_id
  from refunds as earlier
  where earlier.payment_id = refunds.payment_id
    and earlier.state = 'succeeded'
    and earlier.provider_refund_id is not null
)
where state = 'sent';
