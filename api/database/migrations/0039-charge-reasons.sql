-- A reason is for a correction or a rejection, for a fine, or for an added fee.
alter table rejection_reasons
  add column kind text not null default 'correction' check (kind in ('correction', 'fine', 'fee'));
