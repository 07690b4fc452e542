-- Texts of the product that an administrator has changed. One row for each entry: a key of a file of texts without its plural ending.
-- `texts`: language -> form -> {text, shipped}; `shipped` is what the product shipped then, so that an upgrade that changes it is seen.
-- A row stays without texts, so that its version never goes back.
create table text_overrides (
  noun text not null,
  key text not null,
  texts jsonb not null,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  primary key (noun, key)
);
create trigger text_overrides_announced after insert or update or delete or truncate on text_overrides for each statement execute function announce_change('diwan_texts');
