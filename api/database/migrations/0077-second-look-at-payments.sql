-- Payments that are decided and about which the provider was not asked since. Decision 0076.
create index payments_second_look on payments (created_at)
  where status in ('paid', 'held', 'returned') and checked_at - created_at < interval '10 minutes';
