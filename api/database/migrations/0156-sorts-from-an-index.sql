-- Lists that are sorted by what has no index read all their requests. With the columns of the orders in these
-- indexes that reads no row of the table: 9 instead of 38 ms for 25,000 requests. Decision 0160.
drop index requests_status;
create index requests_status on requests (status_id, created_at desc, id desc)
  include (service_id, agency_id, holder_id, total, number, applicant_name, search_text);
drop index requests_agency_status;
create index requests_agency_status on requests (agency_id, status_id, created_at desc, id desc)
  include (service_id, holder_id, total, number, applicant_name, search_text);
