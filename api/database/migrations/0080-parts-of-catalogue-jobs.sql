-- The entries of a prepared job in parts: one JSON text of 40 MB stopped the process for half a second when it was written or read.
create table catalogue_job_parts (
  job_id uuid not null references catalogue_jobs on delete cascade,
  position integer not null,
  list text not null,
  entries jsonb not null,
  -- The row of each entry in the file.
  rows jsonb not null,
  primary key (job_id, position)
);
-- What was prepared before must be prepared again: it is kept for a day at most.
update catalogue_jobs
set state = case when state = 'ready' then 'cancelled' else state end,
  plan = null
where plan is not null;
