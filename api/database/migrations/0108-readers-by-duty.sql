-- Finance officers and auditors open requests too: decision 0127.
alter table request_reads drop constraint request_reads_reader_kind_check;
alter table request_reads add constraint request_reads_reader_kind_check
  check (reader_kind in ('employee', 'admin', 'finance', 'auditor', 'serviceProvider'));
