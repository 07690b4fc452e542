-- The action that creates a request inserts its form (decision 0099).
drop trigger services_keep_form on services;
drop function keep_form;
drop function hash_of_form;
alter table services drop column form_id;
