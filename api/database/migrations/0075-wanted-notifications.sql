-- Applicants have notifications too, and may want no messages about a kind of step. Rows of before meet the narrower check.
alter table request_history
  drop constraint request_history_notice_check,
  add constraint request_history_notice_check check (notice in ('sent', 'switchedOff', 'unreachable', 'unwanted')) not valid;
