-- Nothing but the password says that the account and its UAE PASS identity are one person's: a password reset ends such a link. Decision 0016.
alter table users add column linked_by_password boolean not null default false;
update users set linked_by_password = true
  where uaepass_id is not null and id in (select user_id from audit_events where kind = 'accountLinked' and detail ->> 'reason' = 'password');
