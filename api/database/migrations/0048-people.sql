-- Administrators list, suspend and edit accounts. A save names the version that it read.
alter table users
  add column version integer not null default 1,
  add column suspension_reason text,
  add column last_sign_in_at timestamptz;

-- Sessions in which an employee acts for the user are no sign-ins of the user.
update users
set last_sign_in_at = own.at
from (
  select user_id, max(created_at) as at
  from sessions
  where actor_id is null
  group by user_id
) as own
where own.user_id = users.id;

create function count_user_version() returns trigger language plpgsql as $$
begin
  if new.version = old.version
    and (new.roles, new.company_id, new.partner_id, new.suspended_at)
      is distinct from (old.roles, old.company_id, old.partner_id, old.suspended_at)
  then
    new.version = old.version + 1;
  end if;
  return new;
end $$;
create trigger users_version before update on users
  for each row execute function count_user_version();

-- The orders of the list, and its filters that few accounts pass.
create index users_newest on users (created_at desc, id desc);
create index users_by_name on users (full_name, id);
create index users_last_sign_in on users (last_sign_in_at desc nulls last, id desc);
create index users_roles on users using gin (roles) where cardinality(roles) > 0;
create index users_suspended on users (created_at desc, id desc) where suspended_at is not null;
create index users_admins on users (id) where 'Admin' = any(roles);
