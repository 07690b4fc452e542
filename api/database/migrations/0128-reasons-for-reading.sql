-- Why staff opened a record that was not work of theirs. Decision 0143.
alter table request_reads add column reason text;
alter table request_reads add column reason_text text not null default '';
alter table request_reads add constraint request_reads_reason_check
  check (reason in ('number', 'enquiry', 'complaint', 'quality', 'audit', 'authority', 'money', 'other'));
alter table request_reads add constraint request_reads_reason_text_check
  check (length(reason_text) <= 300 and (reason <> 'other' or reason_text <> ''));
