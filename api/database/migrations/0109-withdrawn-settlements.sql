-- A settlement file can be withdrawn while its days are open: its lines settle nothing from then on.
alter table settlement_files
  add column withdrawn_at timestamptz,
  drop constraint settlement_files_provider_digest_key;
create unique index settlement_files_digest on settlement_files (provider, digest)
  where withdrawn_at is null;
create index settlement_files_newest on settlement_files (imported_at desc, id desc);

alter table settlement_lines
  add column withdrawn_at timestamptz,
  drop constraint settlement_lines_entry_id_key;
create unique index settlement_lines_entry on settlement_lines (entry_id)
  where withdrawn_at is null;

alter table settlement_differences add column withdrawn_at timestamptz;
drop index settlement_differences_missing;
create unique index settlement_differences_missing on settlement_differences (entry_id)
  where kind = 'missingThere' and withdrawn_at is null;
create index settlement_differences_file on settlement_differences (file_id);

create function guard_settlement() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception '% are never deleted', tg_table_name;
  end if;
  if old.withdrawn_at is not null
    or new.withdrawn_at is null
    or to_jsonb(old) - 'withdrawn_at' is distinct from to_jsonb(new) - 'withdrawn_at'
  then
    raise exception '% are only withdrawn', tg_table_name;
  end if;
  return new;
end $$;

drop trigger settlement_files_append_only on settlement_files;
create trigger settlement_files_withdrawn before delete or update on settlement_files
  for each row
  execute function guard_settlement();
drop trigger settlement_files_never_emptied on settlement_files;
create trigger settlement_files_never_emptied before truncate on settlement_files
  for each statement
  execute function guard_settlement();
drop trigger settlement_lines_append_only on settlement_lines;
create trigger settlement_lines_withdrawn before delete or update on settlement_lines
  for each row
  execute function guard_settlement();
drop trigger settlement_lines_never_emptied on settlement_lines;
create trigger settlement_lines_never_emptied before truncate on settlement_lines
  for each statement
  execute function guard_settlement();

-- Who withdraws a file, and why. Where it matched money, another person confirms it.
create table settlement_withdrawals (
  id int primary key generated always as identity,
  file_id int not null references settlement_files (id),
  reason text not null,
  state text not null check (state in ('waiting', 'done', 'refused')),
  asked_by uuid not null references users (id),
  asked_at timestamptz not null default now(),
  decided_by uuid references users (id),
  decided_at timestamptz,
  check (state = 'refused' or decided_by is null or decided_by <> asked_by)
);
create unique index settlement_withdrawals_one on settlement_withdrawals (file_id)
  where state <> 'refused';
create index settlement_withdrawals_file on settlement_withdrawals (file_id, id);
