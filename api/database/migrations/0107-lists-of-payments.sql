-- Lists of payments by time, amount and number. Numbers are found by any part of them.
create function plain_number(value text) returns text
language sql immutable parallel safe strict
return upper(translate(value, E' \t\n\r-_/.:#%\\', ''));

create index payments_newest on payments (created_at desc, id desc);
create index payments_amount on payments (amount);
create index refunds_newest on refunds (created_at desc, id desc);
create index payment_cases_created on payment_cases (created_at, id);
create index settlement_differences_day on settlement_differences (day, id);
create index settlement_lines_newest on settlement_lines (occurred_at desc, id desc);
create index settlement_lines_payment on settlement_lines (payment_id);

create index payments_number on payments
  using gin (plain_number(merchant_reference) gin_trgm_ops);
create index payments_provider_number on payments
  using gin (plain_number(provider_reference) gin_trgm_ops)
  where provider_reference is not null;
create index requests_number_plain on requests using gin (plain_number(number) gin_trgm_ops);
create index invoices_number_plain on invoices using gin (plain_number(number) gin_trgm_ops);
create index certificates_number_plain on certificates
  using gin (plain_number(number) gin_trgm_ops);
create index settlement_lines_number on settlement_lines
  using gin (plain_number(merchant_reference) gin_trgm_ops)
  where payment_id is null;
