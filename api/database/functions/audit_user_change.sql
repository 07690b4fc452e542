-- Changes of roles and suspensions are in the audit log whoever makes them.
create or replace function audit_user_change() returns trigger
language plpgsql as $$
begin
  if new.roles is distinct from old.roles then
    insert into audit_events (kind, user_id, detail)
    values (
      'rolesChanged',
      new.id,
      jsonb_build_object('before', old.roles, 'after', new.roles)
    );
  end if;
  if (new.suspended_at is null) <> (old.suspended_at is null) then
    insert into audit_events (kind, user_id)
    values (
      case when new.suspended_at is null then 'accountRestored' else 'accountSuspended' end,
      new.id
    );
  end if;
  return null;
end $$;
