-- Lists that PostgreSQL read from the rows are read from indexes alone, and its guesses come nearer. Decision 0026.

-- A word that is looked for in a list is looked for in the index that holds the list in order; with it, and with the service, no row is read that is not shown.
-- What an index holds must be short: compatibility forms can make eighteen letters of one.
update requests set search_text = left(search_text, 500) where length(search_text) > 500;
alter table requests add constraint requests_search_text_short check (length(search_text) <= 500);
drop index requests_created, requests_status, requests_company, requests_company_status, requests_partner, requests_partner_status;
create index requests_created on requests (created_at desc, id desc) include (service_id, search_text);
create index requests_status on requests (status_id, created_at desc, id desc) include (service_id, search_text);
create index requests_company on requests (company_id, created_at desc, id desc) include (service_id, search_text) where company_id is not null;
create index requests_company_status on requests (company_id, status_id, created_at desc, id desc) include (service_id, search_text) where company_id is not null;
create index requests_partner on requests (partner_id, created_at desc, id desc) include (service_id, search_text) where came_to_provider;
create index requests_partner_status on requests (partner_id, status_id, created_at desc, id desc) include (service_id, search_text) where came_to_provider;

-- An index for each way to see and each filter: where one was missing, PostgreSQL walked all requests of a status, or all refundable ones, for somebody who has none of them.
create index requests_user_own_status on requests (user_id, status_id, created_at desc, id desc) where company_id is null;
create index requests_user_own_refundable on requests (user_id, created_at desc, id desc) where company_id is null and refundable > 0;
create index requests_company_refundable on requests (company_id, created_at desc, id desc) where company_id is not null and refundable > 0;
create index requests_partner_refundable on requests (partner_id, created_at desc, id desc) where came_to_provider and refundable > 0;

-- How many requests have a word is guessed from a sample of so many: with the usual hundred every name looks as rare, or as frequent, as any other. What is never looked for is not sampled: of a million requests it took 15 s each time to unpack the forms.
alter table requests alter column search_text set statistics 1000,
  alter column form set statistics 0, alter column attachment_rules set statistics 0, alter column answers set statistics 0, alter column quote set statistics 0;
analyze requests (search_text);

-- New requests are what lists show first; an index answers alone for pages that have been vacuumed, and with the usual limits a fifth of all requests waits for that.
alter table requests set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
