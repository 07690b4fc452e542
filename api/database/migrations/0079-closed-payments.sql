-- Decision 0076: payments that expired are asked about again like declined and cancelled ones.
drop index payments_closed;
create index payments_closed on payments (created_at) where status in ('declined', 'cancelled', 'expired');
