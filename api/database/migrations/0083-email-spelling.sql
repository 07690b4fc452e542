-- As all other English texts spell it. A name that a deployment has changed stays.
update communication_types
set name = jsonb_set(name, '{en-US}', to_jsonb(replace(name ->> 'en-US', 'E-mail', 'Email')))
where name ->> 'en-US' in ('E-mail', 'E-mail and text messages');
