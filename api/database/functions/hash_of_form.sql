create or replace function hash_of_form(content jsonb, attachment_rules jsonb) returns text
language sql immutable parallel safe strict
return encode(sha256(convert_to(content::text || attachment_rules::text, 'UTF8')), 'hex');
