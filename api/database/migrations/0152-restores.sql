-- Decision 0163. A database that was restored to an earlier time. What came after that time is lost here, and
-- known to payment providers and to people. Until `reconciled_at` new messages about requests are paused.
create table restores (
  id integer primary key generated always as identity,
  restored_to timestamptz not null,
  marked_at timestamptz not null default now(),
  reconciled_at timestamptz
);

-- Numbers that may have been given to people after the time of a restore: nobody gets them again.
create table skipped_numbers (
  series text not null references invoice_counters,
  first bigint not null,
  last bigint not null,
  restore_id integer not null references restores,
  primary key (series, first),
  check (last >= first)
);
create trigger skipped_numbers_append_only before delete or update on skipped_numbers
  for each row
  execute function refuse_change();
create trigger skipped_numbers_never_emptied before truncate on skipped_numbers
  for each statement
  execute function refuse_change();

-- paused: it waits for an admin, who sends or discards it.
alter table messages
  drop constraint messages_state_check,
  add constraint messages_state_check
    check (state in ('waiting', 'paused', 'sent', 'failed', 'givenUp'));

drop index messages_news;
create index messages_news on messages (request_id, news)
  where state in ('waiting', 'paused')
    and news is not null;

drop index messages_open;
create index messages_open on messages (created_at desc, id)
  where state in ('waiting', 'paused', 'failed');
