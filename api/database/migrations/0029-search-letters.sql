-- Words in ASCII are looked for in the text itself, all others by their key: to make the key of every row that an index has found costs ten times as much as to compare it.
alter index requests_search rename to requests_search_key;
alter index users_search rename to users_search_key;
alter index attachments_search rename to attachments_search_key;
create index requests_search on requests using gin (search_text gin_trgm_ops);
create index users_search on users using gin (fold_text(username || ' ' || full_name || ' ' || email || ' ' || phone_number) gin_trgm_ops);
create index attachments_search on attachments using gin (fold_text(file_name) gin_trgm_ops);
