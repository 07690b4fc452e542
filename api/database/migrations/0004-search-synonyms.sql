-- Words that mean the same to people: whoever types one finds the services whose names hold another.
create table search_synonyms (
  id integer generated always as identity primary key,
  words text[] not null check (cardinality(words) >= 2)
);
create trigger search_synonyms_changed after insert or update or delete or truncate on search_synonyms for each statement execute function count_catalogue_change();
