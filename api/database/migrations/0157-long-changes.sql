-- Changes of many rows that are done in steps beside work: how far each one is.
create table long_changes (
  name text primary key,
  position text,
  finished_at timestamptz
);
