-- The English name that UAE PASS has verified; full_name is what the owner of a password typed.
alter table users add column full_name_en text;
update users
set full_name_en = full_name
where uaepass_id is not null
  and emirates_id is not null
  and password_hash is null
  and full_name ~ '^[A-Za-z]';
