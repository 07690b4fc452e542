-- The normal form of a text that searches of the database compare. Made from
-- api/src/platform/core/letters.ts: npx vitest run letters -u.
create or replace function fold_text(value text) returns text
language sql immutable parallel safe strict as $$
  select translate(
    regexp_replace(lower(normalize(value, NFKD)), '[\u0300-\u036f\u064b-\u065f\u0670\u0640\u0621\u0674''’‘ʼ`´\u200b-\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'),
    'ٱٲٳىیېےۍێةۃہھەکڪں٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
    'اااييييييهههههككن01234567890123456789')
$$;
