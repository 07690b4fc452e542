-- Keys that replace those of `secrets`. The newest one that is active makes; the others are accepted
-- until their time is over.
create table secret_successors (
  name text not null references secrets (name),
  value text not null,
  activates_at timestamptz not null,
  primary key (name, activates_at)
);
