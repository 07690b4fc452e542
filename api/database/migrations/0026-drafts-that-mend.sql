-- What somebody has begun to mend of a returned request is a draft too: of that request, not of a new one. It ends with the step that takes the request on: decision 0029.
alter table drafts add column mends_request_id bigint references requests;
-- Why something marked stays as it is, by the key of its mark.
alter table drafts add column explanations jsonb not null default '{}';
drop index drafts_alive;
create unique index drafts_alive on drafts (user_id, service_id, coalesce(company_id, 0), coalesce(mends_request_id, 0)) where request_id is null and discarded_at is null;
create index drafts_mends on drafts (mends_request_id) where mends_request_id is not null;

-- Documents that were kept beside a returned request are part of its draft.
insert into drafts (user_id, id, company_id, service_id, form, answers, attachment_ids, passed, mends_request_id)
  select user_id, gen_random_uuid(), company_id, service_id, form, answers, kept_attachments, '{}', id from requests
  where kept_attachments is not null and (select action from request_history where request_id = requests.id order by request_history.id desc limit 1) = 'return';
drop index requests_kept_attachments;
alter table requests drop column kept_attachments;
