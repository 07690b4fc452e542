-- What a return marked as to be mended, what an update changed and how it answered each mark, the reasons in the words of that day,
-- and what was sent with the step, so that the same thing sent twice is known.
alter table request_history
  add column marks jsonb not null default '[]',
  add column mended jsonb,
  add column reason_texts jsonb not null default '[]',
  add column sent_hash text;

-- A document that another one took the place of stays with its request.
alter table attachments add column superseded_at timestamptz;

alter table rejection_reasons
  add column retired_at timestamptz,
  add column version integer not null default 1;
