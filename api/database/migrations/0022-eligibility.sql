-- Who may use a service: rules as contract/src/eligibility.ts has them; none admit everybody.
alter table services add column eligibility jsonb not null default '[]' check (jsonb_typeof(eligibility) = 'array');

-- What UAE PASS says of a verified person; ISO 3166-1, two letters.
alter table users add column nationality text check (nationality ~ '^[A-Z]{2}$');
