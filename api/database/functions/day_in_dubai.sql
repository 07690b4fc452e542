-- The calendar day of a moment in the United Arab Emirates.
create or replace function day_in_dubai(instant timestamptz) returns date
language sql immutable parallel safe
return (instant at time zone 'Asia/Dubai')::date;
