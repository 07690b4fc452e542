-- How many codes a phone was sent since the first of its day: nobody is woken all night by somebody else's inquiries, and five guesses a code
-- stay few a day.
alter table verification_codes add column sent integer not null default 1, add column first_sent_at timestamptz not null default now();
