-- Where an agency serves people itself, and when, as a text in every language.
alter table agencies
  add column centres jsonb;
