-- A normal form in letters of ASCII: trigrams know no others where a database has the ctype C, as the
-- embedded one. Made from api/src/platform/core/letters.ts: npx vitest run letters -u.
create or replace function search_key(value text) returns text
language sql immutable parallel safe strict
return translate(value, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويپٹچڈڑژگ', 'abcdefghijklmnopqrstuvwxyz012345678');
