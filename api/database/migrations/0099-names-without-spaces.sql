-- A name is found with and without the spaces within it: عبد الله and عبدالله. A word that occurs in a
-- text occurs in the text without spaces too, so that one comparison answers both. Requests keep their
-- stored text, of which only the indexes are made again; the text of users also has the local form of
-- the mobile number.
drop index requests_search, requests_search_key;
create index requests_search on requests using gin (replace(search_text, ' ', '') gin_trgm_ops);
create index requests_search_key on requests using gin (search_key(replace(search_text, ' ', '')) gin_trgm_ops);
alter index requests_search alter column 1 set statistics 100;
alter index requests_search_key alter column 1 set statistics 100;
alter table users drop column search_text;
alter table users
  add column search_text text not null
    generated always as (
      fold_text(username || ' ' || email || ' ' || phone_number || ' ' || regexp_replace(phone_number, '^\+971', '0'))
      || ' ' || translate(fold_text(full_name), ' .,-_/()·‐–—', '')
    ) stored;
create index users_search on users using gin (search_text gin_trgm_ops);
create index users_search_key on users using gin (search_key(search_text) gin_trgm_ops);
