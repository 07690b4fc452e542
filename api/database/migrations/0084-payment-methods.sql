-- Decision 0094: a rule may choose the provider by the method of payment.
alter table payment_rules add column method text check (method in ('card', 'bankAccount'));
alter table payments add column method text not null default 'card'
  check (method in ('card', 'bankAccount'));
