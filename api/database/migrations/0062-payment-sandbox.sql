-- The sandbox of the payment provider has a store of its own. Decision 0080.
drop table sandbox.payment_refunds;
drop table sandbox.payment_messages;
drop table sandbox.payment_switches;
drop table sandbox.payment_events;
drop table sandbox.payments;
