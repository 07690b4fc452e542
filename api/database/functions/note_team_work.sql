-- A service that is new, or has another agency or category: what its teams work on changes. It leaves the
-- teams of another agency. Members lose the requests that they may no longer see, and their live
-- connections begin anew.
create or replace function note_team_work() returns trigger
language plpgsql as $$
declare
  concerned uuid;
begin
  if tg_op = 'UPDATE'
    and new.agency_id = old.agency_id
    and new.category_id = old.category_id
  then
    return null;
  end if;
  for concerned in
    select distinct team_members.user_id
    from teams
    join team_members on team_members.team_id = teams.id
    where teams.agency_id in (new.agency_id, old.agency_id)
      and (
        exists (
          select
          from team_services
          where team_services.team_id = teams.id
            and team_services.service_id = new.id
        )
        or exists (
          select
          from team_categories
          where team_categories.team_id = teams.id
            and team_categories.category_id in (new.category_id, old.category_id)
        )
      )
    order by team_members.user_id
  loop
    insert into access_losses (user_id)
    values (concerned)
    on conflict (user_id) do update set noted_at = clock_timestamp();
    perform pg_notify('diwan_access', concerned::text);
  end loop;
  delete from team_services
  using teams
  where teams.id = team_services.team_id
    and teams.agency_id <> new.agency_id
    and team_services.service_id = new.id;
  return null;
end $$;
