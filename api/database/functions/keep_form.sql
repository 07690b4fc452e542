create or replace function keep_form() returns trigger
language plpgsql as $$
declare
  form_hash constant text = hash_of_form(new.form, new.attachments);
begin
  insert into forms (content, attachment_rules, hash)
  values (new.form, new.attachments, form_hash)
  on conflict do nothing;
  new.form_id := (select id from forms where hash = form_hash);
  return new;
end $$;
