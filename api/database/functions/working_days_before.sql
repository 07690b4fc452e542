create or replace function working_days_before(day date) returns integer
language sql immutable parallel safe
return ((((day - '1970-01-05'::date) / 7) * 5) + LEAST(((day - '1970-01-05'::date) % 7), 5));
