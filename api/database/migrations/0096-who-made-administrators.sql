-- Who made an account an administrator, and when: the second person of a decision is independent of
-- who asked. Null for the first administrator, whom the operator creates.
alter table users
  add column admin_by uuid references users (id),
  add column admin_since timestamptz;

with made as (
  select accepted_by as user_id, invited_by as by, accepted_at as at
  from staff_invitations
  where accepted_by is not null
    and 'Admin' = any (roles)
  union all
  select user_id, asked_by, decided_at
  from role_changes
  where kind = 'roles'
    and decision = 'confirmed'
    and after -> 'roles' ? 'Admin'
    and not before -> 'roles' ? 'Admin'
  union all
  select users.id, actor_id, at
  from changes
  join users
    on users.id::text = entity_id
  where entity = 'user'
    and action = 'changed'
    and exists (
      select
      from jsonb_array_elements(fields) as field
      where field ->> 'field' = 'roles'
        and field ->> 'after' like '%"Admin"%'
        and coalesce(field ->> 'before', '') not like '%"Admin"%'
    )
)
update users
set admin_by = latest.by,
  admin_since = latest.at
from (
  select distinct on (user_id) *
  from made
  order by user_id, at desc
) as latest
where users.id = latest.user_id
  and 'Admin' = any (users.roles);
