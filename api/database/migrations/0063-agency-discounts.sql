-- The discounts that an agency gives on the fees of its services, as its rules: contract/src/catalogue/fees.ts. Decision 0083.
alter table agencies
  add column discounts jsonb not null default '[]' check (jsonb_typeof(discounts) = 'array');
