-- Each request had a copy of its form and of its attachment rules, three kilobytes when compressed,
-- which was most of the row and of the work of writing it. Requests now refer to a form, which never
-- changes (decision 0099).
create table forms (
  id integer generated always as identity primary key,
  content jsonb not null,
  attachment_rules jsonb not null,
  hash text not null unique
);
create trigger forms_append_only before update or delete on forms
  for each row execute function refuse_change();
create trigger forms_never_emptied before truncate on forms
  for each statement execute function refuse_change();

create function hash_of_form(content jsonb, attachment_rules jsonb) returns text
language sql immutable strict parallel safe
return encode(sha256(convert_to(content::text || attachment_rules::text, 'UTF8')), 'hex');

insert into forms (content, attachment_rules, hash)
select distinct on (hash) form, rules, hash
from (
  select form, attachments as rules, hash_of_form(form, attachments) as hash from services
  union all
  select form, attachment_rules, hash_of_form(form, attachment_rules) from requests
) as found;

-- The form of a service stays in its row, where it is edited; its trigger enters it into `forms`.
alter table services add column form_id integer references forms;
create function keep_form() returns trigger language plpgsql as $$
declare
  form_hash constant text = hash_of_form(new.form, new.attachments);
begin
  insert into forms (content, attachment_rules, hash)
  values (new.form, new.attachments, form_hash)
  on conflict do nothing;
  new.form_id := (select id from forms where hash = form_hash);
  return new;
end $$;
create trigger services_keep_form before insert or update of form, attachments on services
  for each row execute function keep_form();
update services set form_id = forms.id from forms where hash = hash_of_form(form, attachments);
-- The trigger replaces the default.
alter table services alter column form_id set not null, alter column form_id set default 0;

-- No foreign key: decision 0098. Both columns change in one pass over the table.
create function find_form(form jsonb, rules jsonb) returns integer language sql stable
return (select id from forms where hash = hash_of_form(form, rules));
alter table requests
  alter column form type integer using find_form(form, attachment_rules),
  alter column attachment_rules drop not null,
  alter column attachment_rules type jsonb using null;
alter table requests rename column form to form_id;
-- The rules of the agency's discounts, which are added to those of the form.
alter table requests rename column attachment_rules to evidence_rules;
drop function find_form;
