-- A change of what a user may do is a new version, also where the statement does not count it.
create or replace function count_user_version() returns trigger
language plpgsql as $$
begin
  if new.version = old.version
    and (new.roles, new.company_id, new.partner_id, new.suspended_at)
      is distinct from (old.roles, old.company_id, old.partner_id, old.suspended_at)
  then
    new.version = old.version + 1;
  end if;
  return new;
end $$;
