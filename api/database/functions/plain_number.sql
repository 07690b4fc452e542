-- A number or reference without what people leave out or add when they write it down: spaces, dashes,
-- and whether letters are small. Also without what means something to `like`.
create or replace function plain_number(value text) returns text
language sql immutable parallel safe strict
return upper(translate(value, E' \t\n\r-_/.:#%\\', ''));
