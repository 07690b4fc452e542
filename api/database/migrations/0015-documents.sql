-- Documents: which request a result was announced for, what the scan for harmful content said, and what was found in a PDF that is taken all the same.
-- scan_state: notScanned (no scanner is set), waiting, clean, infected (then the content is gone).
alter table attachments
  add column announced_for bigint references requests,
  add column scan_state text not null default 'notScanned' check (scan_state in ('notScanned', 'waiting', 'clean', 'infected')),
  add column findings text[] not null default '{}';
create index attachments_waiting_for_scan on attachments (created_at) where scan_state = 'waiting';
alter table partner_documents
  add column scan_state text not null default 'notScanned' check (scan_state in ('notScanned', 'waiting', 'clean', 'infected')),
  add column findings text[] not null default '{}';
create index partner_documents_waiting_for_scan on partner_documents (created_at) where scan_state = 'waiting';
