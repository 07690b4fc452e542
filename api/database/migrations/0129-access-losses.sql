-- Users whose access has changed: the requests that they have and may no longer see go back to the queue.
create table access_losses (
  user_id uuid primary key references users,
  noted_at timestamptz not null default now()
);

-- Whoever was suspended before or has lost a role may still have requests.
insert into access_losses (user_id)
select id
from users
where exists (
    select
    from requests
    where requests.holder_id = users.id
  )
  and (suspended_at is not null or cardinality(roles) = 0);
